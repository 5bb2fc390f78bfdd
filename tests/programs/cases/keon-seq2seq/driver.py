import argparse
import random

import numpy as np
import torch
from torch import optim

from model import Decoder, Encoder, Seq2Seq
from train import evaluate
from train import train as train_epoch

SOURCE, TARGET, LENGTH, BATCH = 11, 13, 6, 3


class Field:
    vocab = argparse.Namespace(stoi={"<pad>": 1})


def build():
    encoder = Encoder(SOURCE, 5, 6, n_layers=2, dropout=0.0)
    decoder = Decoder(5, 6, TARGET, n_layers=1, dropout=0.0)
    return Seq2Seq(encoder, decoder)


def batches(seed, count=3):
    rng = np.random.RandomState(seed)
    for _ in range(count):
        source = torch.from_numpy(rng.randint(2, SOURCE, (LENGTH, BATCH)))
        target = torch.from_numpy(rng.randint(2, TARGET, (LENGTH - 1, BATCH)))
        target[-1, 0] = 1
        yield argparse.Namespace(src=(source, None), trg=(target, None))


def forward(model):
    model.eval()
    batch = next(batches(0))
    return {
        "free": lambda: model(batch.src[0], batch.trg[0], teacher_forcing_ratio=0.0),
        "taught": lambda: model(batch.src[0], batch.trg[0], teacher_forcing_ratio=1.0),
        "loss": lambda: evaluate(model, list(batches(1)), TARGET, Field, Field),
    }


def train(model):
    random.seed(4)
    optimizer = optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for epoch in range(2):
        train_epoch(epoch, model, optimizer, batches(2 + epoch), TARGET, 1.0, Field, Field)
        losses.append(evaluate(model, list(batches(1)), TARGET, Field, Field))
    return {
        "losses": losses,
        "v": model.decoder.attention.v,
        "gru": model.encoder.gru.weight_ih_l1,
        "embed": model.decoder.embed.weight,
    }
