import os
import random
import sys

import numpy as np
import torch
from PIL import Image
from torch import nn, optim
from torchvision.models import vgg16

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "net"))


def made_up():
    """Folders like RESIDE's, where the repository's code looks for them."""
    rng = np.random.RandomState(0)
    for name, count, clear in (
        ("ITS", 3, ".png"),
        ("SOTS/indoor", 2, ".png"),
        ("OTS", 2, ".jpg"),
        ("SOTS/outdoor", 1, ".png"),
    ):
        folder = os.path.join("made_up", "RESIDE", name)
        for part in ("hazy", "clear"):
            os.makedirs(os.path.join(folder, part), exist_ok=True)
        for number in range(count):
            picture = np.kron(rng.randint(0, 256, (6, 6, 3)), np.ones((4, 4, 1))).astype("uint8")
            Image.fromarray(picture).save(os.path.join(folder, "clear", f"{number}{clear}"))
            hazy = (picture * 0.5 + 100).astype("uint8")
            Image.fromarray(hazy).save(os.path.join(folder, "hazy", f"{number}_1{clear}"))


made_up()
arguments, sys.argv = (
    sys.argv,
    ["main.py", "--steps", "4", "--eval_step", "2", "--blocks", "1", "--bs", "2", "--lr", "0.001"],
)
import main as script  # noqa: E402
from metrics import psnr, ssim  # noqa: E402
from option import opt  # noqa: E402

from models import FFA, PerLoss  # noqa: E402

sys.argv = arguments


def build():
    return FFA(gps=3, blocks=1), FFA(gps=3, blocks=2), PerLoss(vgg16().features[:16])


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).rand(2, 3, 24, 24).astype("float32"))


def forward(net, deeper, perceptual):
    for one in (net, deeper, perceptual):
        one.eval()

    def loaded():
        random.seed(5)
        pairs = [script.loaders_["its_train"], script.loaders_["ots_test"], script.loaders_["ots_train"]]
        return [one for loader in pairs for batch in loader for one in batch]

    return {
        "net": lambda: net(images(1)),
        "deeper": lambda: deeper(images(2)),
        "perceptual": lambda: perceptual(images(1), images(3)),
        "ssim": lambda: [ssim(images(1), images(2)), ssim(images(3), images(4), size_average=False)[0]],
        "psnr": lambda: psnr(images(1), images(2)),
        "loaded": loaded,
        "rates": lambda: [script.lr_schedule_cosdecay(step, 4) for step in range(5)],
    }


def trained(net, perceptual, name):
    opt.perloss, opt.model_dir = perceptual is not None, f"trained_models/{name}.pk"
    opt.steps = 4
    if os.path.exists(opt.model_dir):
        os.remove(opt.model_dir)
    criterion = [nn.L1Loss()]
    if perceptual is not None:
        for param in perceptual.parameters():
            param.requires_grad = False
        criterion.append(perceptual)
    results = []
    for steps in (4, 6):  # the second time it goes on from the best checkpoint
        opt.steps = steps
        random.seed(7)
        optimizer = optim.Adam(
            params=filter(lambda x: x.requires_grad, net.parameters()),
            lr=opt.lr,
            betas=(0.9, 0.999),
            eps=1e-08,
        )
        optimizer.zero_grad()
        script.train(net, script.loaders_[opt.trainset], script.loaders_[opt.testset], optimizer, criterion)
        for kind in ("losses", "ssims", "psnrs"):
            results.append(np.load(f"./numpy_files/{script.model_name}_{steps}_{kind}.npy"))
    return [*results, net.g1.gp[0].conv1.weight, net.ca[1].weight]


def train(net, deeper, perceptual):
    return {
        "plain": lambda: trained(net, None, "plain"),
        "perceptual": lambda: trained(deeper, perceptual, "perceptual"),
    }


def init():
    net = FFA(gps=3, blocks=1)
    return {"conv": net.g1.gp[0].conv1.weight, "attention": net.palayer.pa[0].weight, "bias": net.pre[0].bias}
