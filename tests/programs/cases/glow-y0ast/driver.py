import os
import tempfile

import ignite.contrib.handlers
import ignite.engine
import ignite.handlers
import ignite.metrics
import numpy as np
import torch


class Events:
    STARTED, EPOCH_STARTED, EPOCH_COMPLETED = "started", "epoch started", "epoch completed"
    ITERATION_STARTED, ITERATION_COMPLETED = "iteration started", "iteration completed"


class State:
    epoch = 0
    iteration = 0
    output = None

    def __init__(self, dataloader):
        self.dataloader = dataloader
        self.metrics = {}


class Engine:
    """Stands for ignite's."""

    def __init__(self, process):
        self.process = process
        self.handlers = []
        self.state = None

    def add_event_handler(self, event, handler, *args):
        self.handlers.append((event, handler, args))

    def on(self, event):
        def keep(handler):
            self.handlers.append((event, handler, ()))
            return handler

        return keep

    def fire(self, event):
        for known, handler, args in self.handlers:
            if known == event:
                handler(self, *args)

    def run(self, loader, max_epochs=1):
        self.state = State(loader)
        self.fire(Events.STARTED)
        while self.state.epoch < max_epochs:
            self.state.epoch += 1
            self.fire(Events.EPOCH_STARTED)
            for batch in loader:
                self.state.iteration += 1
                self.fire(Events.ITERATION_STARTED)
                self.state.output = self.process(self, batch)
                self.fire(Events.ITERATION_COMPLETED)
            self.fire(Events.EPOCH_COMPLETED)
        return self.state


class ModelCheckpoint:
    def __init__(self, folder, name, n_saved, require_empty):
        self.folder, self.name = folder, name

    def __call__(self, engine, to_save):
        for key, value in to_save.items():
            torch.save(value.state_dict(), os.path.join(self.folder, f"{self.name}_{key}_{engine.state.epoch}.pt"))


class RunningAverage:
    values = []

    def __init__(self, output_transform):
        self.output_transform = output_transform

    def attach(self, engine, name):
        engine.add_event_handler(Events.ITERATION_COMPLETED, self.update)

    def update(self, engine):
        self.values.append(self.output_transform(engine.state.output).item())


class Loss:
    values = []

    def __init__(self, function, output_transform):
        self.function, self.output_transform = function, output_transform

    def attach(self, engine, name):
        self.name = name
        engine.add_event_handler(Events.ITERATION_COMPLETED, self.update)

    def update(self, engine):
        engine.state.metrics[self.name] = self.function(*self.output_transform(engine.state.output)).item()
        self.values.append(engine.state.metrics[self.name])


class Timer:
    def __init__(self, average):
        pass

    def attach(self, *engines, **events):
        pass

    def value(self):
        return 0.0

    def reset(self):
        pass


ignite.engine.Engine, ignite.engine.Events = Engine, Events
ignite.handlers.ModelCheckpoint, ignite.handlers.Timer = ModelCheckpoint, Timer
ignite.metrics.RunningAverage, ignite.metrics.Loss = RunningAverage, Loss

import train as program
from datasets import one_hot_encode, postprocess, preprocess
from model import Glow

SHAPE = (8, 8, 3)
KINDS = dict(
    actnorm_scale=1.0, flow_coupling="affine", LU_decomposed=True, y_classes=10, learn_top=True, y_condition=True
)


def glow(**changes):
    return Glow(image_shape=SHAPE, hidden_channels=8, K=2, L=2, **{**KINDS, "flow_permutation": "invconv", **changes})


def build():
    nets = (
        glow(),
        glow(LU_decomposed=False, flow_coupling="additive", y_condition=False),
        glow(flow_permutation="reverse", y_condition=False, learn_top=False),
    )
    for net in nets:
        net.set_actnorm_init()
    return nets


def init():
    torch.manual_seed(1)
    net = glow()
    step = net.flow.layers[1]
    whole = glow(LU_decomposed=False).flow.layers[1].invconv.weight
    return {
        "conv": step.block[0].conv.weight,
        "orthogonal": whole @ whole.t() + 0.0,
        "zeros": net.learn_top_fn.conv.weight,
    }


def images(seed, count):
    rng = np.random.RandomState(seed)
    x = preprocess(torch.from_numpy(rng.uniform(0, 1, (count, 3, 8, 8)).astype("float32")))
    return [(image, one_hot_encode(int(rng.randint(10)))) for image in x]


def batch(seed, count):
    pairs = images(seed, count)
    return torch.stack([x for x, _ in pairs]), torch.stack([y for _, y in pairs]).float()


def forward(net, additive, reverse):
    outputs = {}
    for name, model in (("net", net), ("additive", additive), ("reverse", reverse)):
        model.eval()
        with torch.no_grad():
            x, y = batch(0, 3)
            z, bpd, logits = model(x, y if model.y_condition else None)
            outputs[f"{name}_z"], outputs[f"{name}_bpd"] = z, bpd
            if logits is not None:
                outputs["logits"] = logits
            outputs[f"{name}_back"] = lambda model=model, z=z: model.flow(z, temperature=0.0, reverse=True)
    outputs["pixels"] = lambda: postprocess(torch.from_numpy(np.linspace(-0.7, 0.7, 9).astype("float32"))).float()
    return outputs


def run(model, folder, **changes):
    program.Glow = lambda *kinds: model
    options = dict(
        dataset="cifar10", dataroot=folder, download=False, augment=False, batch_size=6, eval_batch_size=4, epochs=3,
        saved_model="", seed=1, hidden_channels=8, K=2, L=2, actnorm_scale=1.0, flow_permutation="invconv",
        flow_coupling="affine", LU_decomposed=True, learn_top=True, y_condition=True, y_weight=0.01, max_grad_clip=5,
        max_grad_norm=100, lr=5e-3, n_workers=0, cuda=False, n_init_batches=1, output_dir=folder, saved_optimizer="",
        warmup=2,
    )  # fmt: skip
    program.main(**{**options, **changes})


def train(net, additive, reverse):
    # One batch holds all of the images: how they are shuffled does not matter.
    program.check_dataset = lambda *settings: (SHAPE, 10, floats(10, 6), floats(11, 4))
    for model in (additive,):
        for layer in model.modules():
            if hasattr(layer, "inited"):
                layer.inited = False
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        run(net, folder)
        results["saved"] = torch.load(os.path.join(folder, "glow_model_3.pt"))["flow.layers.1.invconv.log_s"]
        again = glow()
        run(
            again,
            folder,
            epochs=4,
            saved_model=os.path.join(folder, "glow_model_3.pt"),
            saved_optimizer=os.path.join(folder, "glow_optimizer_3.pt"),
        )
        run(additive, folder, y_condition=False, max_grad_clip=0)
    results.update({
        "losses": RunningAverage.values,
        "checks": Loss.values,
        "lower": net.flow.layers[1].invconv.lower,
        "actnorm": net.flow.layers[2].actnorm.logs,
        "class": net.project_class.linear.weight,
        "again": again.flow.layers[5].block[0].conv.weight,
        "additive": additive.flow.layers[1].invconv.weight,
        "found": additive.flow.layers[1].actnorm.bias,
    })  # fmt: skip
    return results


def floats(seed, count):
    return [(x, y.float()) for x, y in images(seed, count)]
