import os
import pathlib
import sys

import numpy as np
import torch
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).parent / "experiments"))

import main as script  # noqa: E402
import utils  # noqa: E402
from net import Basicblock, GramMatrix, Net, UpBasicblock, Vgg16, var  # noqa: E402
from option import Options  # noqa: E402


def build():
    blocks = torch.nn.Sequential(Basicblock(4, 6, 2, 1), UpBasicblock(6, 5, 2))
    return Net(ngf=8, n_blocks=2), Vgg16(), blocks


def pictures():
    rng = np.random.RandomState(0)
    for folder, count, size in (("seen/all", 5, 40), ("styles", 1, 32)):
        os.makedirs(folder, exist_ok=True)
        for number in range(count):
            coarse = Image.fromarray(rng.randint(0, 255, (6, 5, 3)).astype("uint8"))
            coarse.resize((size, size + 4), Image.BICUBIC).save(f"{folder}/{number}.png")


def image(seed, count=1, size=32):
    rng = np.random.RandomState(seed)
    coarse = np.kron(rng.rand(count, 3, size // 8, size // 8), np.ones((1, 1, 8, 8)))
    return torch.from_numpy((255 * coarse).astype("float32"))


def stylized(net):
    net.setTarget(image(2))
    return net(image(3, 2))


def prepared():
    pictures()
    loaded = [
        utils.tensor_load_rgbimage("styles/0.png", 16),
        utils.tensor_load_rgbimage("styles/0.png", 16, keep_asp=True),
        utils.tensor_load_rgbimage("styles/0.png", scale=2),
    ]
    batch = utils.preprocess_batch(loaded[0].unsqueeze(0))
    without = utils.subtract_imagenet_mean_batch(batch)
    utils.imagenet_clamp_batch(without, 0, 100)
    utils.tensor_save_bgrimage(batch[0], "again.png")
    return [*loaded, without, utils.add_imagenet_mean_batch(without), utils.tensor_load_rgbimage("again.png")]


def forward(net, vgg, blocks):
    for one in (net, vgg, blocks):
        one.eval()
    rng = np.random.RandomState(4)
    features = torch.from_numpy(rng.randn(2, 4, 8, 8).astype("float32"))
    loader = utils.StyleLoader("styles", 16) if os.path.isdir("styles") else None
    return {
        "stylized": stylized(net),
        "features": vgg(image(5)),
        "blocks": lambda: blocks(features),
        "grams": lambda: [GramMatrix()(features), utils.gram_matrix(features)],
        "variance": lambda: [var(features), var(features, 0)],
        "prepared": lambda: prepared(),
        "styles": lambda: loader.get(3) if loader else utils.StyleLoader("styles", 16).get(3),
    }


kept = []


def keep(tensor, filename, cuda=False):
    kept.append(tensor.clone())


def parsed(*words):
    sys.argv = ["main.py", *words, "--cuda", "0"]
    return Options().parse()


def train(net, vgg, blocks):
    pictures()
    os.makedirs("models", exist_ok=True)
    for old in os.listdir("models"):
        os.remove(f"models/{old}")
    torch.save(vgg.state_dict(), "models/vgg16.weight")
    torch.save(net.state_dict(), "begin.model")
    net_of_script, script.Net = script.Net, lambda ngf: Net(ngf=ngf, n_blocks=2)
    args = parsed(
        "train",
        "--ngf",
        "8",
        "--epochs",
        "1",
        "--batch-size",
        "2",
        "--dataset",
        "seen",
        "--style-folder",
        "styles/",
        "--image-size",
        "32",
        "--style-size",
        "32",
        "--log-interval",
        "2",
        "--resume",
        "begin.model",
        "--style-weight",
        "0.5",
        "--lr",
        "1e-5",
    )
    script.train(args)
    saved = [name for name in os.listdir("models") if name.startswith("Final")]
    trained = torch.load(f"models/{saved[0]}")
    kept.clear()
    save, utils.tensor_save_bgrimage = utils.tensor_save_bgrimage, keep
    script.optimize(
        parsed(
            "optim",
            "--iters",
            "3",
            "--content-image",
            "seen/all/1.png",
            "--style-image",
            "styles/0.png",
            "--content-size",
            "32",
            "--style-size",
            "32",
            "--lr",
            "1",
        )
    )
    script.evaluate(
        parsed(
            "eval",
            "--ngf",
            "8",
            "--content-image",
            "seen/all/2.png",
            "--style-image",
            "styles/0.png",
            "--content-size",
            "32",
            "--style-size",
            "32",
            "--model",
            f"models/{saved[0]}",
        )
    )
    utils.tensor_save_bgrimage = save
    script.Net = net_of_script
    return {
        "optimized": kept[0],
        "evaluated": kept[1],
        "first": trained["model1.0.conv2d.weight"],
        "inspiration": trained["ins.weight"],
        "last": trained["model.8.conv2d.weight"],
    }


def init():
    net = Net(ngf=16)
    return {"first": net.model1[0].conv2d.weight, "inspiration": net.ins.weight}
