import argparse
import os
import tempfile

import numpy as np
import torch
from PIL import Image

from networks import Discriminator, ResnetGenerator
from UGATIT import UGATIT

args = argparse.Namespace(
    light=True, result_dir="results", dataset="made", iteration=3, decay_flag=True, batch_size=1, print_freq=1000,
    save_freq=100000, lr=0.0001, weight_decay=0.0001, ch=4, adv_weight=1, cycle_weight=10, identity_weight=10,
    cam_weight=1000, n_res=2, n_dis=6, img_size=128, img_ch=3, device="cpu", benchmark_flag=False, resume=False,
)  # fmt: skip
NETS = ["genA2B", "genB2A", "disGA", "disGB", "disLA", "disLB"]


def make_images(folder):
    rng = np.random.RandomState(0)
    for part in ["trainA", "trainB", "testA", "testB"]:
        os.makedirs(os.path.join(folder, "dataset", "made", part))
        image = Image.fromarray((rng.rand(16, 16, 3) * 255).astype("uint8"))
        image.save(os.path.join(folder, "dataset", "made", part, "image.png"))


def assembled():
    """The repository finds its images below the folder it is started in."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        make_images(folder)
        os.chdir(folder)
        try:
            gan = UGATIT(args)
            gan.build_model()
        finally:
            os.chdir(here)
    return gan


def build():
    gan = assembled()
    return tuple(getattr(gan, name) for name in NETS)


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (1, 3, 128, 128)).astype("float32"))


def init():
    torch.manual_seed(1)
    return {
        "generator": ResnetGenerator(3, 3, ngf=8, n_blocks=2, img_size=32).FC[0].weight,
        "discriminator": Discriminator(3, 8, 5).conv1x1.weight,
    }


def forward(*nets):
    generator, discriminator = nets[0], nets[4]
    generator.eval()
    discriminator.eval()
    return {
        "generated": lambda: generator(images(0)),
        "judged": lambda: discriminator(images(1)),
    }


def train(*nets):
    gan = assembled()
    for name, net in zip(NETS, nets):
        getattr(gan, name).load_state_dict(net.state_dict())
    gan.trainA_loader = [(images(step), 0) for step in range(2)]
    gan.trainB_loader = [(images(10 + step), 0) for step in range(2)]
    gan.train()
    return {
        "rate": gan.G_optim.param_groups[0]["lr"],
        "generator": gan.genA2B.gamma.weight,
        "rho": gan.genB2A.UpBlock1_1.norm1.rho,
        "clipped": gan.genB2A.UpBlock2[3].rho,
        "discriminator": gan.disLA.conv1x1.weight,
        "first": gan.disGA.conv1x1.weight,
    }
