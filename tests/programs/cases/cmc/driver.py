import argparse

import numpy as np
import torch

import train_CMC
from models.LinearModel import LinearClassifierResNet
from NCE.alias_multinomial import AliasMethod
from NCE.NCEAverage import MemoryInsDis, MemoryMoCo
from NCE.NCECriterion import NCESoftmaxLoss
from util import accuracy, adjust_learning_rate

args = argparse.Namespace(
    model="resnet18v1", feat_dim=128, nce_k=12, nce_t=0.07, nce_m=0.5, softmax=False, learning_rate=0.03, momentum=0.9,
    weight_decay=1e-4, lr_decay_epochs=[1], lr_decay_rate=0.1, amp=False, print_freq=1,
)  # fmt: skip
COUNT = 40


def fill(bank, seed):
    """What lies in a memory at first is drawn."""
    rng = np.random.RandomState(seed)
    for name, memory in bank.named_buffers():
        if name.startswith("memory"):
            memory.copy_(torch.from_numpy((rng.rand(*memory.shape) * 0.3 - 0.15).astype("float32")))


def build():
    model, contrast, _, _ = train_CMC.set_model(args, COUNT)
    instances = MemoryInsDis(128, COUNT, 12, use_softmax=True)
    queue = MemoryMoCo(128, COUNT, 16)
    for seed, bank in enumerate([contrast, instances, queue]):
        fill(bank, seed)
    return (
        model,
        contrast,
        instances,
        queue,
        LinearClassifierResNet(layer=1, n_label=5, pool_type="max", width=1),
    )


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(4, 3, 224, 224).astype("float32"))


def features(seed):
    x = torch.from_numpy(np.random.RandomState(seed).randn(4, 128).astype("float32"))
    return x / x.norm(dim=1, keepdim=True)


def init():
    torch.manual_seed(1)
    fresh = LinearClassifierResNet(layer=1, n_label=50)
    return {"linear": fresh.classifier[-1].weight}


def forward(model, contrast, instances, queue, linear):
    model.eval()
    x = images(0)
    wide = torch.from_numpy(np.random.RandomState(9).randn(2, 128, 12, 12).astype("float32"))
    target = torch.tensor([1, 0, 3, 2])
    alias = AliasMethod(torch.tensor([0.1, 0.2, 0.3, 0.4]))
    return {
        "features": lambda: model(x),
        "early": lambda: model(x, 3)[0],
        "instances": lambda: instances(features(1), target + 5),
        "queue": lambda: queue(features(2), features(3)),
        "softmax": lambda: NCESoftmaxLoss()(queue(features(4), features(5))),
        "linear": lambda: linear(wide),
        "accuracy": lambda: accuracy(features(6), target, topk=(1, 5)),
        "alias": lambda: torch.cat([alias.prob, alias.alias.float()]),
    }


def train(model, contrast, instances, queue, linear):
    _, _, criterion_ab, criterion_l = train_CMC.set_model(args, COUNT)
    optimizer = train_CMC.set_optimizer(args, model)
    figures = []
    for epoch in range(2):
        adjust_learning_rate(epoch, args, optimizer)
        loader = [(images(10 * epoch + step), None, torch.arange(4) + 4 * step) for step in range(2)]
        figures += train_CMC.train(epoch, loader, model, contrast, criterion_l, criterion_ab, optimizer, args)
    return {
        "figures": figures,
        "rate": optimizer.param_groups[0]["lr"],
        "memory": contrast.memory_l,
        "params": contrast.params,
        "weight": next(model.parameters()),
    }
