import argparse
import os
import types

import numpy as np
import torch

import train as trainer
from model.BIMPM import BIMPM
from model.utils import SNLI, Quora
from test import load_model, test

WORDS = ["<unk>", "<pad>", "a", "bird", "cat", "does", "eat", "fast", "good", "how"]


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randint(2, len(WORDS), shape))


class Batches:
    """What torchtext's iterators give."""

    def __init__(self, names, seed, count):
        self.names, self.seed, self.count, self.epoch = names, seed, count, 0.0

    def __iter__(self):
        for index in range(self.count):
            self.epoch = (index + 1) / self.count
            first, second = numbers(self.seed + index, 3, 5 + index), numbers(self.seed + 10 + index, 3, 7 - index)
            batch = types.SimpleNamespace(label=numbers(self.seed + 20 + index, 3) % 3)
            setattr(batch, self.names[0], first)
            setattr(batch, self.names[1], second)
            yield batch


def made(kind, names):
    class Made(kind):
        def __init__(self):
            vectors = torch.from_numpy(np.random.RandomState(1).randn(len(WORDS), 6).astype("float32"))
            self.TEXT = types.SimpleNamespace(vocab=types.SimpleNamespace(itos=WORDS, vectors=vectors))
            self.train_iter, self.dev_iter, self.test_iter = (
                Batches(names, 0, 3), Batches(names, 100, 2), Batches(names, 200, 2)
            )  # fmt: skip
            self.max_word_len = max(len(word) for word in WORDS)
            self.char_vocab = {"": 0}
            self.characterized_words = [[0] * self.max_word_len, [0] * self.max_word_len]
            self.build_char_vocab()

    return Made()


def arguments(data, **changes):
    given = dict(
        batch_size=3, char_dim=4, char_hidden_size=5, data_type="SNLI", dropout=0.0, epoch=1, gpu=-1, hidden_size=6,
        learning_rate=0.01, max_sent_len=6, num_perspective=3, print_freq=1, use_char_emb=True, word_dim=6,
        char_vocab_size=len(data.char_vocab), word_vocab_size=len(WORDS), class_size=3, max_word_len=data.max_word_len,
        model_time="now",
    )  # fmt: skip
    given.update(changes)
    return argparse.Namespace(**given)


def pairs():
    snli, quora = made(SNLI, ("premise", "hypothesis")), made(Quora, ("q1", "q2"))
    return (arguments(snli), snli), (arguments(quora, data_type="Quora", use_char_emb=False, max_sent_len=-1), quora)


def build():
    return tuple(BIMPM(args, data) for args, data in pairs())


def init():
    torch.manual_seed(1)
    (args, data), _ = pairs()
    args.hidden_size, args.num_perspective, args.char_dim, args.char_hidden_size = 40, 20, 30, 30
    net = BIMPM(args, data)
    return {
        "characters": net.char_LSTM.weight_ih_l0,
        "orthogonal": net.context_LSTM.weight_hh_l0_reverse,
        "matching": net.mp_w3,
        "last": net.pred_fc1.weight,
        "zero": net.aggregation_LSTM.bias_ih_l0.abs().sum() + 1,
        "unknown": net.word_emb.weight[0].abs().max() < 0.1,
    }


def inputs(data, seed):
    p, h = numbers(seed, 2, 5), numbers(seed + 1, 2, 4)
    return {
        "p": p,
        "h": h,
        "char_p": torch.LongTensor(data.characterize(p)),
        "char_h": torch.LongTensor(data.characterize(h)),
    }


def forward(net, plain):
    (args, data), (others, questions) = pairs()
    for one in (net, plain):
        one.eval()
    return {
        "characters": lambda: net(**inputs(data, 1)),
        "words": lambda: plain(**inputs(questions, 5)),
        "tested": lambda: [float(value) for value in test(net, args, data)],
        "frozen": lambda: [one.requires_grad for one in net.parameters()],
    }


def train(net, plain):
    results = {}
    kept = trainer.BIMPM
    for name, one, (args, data) in zip(("characters", "words"), (net, plain), pairs()):
        state = one.state_dict()

        def begun(args, data, state=state):
            new = kept(args, data)
            new.load_state_dict(state)
            return new

        trainer.BIMPM = begun
        best = trainer.train(args, data)
        os.makedirs("saved_models", exist_ok=True)
        args.model_path = f"saved_models/BIBPM_{args.data_type}_{args.model_time}.pt"
        torch.save(best.state_dict(), args.model_path)
        again = load_model(args, data)
        loss, accuracy = test(again, args, data, mode="dev")
        results[name + "_tested"] = [float(loss), float(accuracy)]
        results[name + "_matching"] = again.mp_w5
        results[name + "_last"] = again.pred_fc2.weight
        results[name + "_context"] = again.context_LSTM.weight_hh_l0
        results[name + "_words"] = again.word_emb.weight
        results[name + "_letters"] = again.char_emb.weight
    trainer.BIMPM = kept
    return results
