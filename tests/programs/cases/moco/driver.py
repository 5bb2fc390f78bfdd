import argparse
import tempfile

import numpy as np
import torch
import torch.nn as nn

import main_moco
from moco.builder import MoCo

args = argparse.Namespace(
    lr=0.03, momentum=0.9, weight_decay=1e-4, epochs=4, cos=True, schedule=[1], gpu=None, print_freq=1
)


class SmallEncoder(nn.Module):
    """Stands for a ResNet: the builder looks for fc."""

    def __init__(self, num_classes):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(8)
        self.relu = nn.ReLU(inplace=True)
        self.avgpool = nn.AdaptiveAvgPool2d((2, 2))
        self.fc = nn.Linear(32, num_classes)

    def forward(self, x):
        x = self.avgpool(self.relu(self.bn(self.conv(x))))
        return self.fc(torch.flatten(x, 1))


def build():
    return MoCo(SmallEncoder, dim=8, K=16, m=0.9, T=0.2, mlp=True)


def views(seed):
    rng = np.random.RandomState(seed)
    images = rng.rand(8, 3, 16, 16) + rng.rand(8, 3, 1, 1)
    return [torch.from_numpy((images + 0.1 * rng.randn(8, 3, 16, 16)).astype("float32")) for _ in range(2)]


def join_group():
    """The model gathers its keys from all processes; here it is a group of one."""
    if not torch.distributed.is_initialized():
        with tempfile.TemporaryDirectory() as folder:
            torch.distributed.init_process_group(
                "gloo", init_method=f"file://{folder}/meeting", world_size=1, rank=0
            )


def contrast(model):
    join_group()
    return model(*views(0))[0]


def forward(model):
    model.eval()
    return {
        "query": model.encoder_q(views(0)[0]),
        "key": model.encoder_k(views(1)[0]),
        "logits": lambda: contrast(model),
    }


def train(model):
    join_group()
    torch.manual_seed(0)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(
        model.parameters(), args.lr, momentum=args.momentum, weight_decay=args.weight_decay
    )
    losses, rates = [], []
    for epoch in range(2):
        main_moco.adjust_learning_rate(optimizer, epoch, args)
        rates.append(optimizer.param_groups[0]["lr"])
        loader = [(views(10 * epoch + step), None) for step in range(2)]
        main_moco.train(loader, model, criterion, optimizer, epoch, args)
        output, target = model(*views(100 + epoch))
        losses.append(criterion(output, target).item())
    return {
        "losses": losses,
        "rates": rates,
        "query_weight": model.encoder_q.conv.weight,
        "key_weight": model.encoder_k.conv.weight,
        "queue": model.queue,
    }
