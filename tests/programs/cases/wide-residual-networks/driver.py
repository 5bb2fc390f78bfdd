import os
import sys
import tempfile

import numpy as np
import torch
import torch.nn as nn
import torchnet as tnt
import torchnet.engine

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "pytorch"))


class Engine:
    """Stands for torchnet's."""

    def __init__(self):
        self.hooks = {}

    def hook(self, name, state):
        if name in self.hooks:
            self.hooks[name](state)

    def train(self, network, iterator, maxepoch, optimizer):
        state = {
            "network": network, "iterator": iterator, "maxepoch": maxepoch, "optimizer": optimizer,
            "epoch": 0, "t": 0, "train": True,
        }  # fmt: skip
        self.hook("on_start", state)
        while state["epoch"] < state["maxepoch"]:
            self.hook("on_start_epoch", state)
            for sample in state["iterator"]:
                state["sample"] = sample
                self.hook("on_sample", state)

                def closure():
                    loss, output = state["network"](state["sample"])
                    state["output"] = output
                    state["loss"] = loss
                    loss.backward()
                    self.hook("on_forward", state)
                    state["output"] = None
                    state["loss"] = None
                    return loss

                state["optimizer"].zero_grad()
                state["optimizer"].step(closure)
                self.hook("on_update", state)
                state["t"] += 1
            state["epoch"] += 1
            self.hook("on_end_epoch", state)
        self.hook("on_end", state)
        return state

    def test(self, network, iterator):
        state = {"network": network, "iterator": iterator, "t": 0, "train": False}
        self.hook("on_start", state)
        for sample in state["iterator"]:
            state["sample"] = sample
            self.hook("on_sample", state)

            def closure():
                loss, output = state["network"](state["sample"])
                state["output"] = output
                state["loss"] = loss
                self.hook("on_forward", state)
                state["output"] = None
                state["loss"] = None

            closure()
            state["t"] += 1
        return state


class AverageValueMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum, self.n = 0.0, 0

    def add(self, value, n=1):
        self.sum += value
        self.n += n

    def value(self):
        return self.sum / max(self.n, 1), 0.0


class ClassErrorMeter:
    def __init__(self, accuracy=False):
        self.reset()

    def reset(self):
        self.right, self.n = 0, 0

    def add(self, output, target):
        output, target = output.cpu().numpy(), target.cpu().numpy()
        self.right += (output.argmax(1) == target).sum()
        self.n += len(target)

    def value(self):
        return [100.0 * self.right / max(self.n, 1)]


class TimeMeter:
    def __init__(self, unit):
        pass

    def reset(self):
        pass

    def value(self):
        return 0.0


torchnet.engine.Engine = Engine
tnt.meter = type("meter", (), dict(
    AverageValueMeter=AverageValueMeter, ClassErrorMeter=ClassErrorMeter, TimeMeter=TimeMeter,
))  # fmt: skip

import main as program
import utils
from resnet import resnet

DEPTH, WIDTH = 10, 0.5


class Net(nn.Module):
    """The parameters of the functional network, where the bench finds them."""

    def __init__(self):
        super().__init__()
        self.f, params = resnet(DEPTH, WIDTH, 10)
        self.keys = list(params)
        for key, value in params.items():
            if value.requires_grad:
                self.register_parameter(key.replace(".", "_"), nn.Parameter(value.detach()))
            else:
                self.register_buffer(key.replace(".", "_"), value)

    def params(self):
        return {key: getattr(self, key.replace(".", "_")) for key in self.keys}

    def forward(self, x, mode):
        return utils.data_parallel(self.f, x, self.params(), mode, [0])


def build():
    return Net()


def init():
    torch.manual_seed(1)
    _, params = resnet(16, 2, 10)
    return {
        "conv0": params["conv0"],
        "conv": params["group2.block0.conv1"],
        "fc": params["fc.weight"],
        "bn": params["bn.weight"],
    }


def images(seed, count):
    rng = np.random.RandomState(seed)
    return [(torch.from_numpy(rng.randn(3, 32, 32).astype("float32")), int(rng.randint(10))) for _ in range(count)]


def forward(net):
    x = torch.stack([image for image, _ in images(0, 3)])
    with torch.no_grad():
        return {"eval": net(x, False), "train": net(x, True), "mean": net.params()["bn.running_mean"].clone()}


def train(net):
    losses = []
    made = {}

    def with_weights_of_net(depth, width, num_classes):
        f, params = resnet(depth, width, num_classes)
        for k, v in params.items():
            v.data.copy_(net.params()[k])
        made["params"] = params
        return f, params

    class Losses(AverageValueMeter):
        def add(self, value, n=1):
            losses.append(value)
            super().add(value, n)

    arguments = sys.argv
    program.resnet = with_weights_of_net
    program.tnt.meter.AverageValueMeter = Losses
    # One batch holds all of the images: how they are shuffled does not matter.
    program.create_dataset = lambda opt, train: images(5 if train else 6, 6)
    with tempfile.TemporaryDirectory() as folder:
        sys.argv = ["main.py", *(
            f"--save {folder}/saved --depth {DEPTH} --width {WIDTH} --batch_size 6 --epochs 3 --epoch_step [2]"
            " --nthread 0 --lr 0.05"
        ).split()]  # fmt: skip
        try:
            program.main()
            first = {k: v.detach().clone() for k, v in made["params"].items()}
            sys.argv += ["--resume", f"{folder}/saved/model.pt7"]
            sys.argv[sys.argv.index("--epochs") + 1] = "1"
            program.main()
            saved = torch.load(f"{folder}/saved/model.pt7")
        finally:
            sys.argv = arguments
    return {
        "losses": losses,
        "conv0": first["conv0"],
        "conv": first["group1.block0.convdim"],
        "var": first["group0.block0.bn1.running_var"],
        "resumed": made["params"]["fc.weight"],
        "saved": saved["params"]["bn.bias"],
        "momentum": saved["optimizer"]["state"][0]["momentum_buffer"],
    }
