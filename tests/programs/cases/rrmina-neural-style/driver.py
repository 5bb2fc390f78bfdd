import os
import sys

import numpy as np
import torch
from PIL import Image
from torchvision import models

import transformer
import utils
import vgg

SIZE = 32


def made_up_image(path):
    return np.random.RandomState(7).randint(0, 256, (SIZE, SIZE, 3)).astype("uint8")


utils.load_image = made_up_image
utils.saveimg = lambda img, path: np.save(path + ".npy", img.clip(0, 255))
utils.plot_loss_hist = lambda *losses, title="": print(title, *losses)


def write_data():
    rng = np.random.RandomState(0)
    for folder in ("dataset/photos", "models", "images/out"):
        os.makedirs(folder, exist_ok=True)
    for i in range(3):
        Image.fromarray(rng.randint(0, 256, (40, 36, 3)).astype("uint8")).save(f"dataset/photos/{i}.png")
    skeleton = models.vgg16(pretrained=False)
    weights = skeleton.state_dict()
    for name in weights:
        if name.startswith("features"):
            weights[name] = torch.from_numpy((rng.randn(*weights[name].shape) * 0.03).astype("float32"))
    torch.save({name: weights[name] for name in weights if name.startswith("features")}, "models/vgg16-00b39a1b.pth")


write_data()
classes = transformer.TransformerNetwork, vgg.VGG16


def build():
    return transformer.TransformerNetwork(), transformer.TransformerNetworkTanh(100), vgg.VGG16()


def batch(seed):
    return torch.from_numpy(np.random.RandomState(seed).rand(2, 3, SIZE, SIZE).astype("float32") * 255)


def forward(net, tanh, features):
    x = batch(0)
    return {
        "styled": net(x),
        "tanh": lambda: tanh(x),
        "features": lambda: list(features(x).values()),
        "gram": lambda: utils.gram(features(x)["relu2_2"]),
        "itot": lambda: utils.itot(made_up_image("")),
        "ttoi": lambda: torch.from_numpy(np.ascontiguousarray(utils.ttoi(x[:1]))),
    }


def train(net, tanh, features):
    """The script builds its own network; it is given this one."""
    transformer.TransformerNetwork = lambda: net
    vgg.VGG16 = lambda: features
    losses = []
    utils.plot_loss_hist = lambda content, style, total, **words: losses.extend([*content, *style, *total])
    sys.modules.pop("train", None)
    import train  # noqa: F401

    transformer.TransformerNetwork, vgg.VGG16 = classes
    saved = torch.load("models/transformer_weight.pth")
    return {
        "losses": [float(loss) for loss in losses],
        "saved": len(saved),
        "samples": [torch.from_numpy(np.load(f"images/out/sample0_{i}.png.npy")) for i in range(3)],
    }
