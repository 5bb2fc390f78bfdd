import os
import tempfile

import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import DataLoader

import linear
import main
import utils
from model import Model

BATCH = 4


class Pairs(utils.CIFAR10Pair):
    """A few images in the form of CIFAR-10, without the files of it."""

    def __init__(self, seed, count, transform):
        random = np.random.RandomState(seed)
        self.data = random.randint(0, 256, (count, 32, 32, 3)).astype("uint8")
        self.targets = [int(target) for target in random.randint(0, 3, count)]
        self.transform, self.target_transform = transform, None


class Single(Pairs):
    def __getitem__(self, index):
        pos_1, _, target = super().__getitem__(index)
        return pos_1, target


def loader(seed, count, dataset=Pairs):
    return DataLoader(dataset(seed, count, utils.test_transform), batch_size=BATCH, shuffle=False)


def build():
    return Model(16)


def forward(net):
    net.eval()
    data, _, _ = next(iter(loader(0, BATCH)))
    feature, out = net(data)
    return {"feature": feature, "out": out}


def train(net):
    main.temperature, main.batch_size, main.epochs, main.k, main.c = 0.5, BATCH, 1, 3, 3
    losses = []
    optimizer = optim.Adam(net.parameters(), lr=1e-5, weight_decay=1e-6)
    for main.epoch in (1,):
        losses.append(main.train(net, loader(1, 2 * BATCH), optimizer))
        top = main.test(net, loader(1, 2 * BATCH), loader(2, BATCH))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pth")
        torch.save(net.state_dict(), path)
        classifier = linear.Net.__new__(linear.Net)
        nn.Module.__init__(classifier)
        classifier.f = Model().f
        classifier.load_state_dict(torch.load(path, map_location="cpu"), strict=False)
    for param in classifier.f.parameters():
        param.requires_grad = False
    classifier.fc = nn.Linear(2048, 3)
    nn.init.constant_(classifier.fc.bias, 0.0)
    with torch.no_grad():
        values = np.random.RandomState(4).standard_normal((3, 2048)) * 0.2
        classifier.fc.weight.copy_(torch.from_numpy(values.astype("float32")))
    linear.loss_criterion, linear.epochs, linear.epoch = nn.CrossEntropyLoss(), 1, 1
    optimizer = optim.Adam(classifier.fc.parameters(), lr=1e-3, weight_decay=1e-6)
    for given in (optimizer, None):
        losses.append(linear.train_val(classifier, loader(3, 2 * BATCH, Single), given)[0])
    return {
        "losses": losses,
        "top": [float(one) for one in top],
        "g": net.g[3].weight,
        "fc": classifier.fc.weight,
    }
