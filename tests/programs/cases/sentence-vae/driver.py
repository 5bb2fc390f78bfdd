import argparse
import os
import tempfile

import nltk.tokenize
import numpy as np
import torch


class TweetTokenizer:
    """Words between blanks, in the place of nltk's."""

    def __init__(self, preserve_case=True):
        self.preserve_case = preserve_case

    def tokenize(self, line):
        return (line if self.preserve_case else line.lower()).split()


nltk.tokenize.TweetTokenizer = TweetTokenizer

import train as program
from model import SentenceVAE
from ptb import PTB
from utils import idx2word, interpolate, to_var

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "two", "dogs"]
LENGTH = 12
nets_to_train = []


def settings(**changes):
    return dict(
        {
            "vocab_size": len(WORDS) + 4, "embedding_size": 8, "rnn_type": "gru", "hidden_size": 12,
            "word_dropout": 0.0, "embedding_dropout": 0.0, "latent_size": 5, "sos_idx": 2, "eos_idx": 3,
            "pad_idx": 0, "unk_idx": 1, "max_sequence_length": LENGTH, "num_layers": 1, "bidirectional": False,
        },
        **changes,
    )  # fmt: skip


def build():
    nets = (
        SentenceVAE(**settings()),
        SentenceVAE(**settings(rnn_type="rnn", num_layers=2, bidirectional=True, word_dropout=1.0)),
    )
    nets_to_train[:] = nets
    return nets


def sentences(seed, count=4):
    rng = np.random.RandomState(seed)
    length = np.array([5, 9, 3, 12, 7, 4][:count])
    numbers = rng.randint(4, len(WORDS) + 4, (count, LENGTH))
    numbers[np.arange(LENGTH)[None] >= length[:, None]] = 0
    numbers[:, 0] = 2
    return torch.from_numpy(numbers), torch.from_numpy(length)


def forward(gru, rnn):
    outputs = {}
    for name, net in (("gru", gru), ("rnn", rnn)):
        net.eval()
        logp, mean, logv, z = net(*sentences(0))
        outputs.update({name + "_logp": logp, name + "_mean": mean, name + "_logv": logv, name + "_z": z})
    z = to_var(torch.from_numpy(interpolate(start=np.zeros(5), end=np.ones(5), steps=2)).float())
    outputs["generated"] = lambda: gru.inference(z=z)[0]
    outputs["drawn"] = lambda: gru.inference(n=3)[1]
    words = {str(i): word for i, word in enumerate(["<pad>", "<unk>", "<sos>", "<eos>", *WORDS])}
    outputs["lengths"] = lambda: np.array([len(text) for text in idx2word(sentences(1)[0], words, 0)])
    return outputs


def write_files(folder):
    rng = np.random.RandomState(3)
    for split, lines in (("train", 24), ("valid", 6), ("test", 6)):
        with open(os.path.join(folder, f"ptb.{split}.txt"), "w") as file:
            for _ in range(lines):
                file.write(" ".join(WORDS[i] for i in rng.randint(0, len(WORDS), rng.randint(3, 14))) + "\n")


def arguments(folder, **changes):
    return argparse.Namespace(
        **dict(
            {
                "data_dir": folder, "create_data": True, "max_sequence_length": LENGTH, "min_occ": 1, "test": False,
                "epochs": 2, "batch_size": 8, "learning_rate": 0.01, "embedding_size": 8, "rnn_type": "gru",
                "hidden_size": 12, "num_layers": 1, "bidirectional": False, "latent_size": 5, "word_dropout": 0.0,
                "embedding_dropout": 0.0, "anneal_function": "logistic", "k": 0.0025, "x0": 2, "print_every": 2,
                "tensorboard_logging": True, "logdir": "logs", "save_model_path": "bin",
            },
            **changes,
        )
    )  # fmt: skip


def train(gru, rnn):
    here = os.getcwd()
    program.cpu_count = lambda: 0
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        os.chdir(folder)
        try:
            program.SentenceVAE = lambda **params: gru
            program.main(arguments(folder))
            program.SentenceVAE = lambda **params: rnn
            program.main(arguments(folder, anneal_function="linear", save_model_path="rnn", create_data=False))
            data = PTB(folder, "valid", False, max_sequence_length=LENGTH, min_occ=1)
        finally:
            os.chdir(here)
    batch = data[1]
    for name, net in (("gru", gru), ("rnn", rnn)):
        logp, mean, logv, _ = net(torch.from_numpy(batch["input"])[None].repeat(2, 1), torch.tensor([batch["length"]] * 2))
        results.update({name + "_logp": logp, name + "_mean": mean})
        results[name + "_embedding"] = net.embedding.weight
        results[name + "_out"] = net.outputs2vocab.weight
    results["gru_hidden"] = gru.encoder_rnn.weight_hh_l0
    return results
