import sys
import tempfile

import numpy as np
import torch
import torch.nn as nn
import torchnet as tnt
import torchnet.engine


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

import test as program_test
import train as program
from diracconv import DiracConv1d, DiracConv2d, DiracConv3d
from diracnet import DiracNet, data_parallel, define_diracnet

DEPTH, WIDTH = 10, 0.5


class Net(nn.Module):
    """The parameters of the functional network, where the bench finds them."""

    def __init__(self):
        super().__init__()
        self.f, params = define_diracnet(DEPTH, WIDTH, "CIFAR10")
        self.keys = list(params)
        for key, value in params.items():
            if value.requires_grad:
                self.register_parameter(key.replace(".", "_"), nn.Parameter(value.detach()))
            else:
                self.register_buffer(key.replace(".", "_"), value)

    def params(self):
        return {key: getattr(self, key.replace(".", "_")) for key in self.keys}

    def forward(self, x, mode):
        return data_parallel(self.f, x, self.params(), mode, range(1))


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = DiracConv1d(4, 4, 3, padding=1, bias=False)
        self.two = DiracConv2d(8, 4, 3, padding=1)
        self.three = DiracConv3d(4, 6, 3, padding=2, dilation=2)

    def forward(self, one, two, three):
        return self.one(one), self.two(two), self.three(three)


def small_diracnet():
    DiracNet.widths = (8, 8, 16, 512)
    DiracNet.block_depths = {18: [1, 1, 1, 1]}
    return DiracNet(18)


def build():
    return Net(), Layers(), small_diracnet()


def init():
    torch.manual_seed(1)
    _, params = define_diracnet(16, 2, "CIFAR10")
    layer = DiracConv2d(32, 48, 3)
    return {
        "conv": params["conv"],
        "block": params["group2.block0.conv"],
        "fc": params["fc.weight"],
        "bn": params["bn.weight"],
        "layer": layer.weight,
        "alpha": layer.alpha,
        "beta": layer.beta,
        "delta": layer.delta,
    }


def images(seed, count):
    rng = np.random.RandomState(seed)
    return [(torch.from_numpy(rng.randn(3, 32, 32).astype("float32")), int(rng.randint(10))) for _ in range(count)]


def tensors(seed):
    rng = np.random.RandomState(seed)
    return [
        torch.from_numpy(rng.randn(*shape).astype("float32")) for shape in ((2, 4, 7), (2, 8, 6, 5), (1, 4, 4, 5, 6))
    ]


def unit_tests():
    """Those that fit the repository's own define_diracnet."""
    case = program_test.TestDirac()
    for name in ("test_dirac_property1d", "test_dirac_property2d", "test_dirac_property3d", "test_nonsquare"):
        getattr(case, name)()
    return np.array([4])


def forward(net, layers, plain):
    x = torch.stack([image for image, _ in images(0, 3)])
    with torch.no_grad():
        return {
            "eval": net(x, False),
            "train": net(x, True),
            "mean": net.params()["bn.running_mean"].clone(),
            "layers": lambda: layers(*tensors(1)),
            "plain": lambda: plain(torch.from_numpy(np.random.RandomState(2).randn(1, 3, 224, 224).astype("float32"))),
            "names": lambda: np.array([sum(map(ord, name)) for name in plain.state_dict()]),
            "unit_tests": unit_tests,
        }


def train(net, layers, plain):
    losses = []
    made = {}

    def with_weights_of_net(depth, width, dataset):
        f, params = define_diracnet(depth, width, dataset)
        for k, v in params.items():
            v.data.copy_(net.params()[k])
        made["params"] = params
        return f, params

    class Losses(AverageValueMeter):
        def add(self, value, n=1):
            losses.append(value)
            super().add(value, n)

    arguments = sys.argv
    program.define_diracnet = with_weights_of_net
    program.tnt.meter.AverageValueMeter = Losses
    # One batch holds all of the images: how they are shuffled does not matter.
    program.create_dataset = lambda opt, train: images(5 if train else 6, 6)
    with tempfile.TemporaryDirectory() as folder:
        sys.argv = ["train.py", *(
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

    optimizer = torch.optim.SGD(layers.parameters(), lr=0.1, momentum=0.9)
    for step in range(3):
        loss = sum((y**2).mean() for y in layers(*tensors(10 + step)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return {
        "losses": losses,
        "conv": first["conv"],
        "alpha": first["group1.block0.alpha"],
        "beta": first["group2.block1.beta"],
        "var": first["group0.block0.bn.running_var"],
        "resumed": made["params"]["fc.weight"],
        "saved": saved["params"]["bn.bias"],
        "momentum": saved["optimizer"]["state"][0]["momentum_buffer"],
        "layer": layers.two.weight,
        "layer_alpha": layers.three.alpha,
    }
