import argparse
import os
import random
import runpy
import sys

import numpy as np
import torch
from PIL import Image

import model

SETTINGS = {"scale": 2, "num_features": 8, "num_rg": 2, "num_rcab": 2, "reduction": 4}


def build():
    return model.RCAN(argparse.Namespace(**SETTINGS))


def images(seed, rows, size):
    return torch.from_numpy(np.random.RandomState(seed).rand(rows, 3, size, size).astype("float32"))


def pictures(folder):
    os.makedirs(folder, exist_ok=True)
    for row in range(5):
        pixels = np.random.RandomState(row).randint(0, 256, (8, 8, 3)).astype("uint8")
        Image.fromarray(pixels).resize((24, 24), Image.BICUBIC).save(f"{folder}/{row}.png")


def run(script, net, *options):
    """The script itself, with our network."""
    argv, made = sys.argv, model.RCAN
    sys.argv = [script, *options]
    for name, value in SETTINGS.items():
        sys.argv += ["--" + name, str(value)]
    if net is not None:
        model.RCAN = lambda opt: net
    try:
        return runpy.run_path(script, run_name="__main__")
    finally:
        sys.argv, model.RCAN = argv, made


def forward(net):
    net.eval()
    return {
        "up": lambda: net(images(0, 2, 8)),
        "group": lambda: net.rgs[1](net.sf(images(1, 1, 6))),
        "attention": lambda: net.rgs[0].module[0].module[3](net.sf(images(2, 1, 6))),
    }


def train(net):
    pictures("pictures")
    random.seed(1)
    names = run(
        "main.py", net, "--images_dir", "pictures", "--outputs_dir", "out", "--patch_size", "12", "--batch_size", "2",
        "--num_epochs", "2", "--threads", "0", "--lr", "1e-3",
    )  # fmt: skip
    shown = run(
        "example.py", None, "--weights_path", "out/RCAN_epoch_1.pth", "--image_path", "pictures/3.png", "--outputs_dir", "out"
    )
    saved = torch.load("out/RCAN_epoch_1.pth")
    return {
        "loss": names["epoch_losses"].avg,
        "last": names["loss"],
        "weight": net.conv2.weight,
        "attention": net.rgs[1].module[1].module[3].module[1].weight,
        "saved": saved["upscale.0.bias"],
        "shown": np.array(Image.open("out/3_x2_RCAN.png")).astype("float32"),
        "size": list(shown["output"].size),
    }


def init():
    torch.manual_seed(0)
    net = build()
    return {"sf": net.sf.weight, "up": net.upscale[0].weight}
