import os
import runpy
import shutil
import sys

import h5py
import numpy as np
import torch
from PIL import Image

import models
from utils import calc_psnr, convert_rgb_to_ycbcr, convert_ycbcr_to_rgb, preprocess

FSRCNN = models.FSRCNN


def build():
    return FSRCNN(scale_factor=2), FSRCNN(scale_factor=3, d=12, s=6, m=2)


def init():
    torch.manual_seed(1)
    net = FSRCNN(scale_factor=4)
    return {
        "first": net.first_part[0].weight,
        "shrink": net.mid_part[0].weight,
        "map": net.mid_part[2].weight,
        "last": net.last_part.weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).rand(*shape).astype("float32"))


def forward(net, small):
    net.eval()
    small.eval()
    pixels = np.random.RandomState(3).randint(0, 256, (8, 10, 3)).astype("uint8")
    y, ycbcr = preprocess(Image.fromarray(pixels), torch.device("cpu"))
    return {
        "double": lambda: net(array(0, 2, 1, 10, 10)),
        "triple": lambda: small(array(1, 1, 1, 7, 9)),
        "picture": lambda: net(y).clamp(0.0, 1.0),
        "colours": lambda: convert_ycbcr_to_rgb(convert_rgb_to_ycbcr(ycbcr)),
        "psnr": lambda: calc_psnr(array(5, 1, 1, 4, 4), array(6, 1, 1, 4, 4)),
    }


def patches(name, each):
    """What prepare.py writes."""
    draw = np.random.RandomState(len(name))
    low, high = draw.rand(5, 10, 10) * 255.0, draw.rand(5, 20, 20) * 255.0
    with h5py.File(name, "w") as file:
        if each:
            lows, highs = file.create_group("lr"), file.create_group("hr")
            for row in range(2):
                lows.create_dataset(str(row), data=low[row].astype("float32"))
                highs.create_dataset(str(row), data=high[row].astype("float32"))
        else:
            file.create_dataset("lr", data=low.astype("float32"))
            file.create_dataset("hr", data=high.astype("float32"))


def run(script, *options):
    """The script itself, with our network."""
    argv = sys.argv
    sys.argv = [script, *options]
    try:
        return runpy.run_path(script, run_name="__main__")
    finally:
        sys.argv = argv


def train(net, small):
    shutil.rmtree("out", ignore_errors=True)
    patches("train.h5", False)
    patches("eval.h5", True)
    models.FSRCNN = lambda scale_factor: net
    names = run(
        "train.py", "--train-file", "train.h5", "--eval-file", "eval.h5", "--outputs-dir", "out", "--scale", "2",
        "--lr", "1e-2", "--batch-size", "2", "--num-epochs", "2", "--num-workers", "0",
    )  # fmt: skip
    models.FSRCNN = FSRCNN
    pixels = np.random.RandomState(9).randint(0, 256, (12, 16, 3)).astype("uint8")
    Image.fromarray(pixels).save("picture.bmp")
    tested = run("test.py", "--weights-file", "out/x2/best.pth", "--image-file", "picture.bmp", "--scale", "2")
    saved = torch.load("out/x2/epoch_1.pth")
    return {
        "loss": names["epoch_losses"].avg,
        "psnr": names["epoch_psnr"].avg,
        "best": [names["best_epoch"], names["best_psnr"]],
        "tested": tested["psnr"],
        "written": sorted(name for name in os.listdir(".") if name.startswith("picture")) == [
            "picture.bmp", "picture_bicubic_x2.bmp", "picture_fsrcnn_x2.bmp",
        ],
        "first": net.first_part[0].weight,
        "slope": net.mid_part[1].weight,
        "last": net.last_part.weight,
        "saved": saved["mid_part.2.weight"],
        "rates": [group["lr"] for group in names["optimizer"].param_groups],
    }  # fmt: skip
