import importlib
import os
import runpy
import sys

import numpy as np
import torch
from PIL import Image

import function
import net as nets

SIZE = 32


def build():
    importlib.reload(nets)  # its layers are made when it is imported
    return nets.Net(nets.vgg, nets.decoder)


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).rand(2, 3, SIZE, SIZE).astype("float32"))


def forward(network):
    network.eval()
    content, style = images(0), images(1)
    feature = network.encode(content)
    return {
        "losses": list(network(content, style)),
        "half": lambda: list(network(content, style, alpha=0.5)),
        "features": network.encode_with_intermediate(style),
        "normalized": function.adaptive_instance_normalization(feature, network.encode(style)),
        "coral": lambda: function.coral(images(2)[0], images(3)[0]),
    }


def pictures(folder):
    """One picture in a folder: whichever is drawn, it is this one."""
    os.makedirs(folder, exist_ok=True)
    pixels = np.random.RandomState(len(folder)).randint(0, 256, (8, 8, 3)).astype("uint8")
    Image.fromarray(pixels).resize((SIZE, SIZE), Image.BICUBIC).save(f"{folder}/0.png")


def train(network):
    """The script itself; it makes its net of the two parts, and loads the first from a file."""
    pictures("content")
    pictures("styles")
    torch.save(nets.vgg.state_dict(), "vgg.pth")
    arguments = sys.argv
    sys.argv = [
        "train.py",
        "--content_dir",
        "content",
        "--style_dir",
        "styles",
        "--vgg",
        "vgg.pth",
        "--max_iter",
        "3",
    ]
    sys.argv += ["--n_threads", "0", "--batch_size", "1"]
    try:
        results = runpy.run_path("train.py", run_name="__main__")
    finally:
        sys.argv = arguments
    kept = torch.load("experiments/decoder_iter_3.pth.tar")
    return {
        "loss_c": results["loss_c"],
        "loss_s": results["loss_s"],
        "rate": results["optimizer"].param_groups[0]["lr"],
        "first": network.decoder[1].weight,
        "last": kept["28.bias"],
        "encoder": network.enc_1[0].weight,
    }
