import argparse
import io

import numpy as np
import torch
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

import densenet
import train as training

args = argparse.Namespace(cuda=False, opt="sgd")


def build():
    return (
        densenet.DenseNet(growthRate=6, depth=16, reduction=0.5, bottleneck=True, nClasses=10),
        densenet.DenseNet(growthRate=4, depth=10, reduction=0.5, bottleneck=False, nClasses=10),
    )


def init():
    torch.manual_seed(1)
    net = densenet.DenseNet(growthRate=24, depth=16, reduction=0.5, bottleneck=True, nClasses=10)
    return {"conv": net.dense1[0].conv2.weight, "transition": net.trans1.conv1.weight, "fc": net.fc.weight}


def images(seed, count):
    rng = np.random.RandomState(seed)
    return torch.from_numpy(rng.randn(count, 3, 32, 32).astype("float32")), torch.from_numpy(rng.randint(0, 10, count))


def loader(seed, batches):
    return DataLoader(TensorDataset(*images(seed, 4 * batches)), batch_size=4, shuffle=False)


def forward(net, plain):
    net.eval()
    plain.eval()
    data, _ = images(0, 4)
    return {"output": net(data), "dense1": net.dense1(net.conv1(data)), "plain": lambda: plain(data)}


def figures(file):
    return np.array([[float(value) for value in line.split(",")] for line in file.getvalue().splitlines()])


def train(net, plain):
    optimizer = optim.SGD(net.parameters(), lr=1e-1, momentum=0.9, weight_decay=1e-4)
    trainF, testF = io.StringIO(), io.StringIO()
    for epoch in range(149, 151):
        training.adjust_opt(args.opt, optimizer, epoch)
        training.train(args, epoch, net, loader(epoch, 2), optimizer, trainF)
        training.test(args, epoch, net, loader(3, 2), optimizer, testF)
    return {
        "train": figures(trainF),
        "test": figures(testF),
        "lr": [optimizer.param_groups[0]["lr"]],
        "fc": net.fc.weight,
        "running_mean": net.bn1.running_mean,
    }
