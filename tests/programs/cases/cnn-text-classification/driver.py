import argparse

import numpy as np
import torch
from torch.utils.data import DataLoader

import model
import mydatasets
import train as training

WORDS = [f"word{number}" for number in range(20)]


def arguments(**changes):
    given = dict(
        embed_num=22, embed_dim=6, class_num=2, kernel_num=5, kernel_sizes=[3, 4, 5], dropout=0.0, static=False,
        cuda=False, lr=0.01, epochs=1, log_interval=1, test_interval=2, save_interval=3, save_dir="snapshot",
        early_stop=1000, save_best=True, max_norm=1.0, optimizer="adam",
    )  # fmt: skip
    given.update(changes)
    return argparse.Namespace(**given)


SETTINGS = (arguments(), arguments(static=True, optimizer="adadelta", lr=1.0, save_dir="others", max_norm=0.5))


def build():
    return tuple(model.CNN_Text(args) for args in SETTINGS)


def loader(seed, batch_size):
    rng = np.random.RandomState(seed)
    counter = mydatasets.Counter(WORDS)
    examples = [
        ([WORDS[place] for place in rng.randint(0, 20, rng.randint(6, 12))], ("neg", "pos")[number % 2])
        for number in range(16)
    ]
    vocabulary = mydatasets.Vocab(counter)
    labels = mydatasets.Vocab(mydatasets.Counter(["neg", "pos"]), specials=())
    dataset = mydatasets.MRDataset(examples, vocabulary, labels)
    return DataLoader(dataset, batch_size=batch_size, shuffle=False, collate_fn=mydatasets.collate_fn)


def forward(adam, adadelta):
    adam.eval()
    adadelta.eval()
    words = torch.from_numpy(np.random.RandomState(0).randint(0, 22, (3, 9)))
    return {"adam": adam(words), "adadelta": adadelta(words)}


def train(*nets):
    results = {}
    for args, net in zip(SETTINGS, nets):
        best = training.train(loader(1, 4), loader(2, 8), net, args)
        results[args.optimizer + "_best"] = best
        results[args.optimizer + "_dev"] = training.eval(loader(3, 8), net, args)
        results[args.optimizer + "_fc"] = net.fc1.weight
        results[args.optimizer + "_conv"] = net.convs[1].weight
        results[args.optimizer + "_embed"] = net.embed.weight
    return results
