import collections
import random

import numpy as np
import torch
import torchtext.data

Example = collections.namedtuple("Example", "src tgt")
Batch = collections.namedtuple("Batch", "src tgt")
WORDS = ["<unk>", "<pad>", "<sos>", "<eos>", *"abcdefgh"]
Vocab = collections.namedtuple("Vocab", "itos stoi")
vocab = Vocab(WORDS, {word: index for index, word in enumerate(WORDS)})


class Field:
    pad_token = "<pad>"
    vocab = vocab


class Reversals:
    """The toy data of the repository: sequences and their reverse."""

    fields = {"src": Field(), "tgt": Field()}

    def __init__(self, seed, count):
        rng = np.random.RandomState(seed)
        self.examples = []
        for _ in range(count):
            words = [WORDS[i] for i in rng.randint(4, len(WORDS), rng.randint(3, 7))]
            self.examples.append(Example(words, ["<sos>", *words[::-1], "<eos>"]))


class BucketIterator:
    """Has what is asked of torchtext's."""

    def __init__(self, dataset, batch_size, **how):
        self.examples, self.batch_size = dataset.examples, batch_size

    def __len__(self):
        return -(-len(self.examples) // self.batch_size)

    def __iter__(self):
        for start in range(0, len(self.examples), self.batch_size):
            batch = sorted(self.examples[start : start + self.batch_size], key=lambda one: -len(one.src))
            rows = []
            for side in ("src", "tgt"):
                longest = max(len(getattr(one, side)) for one in batch)
                padded = [
                    getattr(one, side) + ["<pad>"] * (longest - len(getattr(one, side))) for one in batch
                ]
                rows.append(torch.LongTensor([[vocab.stoi[word] for word in row] for row in padded]))
            yield Batch((rows[0], torch.LongTensor([len(one.src) for one in batch])), rows[1])


torchtext.data.BucketIterator = BucketIterator

from seq2seq.evaluator import Evaluator, Predictor  # noqa: E402
from seq2seq.loss import NLLLoss, Perplexity  # noqa: E402
from seq2seq.models import DecoderRNN, EncoderRNN, Seq2seq, TopKDecoder  # noqa: E402
from seq2seq.optim import Optimizer  # noqa: E402
from seq2seq.trainer import SupervisedTrainer  # noqa: E402

HIDDEN, LONGEST = 12, 7


def net(rnn_cell, bidirectional, use_attention, n_layers=1):
    width = HIDDEN * 2 if bidirectional else HIDDEN
    encoder = EncoderRNN(
        len(WORDS), LONGEST, HIDDEN, bidirectional=bidirectional, variable_lengths=True, rnn_cell=rnn_cell,
        n_layers=n_layers,
    )  # fmt: skip
    decoder = DecoderRNN(
        len(WORDS), LONGEST, width, eos_id=3, sos_id=2, use_attention=use_attention, bidirectional=bidirectional,
        rnn_cell=rnn_cell, n_layers=n_layers,
    )  # fmt: skip
    return Seq2seq(encoder, decoder)


def build():
    return net("gru", True, True), net("lstm", False, False, n_layers=2)


def init():
    torch.manual_seed(1)
    model = net("gru", True, True)
    for param in model.parameters():
        param.data.uniform_(-0.08, 0.08)
    return {"rnn": model.encoder.rnn.weight_ih_l0, "embedding": model.decoder.embedding.weight}


def forward(attending, plain):
    attending.eval()
    plain.eval()
    batch = next(iter(BucketIterator(Reversals(0, 4), 4)))
    (src, lengths), tgt = batch

    def run(model, **how):
        outputs, hidden, other = model(src, lengths.tolist(), tgt, **how)
        return [
            *outputs,
            *(hidden if isinstance(hidden, tuple) else [hidden]),
            *other["sequence"],
            *other.get("attention_score", []),
        ]

    def beam(model):
        top = Seq2seq(model.encoder, TopKDecoder(model.decoder, 3))
        top.eval()
        with torch.no_grad():
            outputs, hidden, other = top(src, lengths.tolist())
        return [
            *outputs,
            other["score"],
            *other["sequence"],
            *other["topk_sequence"],
            np.array(other["topk_length"]),
        ]

    def said(model):
        predictor = Predictor(model, vocab, vocab)
        return [vocab.stoi[word] for word in predictor.predict(list("abca"))]

    return {
        "taught": lambda: run(attending, teacher_forcing_ratio=1),
        "free": lambda: run(attending),
        "plain": lambda: run(plain, teacher_forcing_ratio=1),
        "beam": lambda: beam(attending),
        "beam_plain": lambda: beam(plain),
        "said": lambda: said(plain),
    }


def train(attending, plain):
    data, dev = Reversals(1, 6), Reversals(2, 4)
    results = {}
    random.seed(0)  # teacher forcing is drawn
    weight = torch.ones(len(WORDS))
    loss = Perplexity(weight, vocab.stoi["<pad>"])
    trainer = SupervisedTrainer(
        loss=loss, batch_size=3, checkpoint_every=50, print_every=1, expt_dir="experiment"
    )
    optimizer = Optimizer(torch.optim.Adam(attending.parameters(), lr=0.01), max_grad_norm=5)
    optimizer.set_scheduler(torch.optim.lr_scheduler.StepLR(optimizer.optimizer, 1, gamma=0.5))
    model = trainer.train(
        attending, data, num_epochs=2, dev_data=dev, optimizer=optimizer, teacher_forcing_ratio=0.5
    )
    results["perplexity"] = list(Evaluator(loss=Perplexity(weight, 1), batch_size=4).evaluate(model, dev))
    results["lr"] = [optimizer.optimizer.param_groups[0]["lr"]]
    results["decoder"] = attending.decoder.out.weight.clone()
    resumed = trainer.train(model, data, num_epochs=3, dev_data=dev, resume=True)
    results["resumed"] = resumed.decoder.out.weight

    random.seed(1)
    trainer = SupervisedTrainer(loss=NLLLoss(), batch_size=3, expt_dir="plain", random_seed=4)
    optimizer = Optimizer(torch.optim.SGD(plain.parameters(), lr=0.5), max_grad_norm=1)
    optimizer.set_scheduler(torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer.optimizer, patience=0))
    trainer.train(plain, data, num_epochs=3, dev_data=dev, optimizer=optimizer, teacher_forcing_ratio=0.5)
    results["plain"] = list(Evaluator(batch_size=4).evaluate(plain, dev))
    results["plain_rnn"] = plain.encoder.rnn.weight_hh_l1
    return results
