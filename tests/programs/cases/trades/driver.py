import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

from models.small_cnn import SmallCNN
from models.wideresnet import WideResNet
from trades import trades_loss

rng = np.random.RandomState(0)


def pictures(size, channels, width):
    return torch.from_numpy(rng.rand(size, channels, width, width).astype("float32"))


def build():
    return WideResNet(depth=10, widen_factor=1), SmallCNN(drop=0.0)


def forward(wide, small):
    wide.eval()
    small.eval()
    return {"wide": lambda: wide(pictures(2, 3, 32)), "small": lambda: small(pictures(2, 1, 28))}


def evaluate(model, data, target):
    model.eval()
    with torch.no_grad():
        output = model(data)
        loss = F.cross_entropy(output, target, size_average=False).item()
        pred = output.max(1, keepdim=True)[1]
        correct = pred.eq(target.view_as(pred)).sum().item()
    return [loss, correct]


def attacked(model, X, y, epsilon=0.031, num_steps=2, step_size=0.003):
    X_pgd = X.clone().requires_grad_(True)
    for _ in range(num_steps):
        opt = optim.SGD([X_pgd], lr=1e-3)
        opt.zero_grad()
        with torch.enable_grad():
            loss = nn.CrossEntropyLoss()(model(X_pgd), y)
        loss.backward()
        eta = step_size * X_pgd.grad.data.sign()
        X_pgd = (X_pgd.data + eta).requires_grad_(True)
        eta = torch.clamp(X_pgd.data - X.data, -epsilon, epsilon)
        X_pgd = (X.data + eta).requires_grad_(True)
        X_pgd = torch.clamp(X_pgd, 0, 1.0).detach().requires_grad_(True)
    return (model(X_pgd).data.max(1)[1] != y.data).float().sum()


def trained(model, channels, width, distance):
    optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=2e-4)
    losses = []
    for epoch in range(1, 4):
        for param_group in optimizer.param_groups:
            param_group["lr"] = 0.01 / epoch
        model.train()
        data, target = pictures(4, channels, width), torch.from_numpy(rng.randint(0, 10, 4))
        optimizer.zero_grad()
        loss = trades_loss(
            model=model, x_natural=data, y=target, optimizer=optimizer, step_size=0.007, epsilon=0.031,
            perturb_steps=2, beta=6.0, distance=distance,
        )  # fmt: skip
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses + evaluate(model, data, target) + [attacked(model, data, target)] + list(model.parameters())[:3]


def train(wide, small):
    return {"wide": lambda: trained(wide, 3, 32, "l_inf"), "small": lambda: trained(small, 1, 28, "l_2")}
