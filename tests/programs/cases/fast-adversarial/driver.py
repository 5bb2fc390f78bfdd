import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "CIFAR10"), os.path.join(HERE, "MNIST")]

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from mnist_net import mnist_net
from preact_resnet import PreActResNet18
from utils import attack_pgd, clamp, evaluate_pgd, evaluate_standard, lower_limit, std, upper_limit


def batch(seed, shape=(3, 32, 32), size=4):
    rng = np.random.RandomState(seed)
    return torch.from_numpy(rng.rand(size, *shape).astype("float32")), torch.from_numpy(rng.randint(0, 10, size))


def build():
    return PreActResNet18(), mnist_net()


def forward(cifar, mnist):
    cifar.eval()
    mnist.eval()
    return {"cifar": lambda: cifar(batch(8)[0]), "mnist": lambda: mnist(batch(8, (1, 28, 28))[0])}


def fast(model):
    epsilon, alpha, pgd_alpha = (8 / 255.0) / std, (10 / 255.0) / std, (2 / 255.0) / std
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=5e-4)
    criterion = nn.CrossEntropyLoss()
    scheduler = torch.optim.lr_scheduler.CyclicLR(
        opt, base_lr=0.0, max_lr=0.02, step_size_up=3 / 2, step_size_down=3 / 2
    )
    model.train()
    delta = torch.zeros(4, 3, 32, 32)
    losses = []
    for i in range(3):
        X, y = batch(i)
        if i == 0:
            first_batch = (X, y)
        if i == 2:
            delta = torch.zeros_like(X)
            for j in range(len(epsilon)):
                delta[:, j, :, :].fill_(-epsilon[j][0][0].item() / 2)
            delta.data = clamp(delta, lower_limit - X, upper_limit - X)
        delta.requires_grad = True
        output = model(X + delta[: X.size(0)])
        loss = F.cross_entropy(output, y)
        loss.backward()
        grad = delta.grad.detach()
        delta.data = clamp(delta + alpha * torch.sign(grad), -epsilon, epsilon)
        delta.data[: X.size(0)] = clamp(delta[: X.size(0)], lower_limit - X, upper_limit - X)
        delta = delta.detach()
        output = model(X + delta[: X.size(0)])
        loss = criterion(output, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses += [loss.item(), scheduler.get_lr()[0]]
        scheduler.step()
    X, y = first_batch
    pgd_delta = attack_pgd(model, X, y, epsilon, pgd_alpha, 2, 1)
    with torch.no_grad():
        output = model(clamp(X + pgd_delta[: X.size(0)], lower_limit, upper_limit))
    loader = [batch(11), batch(12)]
    scores = [*evaluate_pgd(loader, model, 2, 1), *evaluate_standard(loader, model)]
    return losses + [output] + scores + list(model.parameters())[:6]


def free(model, epsilon=0.3, alpha=0.1):
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    lr_schedule = lambda t: np.interp([t], [0, 2, 5], [0, 5e-3, 0])[0]
    criterion = nn.CrossEntropyLoss()
    kept = []
    for i in range(3):
        X, y = batch(20 + i, (1, 28, 28))
        opt.param_groups[0].update(lr=lr_schedule(i + 1))
        delta = torch.zeros_like(X)
        delta.data = torch.max(torch.min(1 - X, delta.data), 0 - X)
        for _ in range(2):
            delta.requires_grad = True
            output = model(X + delta)
            loss = criterion(output, y)
            opt.zero_grad()
            loss.backward()
            grad = delta.grad.detach()
            I = output.max(1)[1] == output.max(1)[1][0]
            delta.data[I] = torch.clamp(delta + alpha * torch.sign(grad), -epsilon, epsilon)[I]
            delta.data[I] = torch.max(torch.min(1 - X, delta.data), 0 - X)[I]
        delta = delta.detach()
        output = model(torch.clamp(X + delta, 0, 1))
        loss = criterion(output, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        kept += [loss.item(), delta]
    return kept + list(model.parameters())


def train(cifar, mnist):
    return {"fast": lambda: fast(cifar), "pgd": lambda: free(mnist)}
