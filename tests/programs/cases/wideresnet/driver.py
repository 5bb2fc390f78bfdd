import os

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

import train as script
from wideresnet import WideResNet


def build():
    return WideResNet(10, 10, widen_factor=1), WideResNet(16, 10, widen_factor=2)


def pictures(seed, size):
    return torch.from_numpy(np.random.RandomState(seed).randn(size, 3, 32, 32).astype("float32"))


def forward(*nets):
    outputs = {}
    for name, net in zip(("narrow", "wide"), nets):
        net.eval()
        outputs[name] = net(pictures(0, 2))
    return outputs


def loader(seed, size):
    labels = torch.from_numpy(np.random.RandomState(seed).randint(0, 10, size))
    return DataLoader(TensorDataset(pictures(seed, size), labels), batch_size=4)


def train(narrow, wide):
    script.args = script.parser.parse_args(["--epochs", "2", "--batch-size", "4", "--name", "small"])
    data = loader(1, 12)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(narrow.parameters(), 0.01, momentum=0.9, nesterov=True, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, len(data) * 2)
    scores, rates = [], []
    for epoch in range(2):
        script.train(data, narrow, criterion, optimizer, scheduler, epoch)
        rates.append(optimizer.param_groups[0]["lr"])
        scores.append(script.validate(loader(2, 6), narrow, criterion, epoch))
    script.save_checkpoint({"epoch": 2, "state_dict": narrow.state_dict(), "best_prec1": scores[-1]}, True)
    saved = torch.load("runs/small/model_best.pth.tar")
    return {
        "scores": scores,
        "rates": rates,
        "last": narrow.fc.weight,
        "norm": narrow.bn1.running_var,
        "saved": saved["state_dict"]["fc.bias"],
        "number": sum([p.data.nelement() for p in narrow.parameters()]),
        "there": os.path.exists("runs/small/checkpoint.pth.tar"),
    }
