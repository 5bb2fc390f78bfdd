import argparse
import contextlib
import io
import os
import random
import sys
import tempfile

import numpy as np
import torch
from PIL import Image

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Zero-DCE_code"))

import lowlight_test
import lowlight_train
import model
import Myloss

MODEL = model.enhance_net_nopool


def build():
    return model.enhance_net_nopool(), model.enhance_net_nopool()


def images(seed, size=64):
    return torch.from_numpy(np.random.RandomState(seed).rand(2, 3, size, size).astype("float32"))


def dark(folder, count):
    rng = np.random.RandomState(count)
    for number in range(count):
        picture = np.kron(rng.randint(0, 90, (8, 8, 3)), np.ones((10, 10, 1))).astype("uint8")
        Image.fromarray(picture).save(os.path.join(folder, f"{number}.jpg"), quality=95)
    return folder + "/"


def losses():
    one, other = images(1), images(2)
    return [
        Myloss.L_color()(one).reshape(-1),
        Myloss.L_spa()(one, other),
        Myloss.L_exp(16, 0.6)(one),
        Myloss.L_TV()(one),
        Myloss.Sa_Loss()(one),
    ]


def forward(net, other):
    net.eval()
    other.eval()

    def enhanced():
        """What the repository's test script does with a picture."""
        folder = tempfile.mkdtemp()
        os.makedirs(os.path.join(folder, "test_data"))
        os.makedirs(os.path.join(folder, "result"))
        dark(os.path.join(folder, "test_data"), 1)
        os.makedirs("snapshots", exist_ok=True)
        torch.save(net.state_dict(), "snapshots/Epoch99.pth")
        with contextlib.redirect_stdout(io.StringIO()):
            lowlight_test.lowlight(os.path.join(folder, "test_data", "0.jpg"))
        return np.asarray(Image.open(os.path.join(folder, "result", "0.jpg"))).astype("float32") / 64

    return {
        "net": lambda: list(net(images(3))),
        "other": lambda: list(other(images(4, 40))),
        "losses": losses,
        "enhanced": enhanced,
    }


def trained(net, **more):
    """The script's own training; it begins with the weights of a file."""
    folder = tempfile.mkdtemp()
    torch.save(net.state_dict(), os.path.join(folder, "start.pth"))
    settings = {
        "lowlight_images_path": dark(tempfile.mkdtemp(), 4), "lr": 0.001, "weight_decay": 0.0001, "grad_clip_norm": 0.1,
        "num_epochs": 2, "train_batch_size": 2, "val_batch_size": 2, "num_workers": 0, "display_iter": 1,
        "snapshot_iter": 2, "snapshots_folder": folder + "/", "load_pretrain": True,
        "pretrain_dir": os.path.join(folder, "start.pth"),
    }  # fmt: skip
    settings.update(more)
    model.enhance_net_nopool = lambda: net
    random.seed(3)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        lowlight_train.train(argparse.Namespace(**settings))
    model.enhance_net_nopool = MODEL
    shown = [float(line.split(":")[1]) for line in said.getvalue().splitlines() if line.startswith("Loss at")]
    saved = [torch.load(os.path.join(folder, f"Epoch{epoch}.pth"))["e_conv3.weight"] for epoch in range(2)]
    return [np.array(shown), *saved, net.e_conv7.weight, net.e_conv1.bias]


def train(net, other):
    return {
        "net": lambda: trained(net),
        "other": lambda: trained(other, grad_clip_norm=10.0, weight_decay=0.01),
    }


def init():
    net = model.enhance_net_nopool()
    fresh = net.e_conv5.weight.detach().clone()
    net.apply(lowlight_train.weights_init)
    return {"conv": fresh, "drawn": net.e_conv2.weight, "bias": net.e_conv6.bias}
