import sys

import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import DataLoader

sys.argv = ["train.py", "--train-iteration", "3", "--epochs", "4", "--batch-size", "4", "--lambda-u", "5"]

import train as training
from dataset import cifar10
from models.wideresnet import WideResNet


class Images(torch.utils.data.Dataset):
    def __init__(self, seed, size, transform, twice=False):
        rng = np.random.RandomState(seed)
        images = rng.randint(0, 256, (size, 32, 32, 3)).astype("uint8")
        self.data = cifar10.transpose(cifar10.normalize(images))
        self.targets = rng.randint(0, 10, size)
        self.transform = cifar10.TransformTwice(transform) if twice else transform

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.transform(self.data[index]), self.targets[index]


def augmented(x):
    for step in (cifar10.RandomPadandCrop(32), cifar10.RandomFlip(), cifar10.ToTensor()):
        x = step(x)
    return x


def build():
    models = WideResNet(10, depth=10, widen_factor=1), WideResNet(10, depth=10, widen_factor=1)
    for param in models[1].parameters():
        param.detach_()
    return models


def init():
    torch.manual_seed(1)
    net = WideResNet(10, depth=10, widen_factor=2)
    return {"conv": net.block2.layer[0].conv1.weight, "fc": net.fc.weight}


def forward(model, ema_model):
    model.eval()
    images = torch.stack([cifar10.ToTensor()(image) for image in Images(0, 4, None).data])
    labels = torch.nn.functional.one_hot(torch.tensor([1, 2, 3, 4]), 10).float()
    logits = model(images)
    return {
        "logits": logits,
        "loss": lambda: list(training.SemiLoss()(logits, labels, logits, labels, 2)),
        "interleaved": lambda: training.interleave([images[:2], images[2:]], 2),
        "accuracy": lambda: training.accuracy(logits, torch.tensor([1, 2, 3, 4]), topk=(1, 5)),
    }


def train(model, ema_model):
    np.random.seed(0)
    labeled = DataLoader(Images(1, 8, augmented), batch_size=4, drop_last=True)
    unlabeled = DataLoader(Images(2, 12, augmented, twice=True), batch_size=4, drop_last=True)
    test = DataLoader(Images(3, 6, cifar10.ToTensor()), batch_size=3)
    optimizer = optim.Adam(model.parameters(), lr=training.args.lr)
    ema_optimizer = training.WeightEMA(model, ema_model, alpha=training.args.ema_decay)
    losses = []
    for epoch in range(2):
        losses += training.train(
            labeled, unlabeled, model, optimizer, ema_optimizer, training.SemiLoss(), epoch, False
        )
        losses += training.validate(test, ema_model, nn.CrossEntropyLoss(), epoch, False, mode="Test Stats")
    return {
        "losses": losses,
        "fc": model.fc.weight,
        "conv": model.block1.layer[0].conv1.weight,
        "ema": ema_model.fc.weight,
        "mean": ema_model.bn1.running_mean,
    }
