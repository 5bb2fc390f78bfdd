import argparse
import os
import runpy

import gensim
import nltk.tokenize
import numpy as np
import pandas
import torch


class Sentences:
    def tokenize(self, text):
        return [part for part in text.split(".") if part.strip()]


class Words:
    def tokenize(self, text):
        return text.split()


class Rows:
    """What of a table of pandas is asked."""

    def __init__(self, rows):
        self.rows, self.shape, self.loc = rows, (len(rows), 3), self

    def __getitem__(self, place):
        return self.rows[place[0]]


class Vectors:
    vector_size = 6
    vocab = {"a": 0, "bb": 1, "cab": 2}

    def __getitem__(self, word):
        return np.random.RandomState(len(word)).randn(6).astype("float32").tolist()


def rows(name, header=None):
    rng = np.random.RandomState(7 if "train" in name else 8)
    words = ["a", "bb", "cab", "da", "ebb", "far"]

    def text():
        return ". ".join(" ".join(rng.choice(words, rng.randint(1, 6))) for _ in range(rng.randint(1, 4)))

    return Rows([[rng.randint(1, 11), text(), text() + "<br />" + text()] for _ in range(11)])


nltk.tokenize.PunktSentenceTokenizer, nltk.tokenize.TreebankWordTokenizer = Sentences, Words
pandas.read_csv = rows
gensim.models = argparse.Namespace(KeyedVectors=argparse.Namespace(load=lambda *args, **settings: Vectors()))

import utils

os.makedirs("data", exist_ok=True)
utils.create_input_files("csv", "data", 5, 6, min_word_count=2, save_word2vec_data=False)

import train as program
from datasets import HANDataset
from model import HierarchialAttentionNetwork

program.word_rnn_size, program.sentence_rnn_size, program.word_att_size, program.sentence_att_size = 5, 7, 6, 8
program.batch_size, program.epochs, program.dropout, program.lr = 5, 2, 0.0, 1e-2


def build():
    return HierarchialAttentionNetwork(10, len(program.word_map), 6, 5, 7, 1, 1, 6, 8, dropout=0.0)


def forward(net):
    net.eval()
    data = HANDataset("data", "test")
    documents, sentences, words, labels = next(iter(torch.utils.data.DataLoader(data, batch_size=6)))
    scores, word_alphas, sentence_alphas = net(documents, sentences.squeeze(1), words)
    return {
        "scores": scores,
        "words": word_alphas,
        "sentences": sentence_alphas,
        "labels": labels,
        "packed": packed,
    }


def packed():
    torch.manual_seed(0)
    names = runpy.run_path("understanding_packed_sequences.py")
    return [*names["batch_sizes"].tolist(), *names["sorted_indices"].tolist(), *names["fc_output"].shape]


def train(net):
    """The script's own main, twice: from these weights, and from the checkpoint that it left."""
    seen = []

    class Meter(utils.AverageMeter):
        def update(self, val, n=1):
            super().update(val, n)
            if n > 1:
                seen.append(val)

    made, program.AverageMeter = program.HierarchialAttentionNetwork, Meter
    program.HierarchialAttentionNetwork = lambda **sizes: net
    program.start_epoch, program.epochs, program.checkpoint = 0, 2, None
    start = net.sentence_attention.word_attention.embeddings.weight.data.clone()
    init, utils.init_embedding = utils.init_embedding, lambda table: table.copy_(start)
    try:
        program.main()
    finally:
        program.HierarchialAttentionNetwork, utils.init_embedding = made, init
    first = torch.load("checkpoint_han.pth.tar", weights_only=False)
    program.epochs, program.checkpoint = 3, "checkpoint_han.pth.tar"
    program.main()
    again = torch.load("checkpoint_han.pth.tar", weights_only=False)
    accuracy = runpy.run_path("eval.py")["accs"].avg
    sentence = first["model"].sentence_attention
    return {
        "losses": [value for value in seen if not 0 <= value <= 1],
        "fc": first["model"].fc.weight,
        "gru": sentence.sentence_rnn.weight_hh_l0_reverse,
        "words": sentence.word_attention.word_rnn.weight_ih_l0,
        "context": sentence.word_attention.word_context_vector.weight,
        "embedding": sentence.word_attention.embeddings.weight,
        "again": again["model"].fc.bias,
        "rate": [again["optimizer"].param_groups[0]["lr"], again["epoch"], accuracy],
    }


def init():
    torch.manual_seed(0)
    table = torch.empty(200, 30)
    utils.init_embedding(table)
    net = HierarchialAttentionNetwork(10, 60, 30, 40, 40, 1, 1, 30, 40)
    return {"table": table, "gru": net.sentence_attention.sentence_rnn.weight_hh_l0, "fc": net.fc.weight}
