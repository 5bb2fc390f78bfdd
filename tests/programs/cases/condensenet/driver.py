import os
import pickle
import sys
import tempfile
import types
import unittest.mock

import numpy as np
import torch

WORDS = ["main.py", "cifar10", "--stages", "2-2-1", "--growth", "8-8-16", "--bottleneck", "2", "-b", "5", "-j", "0",
         "--epochs", "2", "--lr", "0.005", "--group-lasso-lambda", "0.001", "--print-freq", "1", "--gpu", "0",
         "--savedir", "kept"]  # fmt: skip
BEFORE, sys.argv = sys.argv, WORDS

import main as program  # noqa: E402
import models  # noqa: E402
import utils  # noqa: E402
from layers import CondenseConv, CondenseLinear, CondensingConv, LearnedGroupConv, ShuffleLayer  # noqa: E402

sys.argv = BEFORE


def build():
    return models.condensenet(program.args), models.densenet_LGC(program.args), models.condensenet(program.args)


def init():
    torch.manual_seed(1)
    net = models.condensenet(program.args)
    return {
        "first": net.features.init_conv.weight,
        "learned": net.features.denseblock_2.denselayer_1.conv_1.conv.weight,
        "linear": net.classifier.weight,
        "bias": net.classifier.bias,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def learned():
    layer = LearnedGroupConv(8, 16, 1, groups=4, condense_factor=4)
    draw = np.random.RandomState(5)
    layer.conv.weight.data.copy_(torch.from_numpy(draw.randn(16, 8, 1, 1).astype("float32")))
    layer.eval()
    found = []
    for progress in (0.1, 0.2, 0.4):
        LearnedGroupConv.global_progress = progress
        found += [layer(array(6, 2, 8, 3, 3)), layer._mask.clone(), layer.lasso_loss]
        found += [layer.count, layer.stage, bool(layer._reach_stage(2))]
    condensed = CondensingConv(layer).eval()
    found += [condensed(array(6, 2, 8, 3, 3)), condensed.index]
    LearnedGroupConv.global_progress = 0.0
    return found


def forward(net, other, measured):
    net.eval()
    other.eval()
    LearnedGroupConv.global_progress = 0.0
    rates = types.SimpleNamespace(lr=0.1, epochs=10, progress=0.3, lr_type="cosine", data="cifar10")
    optimizer = torch.optim.SGD(net.parameters(), lr=1.0)

    def adjusted(kind):
        return [program.adjust_learning_rate(optimizer, epoch, rates, batch=1, nBatch=3, method=kind) for epoch in (0, 4)]

    with torch.no_grad():
        return {
            "logits": lambda: net(array(1, 2, 3, 32, 32)),
            "other": lambda: other(array(2, 2, 3, 32, 32)),
            "learned": learned,
            "shuffled": lambda: ShuffleLayer(array(3, 2, 6, 2, 2), 3),
            "condensed": lambda: [list(CondenseConv(8, 4, 1, groups=2)(array(4, 2, 8, 3, 3)).shape),
                                  list(CondenseLinear(8, 3).index.shape)],
            "measured": lambda: list(utils.measure_model(measured, 32, 32)),
            "cosine": lambda: adjusted("cosine"),
            "steps": lambda: adjusted("multistep"),
            "pruned": lambda: [utils.is_pruned(one) for one in net.features.denseblock_1.denselayer_1.children()],
        }


def written(rows=3):
    """The files of CIFAR-10."""
    os.makedirs("../data/cifar-10-batches-py")
    names = [*(f"data_batch_{number}" for number in range(1, 6)), "test_batch", "batches.meta"]
    for seed, name in enumerate(names):
        draw = np.random.RandomState(seed)
        batch = {"data": draw.randint(0, 255, (rows, 3072)).astype("uint8"), "labels": list(draw.randint(0, 10, rows))}
        batch["label_names"] = ["plane", "car"]
        with open(f"../data/cifar-10-batches-py/{name}", "wb") as file:
            pickle.dump(batch, file, protocol=2)


class Right(str):
    """Whatever the files hold is what was meant."""

    def __eq__(self, other):
        return True


def read(folder):
    name = next(one for one in os.listdir(folder) if one.endswith(".txt"))
    with open(f"{folder}/{name}") as file:
        return [[float(word) for word in line.split()] for line in file]


def run(net):
    left = [models.condensenet(program.args), net]
    with unittest.mock.patch.object(program.models, "condensenet", lambda args: left.pop(0)):
        md5 = types.SimpleNamespace(update=len, hexdigest=Right)
        with unittest.mock.patch("hashlib.md5", lambda *given, **named: md5):
            program.main()


def train(net, other, measured):
    folder, results = os.getcwd(), {}
    with tempfile.TemporaryDirectory() as here:
        os.makedirs(f"{here}/inside")
        os.chdir(f"{here}/inside")
        try:
            written(2)
            LearnedGroupConv.global_progress = 0.0
            head = net.classifier.weight
            run(net)
            results["losses"] = read("kept")
            kept = torch.load("kept/save_models/checkpoint_001.pth.tar", weights_only=False)
            results["learned"] = kept["state_dict"]["module.features.denseblock_1.denselayer_2.conv_1.conv.weight"]
            results["mask"] = kept["state_dict"]["module.features.denseblock_1.denselayer_2.conv_1._mask"]
            results["moment"] = kept["optimizer"]["state"][0]["momentum_buffer"]
            results["head"] = head
            net.eval()
            results["condensed"] = net(array(7, 2, 3, 32, 32))
            results["index"] = net.classifier.index
            layer = net.features.denseblock_1.denselayer_1.conv_1
            norm, linear = layer.norm, net.classifier.linear
            results["layer"] = [norm.weight, norm.bias, norm.running_mean, norm.running_var, layer.conv.weight, layer.index]
            results["linear"] = [linear.weight, linear.bias]
            results["features"] = net.features(array(7, 2, 3, 32, 32))
            program.args.resume, program.args.epochs = True, 3
            again = models.condensenet(program.args)
            run(again)
            results["resumed"] = read("kept")[-1]
        finally:
            os.chdir(folder)
    optimizer, criterion = torch.optim.SGD(other.parameters(), 0.005, momentum=0.9), torch.nn.CrossEntropyLoss()
    program.args.epochs = 2
    loader = [(array(30 + step, 4, 3, 32, 32), torch.tensor([step, 1, 2, 3])) for step in range(2)]
    results["others"] = list(program.train(loader, other, criterion, optimizer, 0))
    return {
        **results,
        "first": net.features.init_conv.weight,
        "mean": net.features.norm_last.running_mean,
        "other": other.classifier.weight,
    }
