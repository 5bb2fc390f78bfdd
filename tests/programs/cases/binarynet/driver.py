import os
import struct
import sys

import numpy as np
import torch
from torch import nn


def made_up(folder):
    """Pictures as MNIST has them, in the files of it."""
    os.makedirs(f"{folder}/MNIST/raw", exist_ok=True)
    for part, rows, seed in (("train", 12, 0), ("t10k", 6, 1)):
        draw, begin = np.random.RandomState(seed), f"{folder}/MNIST/raw/{part}"
        with open(f"{begin}-images-idx3-ubyte", "wb") as file:
            file.write(struct.pack(">IIII", 2051, rows, 28, 28) + draw.randint(0, 256, rows * 784).astype("uint8").tobytes())
        with open(f"{begin}-labels-idx1-ubyte", "wb") as file:
            file.write(struct.pack(">II", 2049, rows) + draw.randint(0, 10, rows).astype("uint8").tobytes())


made_up("../data")
argv = sys.argv
sys.argv = ["main_mnist.py", "--no-cuda", "--epochs", "0", "--batch-size", "4", "--test-batch-size", "3", "--log-interval", "1"]
import main_mnist as program  # noqa: E402
from models.binarized_modules import BinarizeConv2d, BinarizeLinear, HingeLoss, binarized, quantize  # noqa: E402

sys.argv = argv


def pictures_net():
    """The layers of models/vgg_cifar10_binary.py in small."""
    return nn.Sequential(
        BinarizeConv2d(3, 4, kernel_size=3, stride=1, padding=1, bias=True), nn.BatchNorm2d(4), nn.Hardtanh(inplace=True),
        BinarizeConv2d(4, 6, kernel_size=3, padding=1, bias=True), nn.MaxPool2d(kernel_size=2, stride=2), nn.BatchNorm2d(6),
        nn.Hardtanh(inplace=True), nn.Flatten(), BinarizeLinear(6 * 4 * 4, 8, bias=True), nn.BatchNorm1d(8),
        nn.Hardtanh(inplace=True), BinarizeLinear(8, 5, bias=True), nn.BatchNorm1d(5, affine=False),
    )  # fmt: skip


def build():
    return program.Net(), pictures_net()


def init():
    torch.manual_seed(1)
    return {"conv": BinarizeConv2d(8, 16, kernel_size=3).weight, "linear": BinarizeLinear(30, 40).weight}


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def straight_through():
    """Signs, through which gradients go as they are."""
    x = array(3, 3, 4).requires_grad_()
    (binarized(x) * array(4, 3, 4)).sum().backward()
    return [binarized(x), x.grad]


def forward(net, pictures):
    net.eval()
    pictures.eval()
    return {
        "net": lambda: net(array(0, 3, 1, 28, 28)),
        "pictures": lambda: pictures(array(1, 2, 3, 8, 8)),
        "signs": lambda: binarized(array(2, 3, 4)),
        "levels": lambda: quantize(array(2, 3, 4), "det", 4),
        "straight": straight_through,
        "hinge": lambda: HingeLoss()(array(5, 3, 4), torch.sign(array(6, 3, 4))),
    }


def train(net, pictures):
    program.model = net
    program.optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for epoch in (39, 40):
        program.train(epoch)
        program.test()
    optimizer, losses = torch.optim.Adam(pictures.parameters(), lr=5e-3), []
    for step in range(3):
        pictures.train()
        output = pictures(array(10 + step, 4, 3, 8, 8))
        target = 2 * nn.functional.one_hot(torch.tensor([0, 1, 4, step]), 5).float() - 1
        loss = HingeLoss()(output, target)
        optimizer.zero_grad()
        loss.backward()
        for p in list(pictures.parameters()):
            if hasattr(p, "org"):
                p.data.copy_(p.org)
        optimizer.step()
        for p in list(pictures.parameters()):
            if hasattr(p, "org"):
                p.org.copy_(p.data.clamp_(-1, 1))
        losses.append(loss.item())
    return {
        "losses": losses,
        "rate": program.optimizer.param_groups[0]["lr"],
        "first": net.fc1.weight[:2],
        "bias": net.fc2.bias,
        "last": net.fc4.weight,
        "conv": pictures[0].weight,
        "linear": pictures[8].bias,
        "norm": pictures[1].running_mean,
    }
