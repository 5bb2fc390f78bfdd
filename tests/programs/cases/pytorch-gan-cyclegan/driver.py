import importlib
import os
import sys

import numpy as np
import torch

ARGUMENTS = [
    "cyclegan.py", "--dataset_name", "made", "--img_height", "32", "--img_width", "32", "--n_residual_blocks", "1",
    "--decay_epoch", "2", "--n_cpu", "0",
]  # fmt: skip
NETS = ["G_AB", "G_BA", "D_A", "D_B"]
sys.argv = [*ARGUMENTS, "--n_epochs", "0", "--decay_epoch", "-1"]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "implementations", "cyclegan"))

import datasets  # noqa: E402
import models  # noqa: E402
import utils  # noqa: E402


def images(seed, count=1):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (count, 3, 32, 32)).astype("float32"))


class MadeImages(torch.utils.data.Dataset):
    """The repository crops and flips its images at random."""

    def __init__(self, root, transforms_=None, unaligned=False, mode="train"):
        self.seed = 0 if mode == "train" else 10

    def __getitem__(self, index):
        return {"A": images(self.seed)[0], "B": images(self.seed + 1)[0]}

    def __len__(self):
        return 1


datasets.ImageDataset = MadeImages

import cyclegan  # noqa: E402


def build():
    shape = (3, 32, 32)
    generators = models.GeneratorResNet(shape, 1), models.GeneratorResNet(shape, 1)
    return *generators, models.Discriminator(shape), models.Discriminator(shape)


def init():
    torch.manual_seed(1)
    generator, discriminator = models.GeneratorResNet((3, 32, 32), 1), models.Discriminator((3, 32, 32))
    generator.apply(models.weights_init_normal)
    discriminator.apply(models.weights_init_normal)
    return {"generator": generator.model[1].weight, "discriminator": discriminator.model[2].weight}


def forward(G_AB, G_BA, D_A, D_B):
    fake = G_AB(images(0, 2))
    return {
        "fake": fake,
        "judged": lambda: D_B(fake),
        "buffered": lambda: utils.ReplayBuffer().push_and_pop(fake),
        "patch": list(D_A.output_shape),
    }


def train(*nets):
    os.makedirs("saved_models/made", exist_ok=True)
    for name, net in zip(NETS, nets):
        torch.save(net.state_dict(), f"saved_models/made/{name}_1.pth")
    sys.argv = [
        *ARGUMENTS,
        "--epoch",
        "1",
        "--n_epochs",
        "4",
        "--sample_interval",
        "2",
        "--checkpoint_interval",
        "1",
    ]
    script = importlib.reload(cyclegan)
    kept = torch.load("saved_models/made/G_AB_3.pth")
    return {
        "loss_G": script.loss_G.item(),
        "loss_D": script.loss_D.item(),
        "cycle": script.loss_cycle.item(),
        "G_AB": script.G_AB.model[1].weight,
        "G_BA": script.G_BA.model[4].weight,
        "D_A": script.D_A.model[0].weight,
        "D_B": script.D_B.model[2].weight,
        "kept": kept["model.1.weight"],
        "rate": script.optimizer_G.param_groups[0]["lr"],
        "buffer": len(script.fake_A_buffer.data),
    }
