import os
import tempfile

import numpy as np
import torch
from PIL import Image
from torch import optim

import train as program
from model import Discriminator, Generator, SpectralNormConv2d

CODE = 511


def build():
    return Generator(CODE, 1), Discriminator(1), Generator(CODE, 1), SpectralNormConv2d(3, 4, 3, padding=1)


def init():
    torch.manual_seed(1)
    generator, discriminator = Generator(CODE, 1), Discriminator(1)
    return {
        "conv": generator.progression[1].conv[0].conv.weight_orig,
        "wide": discriminator.progression[5].conv[2].conv.weight_orig,
        "rgb": generator.to_rgb[4].weight,
        "linear": discriminator.linear.weight,
        "spectral": SpectralNormConv2d(32, 40, 3).conv.weight_orig,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(generator, discriminator, g_running, spectral):
    for net in (generator, discriminator, g_running, spectral):
        net.eval()
    code, label = array(0, 2, CODE), torch.zeros(2).long()
    with torch.no_grad():
        return {
            "small": lambda: generator(code, label, step=0, alpha=0),
            "grown": lambda: generator(code, label, step=2, alpha=0.3),
            "whole": lambda: generator(code, label, step=1),
            "score": lambda: discriminator(array(1, 2, 3, 8, 8), step=1, alpha=0.4)[0],
            "plain": lambda: discriminator(array(2, 3, 3, 16, 16), step=2)[1],
            "spectral": lambda: spectral(array(3, 2, 3, 6, 6)),
        }


class Steps:
    """Stands for tqdm, and goes through a few steps: after the third a picture is saved, after the fourth the generator."""

    def __init__(self, steps):
        self.steps = [0, 1, 99, 9999, 4]

    def __iter__(self):
        return iter(self.steps)

    def set_description(self, text):
        texts.append(text)


texts = []


def pictures(folder):
    os.makedirs(folder + "/faces")
    for row in range(4):
        pixels = np.random.RandomState(row).randint(0, 256, (6, 6, 3)).astype("uint8")
        Image.fromarray(pixels).resize((20, 24), Image.BICUBIC).save(f"{folder}/faces/{row}.png")


def train(generator, discriminator, g_running, spectral):
    program.generator, program.discriminator, program.g_running = generator, discriminator, g_running
    program.g_optimizer = optim.Adam(generator.parameters(), lr=0.001, betas=(0.0, 0.99))
    program.d_optimizer = optim.Adam(discriminator.parameters(), lr=0.001, betas=(0.0, 0.99))
    program.tqdm, program.batch_size = Steps, 2
    program.accumulate(g_running, generator, 0)
    g_running.train(False)
    folder = os.getcwd()
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        os.makedirs("sample")
        os.makedirs("checkpoint")
        pictures("data")
        try:
            program.train(generator, discriminator, program.celeba_loader("data"))
            size = Image.open("sample/000100.png").size
            saved = torch.load("checkpoint/010000.model", weights_only=False)
        finally:
            os.chdir(folder)
    losses = [float(part.split(":")[1]) for text in texts for part in text.split(";")[1:]]
    with torch.no_grad():
        image = saved(array(8, 2, CODE), torch.zeros(2).long(), 1, 0.5)
    return {
        "losses": losses,
        "size": list(size),
        "saved": image,
        "conv": generator.progression[1].conv[0].conv.weight_orig[:4],
        "rgb": generator.to_rgb[1].weight,
        "embed": generator.label_embed.weight,
        "disc": discriminator.progression[5].conv[2].conv.weight_orig[:4],
        "linear": discriminator.linear.weight,
        "running": g_running.to_rgb[0].weight,
    }
