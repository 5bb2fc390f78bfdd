import importlib
import os
import sys

import numpy as np
import torch
import torch.nn as nn
from PIL import Image

from models.s4.s4 import S4Block
from models.s4.s4d import S4D
from src.models.nn import Activation, DropoutNd, TransposedLinear

for part, each in (("train", 4), ("test", 1)):
    for label in range(4):
        os.makedirs(f"data/cifar/{part}/class{label}", exist_ok=True)
        for number in range(each):
            picture = np.random.RandomState(10 * label + number).randint(0, 256, (32, 32, 3)).astype("uint8")
            Image.fromarray(picture).save(f"data/cifar/{part}/class{label}/{number}.png")

os.makedirs("checkpoint", exist_ok=True)
WIDTH, LENGTH = 6, 20
OPTIONS = ["--n_layers", "2", "--d_model", "8", "--dropout", "0.0", "--batch_size", "4", "--num_workers", "0"]


def script(*options):
    """The script trains while it is imported."""
    sys.argv = ["example.py", *OPTIONS, *options]
    sys.modules.pop("example", None)
    return importlib.import_module("example")


def build():
    return (
        script().model,
        S4D(WIDTH, d_state=8, transposed=False, lr=0.001),
        S4Block(WIDTH, mode="diag", d_state=8, init="diag-lin", transposed=False, l_max=LENGTH),
        S4Block(WIDTH, mode="dplr", d_state=8, bidirectional=True, l_max=LENGTH, final_act="glu"),
        S4Block(WIDTH, mode="s4d", d_state=8, disc="bilinear", real_transform="softplus", channels=2),
        nn.Sequential(TransposedLinear(WIDTH, WIDTH), Activation("silu"), DropoutNd(0.2)),
    )


def signal(*shape, seed=0):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def stepped(block):
    """The block as a recurrent model."""
    block.setup_step()
    state = block.default_state(2)
    outputs = []
    for step in range(5):
        output, state = block.step(signal(2, WIDTH, seed=step), state)
        outputs.append(output)
    return torch.stack(outputs, dim=1)


def forward(model, plain, diagonal, dplr, bilinear, layers):
    for net in (model, plain, diagonal, dplr, bilinear, layers):
        net.eval()
    return {
        "classifier": lambda: model(signal(2, 64, 3)),
        "kernel": lambda: plain.kernel(L=LENGTH),
        "plain": lambda: plain(signal(2, LENGTH, WIDTH))[0],
        "diagonal": lambda: diagonal(signal(2, LENGTH, WIDTH))[0],
        "dplr": lambda: dplr(signal(2, WIDTH, LENGTH))[0],
        "bilinear": lambda: bilinear(signal(2, WIDTH, LENGTH))[0],
        "layers": lambda: layers(signal(2, WIDTH, 4)),
        "stepped": lambda: stepped(diagonal),
    }


def fit(net, inputs, targets, steps=4):
    """The blocks with the learning rates that they ask for, as the script's optimizer has them."""
    own = [p for p in net.parameters() if hasattr(p, "_optim")]
    optimizer = torch.optim.AdamW([p for p in net.parameters() if not hasattr(p, "_optim")], lr=0.01)
    for settings in {frozenset(p._optim.items()) for p in own}:
        optimizer.add_param_group({"params": [p for p in own if frozenset(p._optim.items()) == settings], **dict(settings)})
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(inputs)[0], targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def train(model, plain, diagonal, dplr, bilinear, layers):
    torch.save({"model": model.state_dict(), "acc": 0.0, "epoch": 0}, "checkpoint/ckpt.pth")
    run = script("--resume")
    state = run.model.state_dict()
    results = {
        "decoder": state["decoder.weight"],
        "C": state["s4_layers.0.kernel.C"],
        "log_dt": state["s4_layers.1.kernel.log_dt"],
        "imaginary": state["s4_layers.1.kernel.A_imag"],
        "rates": [group["lr"] for group in run.optimizer.param_groups],
        "groups": [len(group["params"]) for group in run.optimizer.param_groups],
    }
    for name, net in (("diagonal", diagonal), ("bilinear", bilinear), ("dplr", dplr)):
        net.train()
        shape = (2, LENGTH, WIDTH) if name == "diagonal" else (2, WIDTH, LENGTH)
        results[name + "_losses"] = fit(net, signal(*shape, seed=1), signal(*shape, seed=2))
        results[name + "_D"] = net.layer.D
        results[name + "_C"] = net.layer.kernel.C
    return results
