import hashlib
import os
import pickle
import runpy
import shutil
import sys

import numpy as np
import torch
import torchvision

import config
import networks
from networks import VGG, LeNet, ResNet, Wide_ResNet
from networks.wide_resnet import conv_init


def build():
    return Wide_ResNet(10, 2, 0.0, 10), LeNet(10), VGG(11, 10), ResNet(18, 10), ResNet(50, 10)


def init():
    torch.manual_seed(1)
    net = Wide_ResNet(10, 2, 0.3, 10)
    net.apply(conv_init)
    return {
        "first": net.conv1.weight,
        "block": net.layer2[0].conv2.weight,
        "shortcut": net.layer3[0].shortcut[0].weight,
        "linear": net.linear.weight,
        "plain": Wide_ResNet(10, 1, 0.3, 10).layer1[0].conv1.bias,
    }


def images(seed, rows=2):
    return torch.from_numpy(np.random.RandomState(seed).randn(rows, 3, 32, 32).astype("float32"))


def forward(wide, lenet, vgg, resnet, deep):
    for net in (wide, lenet, vgg, resnet, deep):
        net.eval()
    return {
        "wide": lambda: wide(images(0)),
        "lenet": lambda: lenet(images(1)),
        "vgg": lambda: vgg(images(2)),
        "resnet": lambda: resnet(images(3)),
        "deep": lambda: deep(images(4)),
        "rates": lambda: [config.learning_rate(0.1, epoch) for epoch in (1, 61, 121, 161)],
    }


def cifar():
    """Files in the form of CIFAR-10, with a few made-up pictures in each."""
    folder = "data/cifar-10-batches-py"
    shutil.rmtree("data", ignore_errors=True)
    os.makedirs(folder)
    sums = {}
    for name in [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch", "batches.meta"]:
        draw = np.random.RandomState(sum(map(ord, name)))
        rows = {"data": draw.randint(0, 256, (4, 3072)).astype("uint8"), "labels": draw.randint(0, 10, 4).tolist()}
        with open(f"{folder}/{name}", "wb") as file:
            pickle.dump({"label_names": list(config.classes)} if name == "batches.meta" else rows, file)
        with open(f"{folder}/{name}", "rb") as file:
            sums[name] = hashlib.md5(file.read()).hexdigest()
    known = torchvision.datasets.CIFAR10
    known.train_list = [[name, sums[name]] for name, _ in known.train_list]
    known.test_list = [[name, sums[name]] for name, _ in known.test_list]
    known.meta = {**known.meta, "md5": sums["batches.meta"]}


def run(*options):
    """The script itself."""
    argv = sys.argv
    sys.argv = ["main.py", *options]
    try:
        return runpy.run_path("main.py", run_name="__main__")
    except SystemExit as end:
        return end.code
    finally:
        sys.argv = argv


def train(wide, lenet, vgg, resnet, deep):
    cifar()
    shutil.rmtree("checkpoint", ignore_errors=True)
    config.batch_size = 8
    made = networks.Wide_ResNet, networks.LeNet, networks.conv_init
    networks.Wide_ResNet, networks.LeNet = lambda *settings: wide, lambda classes: lenet
    networks.conv_init = lambda layer: None  # no randomness may decide
    try:
        first = run("--net_type", "wide-resnet", "--depth", "10", "--widen_factor", "2", "--lr", "0.01")
        second = run("--net_type", "lenet", "--lr", "0.02")
    finally:
        networks.Wide_ResNet, networks.LeNet, networks.conv_init = made
    os.makedirs("checkpoint/cifar10", exist_ok=True)
    torch.save({"net": lenet, "acc": torch.tensor(50.0), "epoch": 3}, "checkpoint/cifar10/lenet.t7")
    resumed = run("--net_type", "lenet", "--lr", "0.02", "--resume")
    tested = run("--net_type", "lenet", "--testOnly")
    return {
        "accuracies": [float(first["best_acc"]), float(second["best_acc"]), float(resumed["best_acc"])],
        "rows": [len(first["trainset"]), len(first["testset"]), first["num_epochs"]],
        "wide": wide.layer2[0].conv1.weight,
        "norm": wide.bn1.running_mean,
        "lenet": lenet.fc2.weight,
        "resumed": resumed["net"].conv2.weight,
        "tested": tested,
        "saved": len(os.listdir("checkpoint/cifar10")),
    }
