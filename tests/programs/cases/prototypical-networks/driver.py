import os
from functools import partial

import numpy as np
import torch
import torch.optim as optim
import torch.optim.lr_scheduler as lr_scheduler

from protonets.engine import Engine
from protonets.utils import filter_opt
from protonets.utils import log as log_utils
from protonets.utils import model as model_utils

OPTIONS = {"model.model_name": "protonet_conv", "model.x_dim": [1, 28, 28], "model.hid_dim": 8, "model.z_dim": 8}
WAY, SHOT, QUERY = 4, 2, 3


class Meter:
    """The mean of a field, as torchnet's AverageValueMeter gives it."""

    def __init__(self):
        self.values = []

    def reset(self):
        self.values = []

    def add(self, value):
        self.values.append(value)

    def value(self):
        return np.mean(self.values), np.std(self.values)


def build():
    return model_utils.load(dict(OPTIONS))


def init():
    torch.manual_seed(1)
    net = build()
    return {"conv": net.encoder[1][0].weight}


def episodes(seed, count):
    rng = np.random.RandomState(seed)
    for number in range(count):
        shapes = rng.rand(WAY, 1, 1, 28, 28)
        pictures = shapes + 0.3 * rng.randn(WAY, SHOT + QUERY, 1, 28, 28)
        pictures = torch.from_numpy(pictures.astype("float32"))
        yield {"class": list("abcd"), "xs": pictures[:, :SHOT].contiguous(), "xq": pictures[:, SHOT:].contiguous()}


def forward(model):
    model.eval()
    sample = next(episodes(0, 1))
    loss, output = model.loss(sample)
    return {
        "embedding": model.encoder.forward(sample["xq"].reshape(-1, 1, 28, 28)),
        "loss": loss,
        "output": [output["loss"], output["acc"]],
    }


def train(model):
    engine = Engine()
    meters = {split: {field: Meter() for field in ("loss", "acc")} for split in ("train", "val")}
    val_loader = list(episodes(5, 2))
    losses = []

    def on_start(state):
        state["scheduler"] = lr_scheduler.StepLR(state["optimizer"], 1, gamma=0.5)

    def on_start_epoch(state):
        for split, split_meters in meters.items():
            for field, meter in split_meters.items():
                meter.reset()

    def on_update(state):
        for field, meter in meters["train"].items():
            meter.add(state["output"][field])

    def on_end_epoch(hook_state, state):
        state["scheduler"].step()
        model_utils.evaluate(state["model"], val_loader, meters["val"], desc="Epoch {:d} valid".format(state["epoch"]))
        values = log_utils.extract_meter_values(meters)
        log_utils.render_meter_values(values)
        losses.append([values["train"]["loss"], values["train"]["acc"], values["val"]["loss"], values["val"]["acc"]])
        if values["val"]["loss"] < hook_state.get("best_loss", np.inf):
            hook_state["best_loss"] = values["val"]["loss"]
            state["model"].cpu()
            torch.save(state["model"], os.path.join("best_model.pt"))

    engine.hooks["on_start"] = on_start
    engine.hooks["on_start_epoch"] = on_start_epoch
    engine.hooks["on_update"] = on_update
    engine.hooks["on_end_epoch"] = partial(on_end_epoch, {})
    engine.train(
        model=model,
        loader=list(episodes(1, 3)),
        optim_method=getattr(optim, "Adam"),
        optim_config={"lr": 0.001, "weight_decay": 0.0},
        max_epoch=2,
    )
    return {
        "losses": np.array(losses),
        "options": len(filter_opt(OPTIONS, "model")),
        "conv": model.encoder[0][0].weight,
        "variance": model.encoder[2][1].running_var,
    }
