import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

import train as cifar100
from utils import WarmUpLR, get_network

args = argparse.Namespace(net="resnet18", gpu=False, b=4, warm=1, lr=0.002, resume=False)


class History:
    """Keeps what train.py writes to tensorboard."""

    def __init__(self):
        self.scalars = {}

    def add_scalar(self, tag, value, step):
        self.scalars.setdefault(tag, []).append(float(value))

    def add_histogram(self, tag, values, step):
        pass


def dataset(seed, size):
    rng = np.random.RandomState(seed)
    images = torch.from_numpy(rng.randn(size, 3, 32, 32).astype("float32"))
    labels = torch.from_numpy(rng.randint(0, 100, size).astype("int64"))
    return TensorDataset(images, labels)


def build():
    return get_network(args)


def forward(net):
    net.eval()
    images, labels = dataset(0, 4).tensors
    with torch.no_grad():
        outputs = net(images)
        _, preds = outputs.max(1)
    return {"outputs": outputs, "preds": preds, "loss": nn.CrossEntropyLoss()(outputs, labels)}


def train(net):
    cifar100.args = args
    cifar100.net = net
    cifar100.loss_function = nn.CrossEntropyLoss()
    cifar100.optimizer = optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
    cifar100.cifar100_training_loader = DataLoader(dataset(1, 16), batch_size=args.b, shuffle=False)
    cifar100.cifar100_test_loader = DataLoader(dataset(2, 8), batch_size=args.b, shuffle=False)
    cifar100.warmup_scheduler = WarmUpLR(cifar100.optimizer, len(cifar100.cifar100_training_loader) * args.warm)
    cifar100.writer = History()

    cifar100.train(1)
    accuracy = cifar100.eval_training(1)
    scalars = cifar100.writer.scalars
    return {
        "losses": scalars["Train/loss"],
        "last_layer": scalars["LastLayerGradients/grad_norm2_weights"],
        "test_loss": scalars["Test/Average loss"],
        "accuracy": accuracy,
        "lr": cifar100.optimizer.param_groups[0]["lr"],
        "fc": net.fc.weight,
        "first": net.conv1[0].weight,
    }
