import os
import pickle
import sys
import tempfile
import types
import unittest.mock

import numpy as np
import torch

import resnet
import trainer


class Projected(resnet.BasicBlock):
    """The other kind of shortcut."""

    def __init__(self, in_planes, planes, stride=1):
        super().__init__(in_planes, planes, stride, option="B")


def build():
    return resnet.resnet20(), resnet.ResNet(Projected, [1, 1, 1], 4)


def init():
    torch.manual_seed(1)
    net = resnet.resnet32()
    return {"conv": net.conv1.weight, "deep": net.layer3[4].conv2.weight, "linear": net.linear.weight, "bias": net.linear.bias}


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(net, other):
    net.eval()
    other.eval()
    return {
        "logits": lambda: net(array(1, 3, 3, 32, 32)),
        "small": lambda: net(array(2, 2, 3, 16, 16)),
        "projected": lambda: other(array(3, 2, 3, 32, 32)),
        "block": lambda: net.layer2[0](array(4, 2, 16, 8, 8)),
        "accuracy": lambda: trainer.accuracy(array(5, 6, 7), torch.tensor([1, 0, 3, 6, 2, 2]), topk=(1,)),
        "names": lambda: len(trainer.model_names),
        "counted": lambda: resnet.test(net) is None,
        "kept": lambda: len([name for name in net.state_dict() if "num_batches" not in name]),
    }


def written(rows=3):
    """The files of CIFAR-10."""
    os.makedirs("data/cifar-10-batches-py")
    names = [*(f"data_batch_{number}" for number in range(1, 6)), "test_batch", "batches.meta"]
    for seed, name in enumerate(names):
        draw = np.random.RandomState(seed)
        batch = {"data": draw.randint(0, 255, (rows, 3072)).astype("uint8"), "labels": list(draw.randint(0, 10, rows))}
        batch["label_names"] = ["plane", "car"]
        with open(f"data/cifar-10-batches-py/{name}", "wb") as file:
            pickle.dump(batch, file, protocol=2)


class Right(str):
    """Whatever the files hold is what was meant."""

    def __eq__(self, other):
        return True


def run(net, *words):
    trainer.resnet.resnet20 = lambda: net
    sys.argv = ["trainer.py", "--arch", "resnet20", "--workers", "0", "-b", "4", "--print-freq", "1", *words]
    md5 = types.SimpleNamespace(update=len, hexdigest=Right)
    with unittest.mock.patch("hashlib.md5", lambda *given, **named: md5):
        trainer.main()
    return trainer.best_prec1


def train(net, other):
    folder, words = os.getcwd(), sys.argv
    results = {}
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        try:
            written()
            results["best"] = run(net, "--epochs", "2", "--lr", "0.002", "--save-every", "1", "--save-dir", "kept")
            results["after"] = net.layer2[0].conv1.weight.detach().clone()
            kept = torch.load("kept/checkpoint.th", weights_only=False)
            results["checkpoint"] = [kept["epoch"], kept["best_prec1"]]
            results["saved"] = kept["state_dict"]["module.linear.weight"]
            results["listed"] = sorted(os.listdir("kept")) == ["checkpoint.th", "model.th"]
            fresh = resnet.ResNet(resnet.BasicBlock, [3, 3, 3])
            results["evaluated"] = run(fresh, "--resume", "kept/checkpoint.th", "-e")
            results["resumed"] = fresh.layer3[2].bn2.running_var
        finally:
            os.chdir(folder)
            sys.argv = words
    trainer.args = trainer.parser.parse_args(["--print-freq", "1"])
    optimizer = torch.optim.SGD(other.parameters(), 0.05, momentum=0.9, weight_decay=1e-4)
    criterion = torch.nn.CrossEntropyLoss()
    loader = [(array(30 + step, 4, 3, 32, 32), torch.tensor([step, 1, 2, 3])) for step in range(3)]
    trainer.train(loader, other, criterion, optimizer, 0)
    results["validated"] = trainer.validate(loader, other, criterion)
    return {
        **results,
        "conv": net.conv1.weight,
        "linear": net.linear.weight,
        "mean": net.layer1[0].bn1.running_mean,
        "projection": other.layer2[0].shortcut[0].weight,
        "losses": [float(criterion(other(images), labels)) for images, labels in loader],
    }
