import argparse
import os
import random
import tempfile

import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import Dataset

import generate
import train as program
from model import Discriminator, StyledConvBlock, StyledGenerator

CODE = 512


class Blocks(nn.Module):
    """The blocks that the small sizes do not come to."""

    def __init__(self):
        super().__init__()
        self.up = StyledConvBlock(6, 4, 3, 1, style_dim=8, upsample=True, fused=True)
        self.plain = StyledConvBlock(4, 5, 3, 1, style_dim=8)

    def forward(self, x, style, noise):
        return self.plain(self.up(x, style, noise), style, noise)


def build():
    return (
        StyledGenerator(CODE, n_mlp=2),
        Discriminator(from_rgb_activate=True),
        StyledGenerator(CODE, n_mlp=2),
        Blocks(),
    )


def init():
    torch.manual_seed(1)
    generator, discriminator = StyledGenerator(CODE, n_mlp=1), Discriminator()
    return {
        "input": generator.generator.progression[0].conv1.input,
        "conv": generator.generator.progression[1].conv2.conv.weight_orig,
        "fused": generator.generator.progression[6].conv1[0].weight,
        "style": generator.generator.progression[2].adain1.style.linear.weight_orig,
        "bias": generator.generator.progression[2].adain1.style.linear.bias,
        "linear": discriminator.linear.linear.weight_orig,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


class Images(Dataset):
    """What MultiResolutionDataset gives."""

    resolution = 8

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.tanh(array(50 + index, 3, self.resolution, self.resolution))


def forward(generator, discriminator, g_running, blocks):
    for net in (generator, discriminator, g_running, blocks):
        net.eval()
    code = array(0, 2, CODE)
    with torch.no_grad():
        image = generator(code, step=1, alpha=0.3)
        mean_style = generator.mean_style(array(1, 6, CODE))
        return {
            "image": image,
            "plain": generator(code, step=0, alpha=1),
            "mean_style": mean_style,
            "truncated": generator(code, step=2, alpha=1, mean_style=mean_style, style_weight=0.7),
            "mixed": generator([code, array(2, 2, CODE)], step=2, alpha=1, mixing_range=(0, 1)),
            "score": discriminator(image, step=1, alpha=0.3),
            "big": lambda: discriminator(array(3, 2, 3, 64, 64), step=4, alpha=1),
            "sample": lambda: generate.sample(generator, 1, mean_style, 2, "cpu").shape,
            "mixing": lambda: generate.style_mixing(generator, 1, mean_style, 2, 2, "cpu").shape,
            "blocks": lambda: blocks(array(4, 2, 6, 5, 5), array(5, 2, 8), array(6, 2, 1, 10, 10)),
        }


class Steps:
    """Stands for tqdm, and ends after a few steps."""

    def __init__(self, count):
        self.count = count

    def __call__(self, steps):
        return self

    def __iter__(self):
        return iter(range(self.count))

    def set_description(self, text):
        print(text)


class Alone(nn.Module):
    """Stands for DataParallel on one device."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


def train(generator, discriminator, g_running, blocks):
    generator, discriminator = Alone(generator), Alone(discriminator)
    args = argparse.Namespace(
        phase=1, init_size=8, max_size=16, ckpt=None, mixing=True, loss="r1", lr={16: 0.0015}, batch={}, batch_default=4,
        gen_sample={},
    )  # fmt: skip
    g_optimizer = optim.Adam(generator.module.generator.parameters(), lr=0.001, betas=(0.0, 0.99))
    g_optimizer.add_param_group({"params": generator.module.style.parameters(), "lr": 0.001 * 0.01, "mult": 0.01})
    d_optimizer = optim.Adam(discriminator.parameters(), lr=0.001, betas=(0.0, 0.99))
    program.g_optimizer, program.d_optimizer, program.g_running = g_optimizer, d_optimizer, g_running
    program.code_size, program.n_critic = CODE, 1
    program.accumulate(g_running, generator.module, 0)
    folder = os.getcwd()
    results = {}
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        os.makedirs("checkpoint")
        try:
            random.seed(3)
            # Four images a step: after the first the size doubles, and what was trained is saved.
            program.tqdm = Steps(3)
            program.train(args, Images(), generator, discriminator)
            results["r1"] = discriminator(array(9, 2, 3, 8, 8), step=1, alpha=1)
            args.loss, args.mixing = "wgan-gp", False
            program.tqdm = Steps(1)
            program.train(args, Images(), generator, discriminator)
            saved = torch.load("checkpoint/train_step-2.model")
        finally:
            os.chdir(folder)
    results.update({
        "image": g_running(array(8, 2, CODE), step=2, alpha=0.5),
        "conv": generator.module.generator.progression[1].conv2.conv.weight_orig[:8],
        "noise": generator.module.generator.progression[1].noise1.weight_orig,
        "style": generator.module.style[1].linear.weight_orig[:8],
        "disc": discriminator.module.progression[7].conv1[0].conv.weight_orig[:8],
        "linear": discriminator.module.linear.linear.weight_orig,
        "running": g_running.generator.to_rgb[1].conv.weight_orig,
        "saved": saved["generator"]["generator.to_rgb.1.conv.weight_orig"],
        "rates": [group["lr"] for group in g_optimizer.param_groups],
    })  # fmt: skip
    return results
