import argparse
import os
import random
import tempfile

import numpy as np
import torch
from torch import nn, optim

import train as program
from model import ConvLayer, CooccurDiscriminator, Discriminator, Encoder, EqualConvTranspose2d, Generator, ResBlock
from stylegan2.model import EqualLinear

CHANNEL = 2


class SmallDiscriminator(nn.Module):
    """The repository's Discriminator with fewer channels."""

    def __init__(self):
        super().__init__()
        self.convs = nn.Sequential(
            ConvLayer(3, 4, 1), ResBlock(4, 4, downsample=True), ResBlock(4, 8, downsample=True),
            ResBlock(8, 8, downsample=True), ResBlock(8, 8, downsample=True),
        )  # fmt: skip
        self.final_conv = ConvLayer(8, 8, 3)
        self.final_linear = nn.Sequential(EqualLinear(8 * 4 * 4, 8, activation="fused_lrelu"), EqualLinear(8, 1))

    def forward(self, input):
        out = self.final_conv(self.convs(input))
        return self.final_linear(out.view(out.shape[0], -1))


def pair():
    return Encoder(CHANNEL), Generator(CHANNEL, texture_channel=64 * CHANNEL)


def build():
    e_ema, g_ema = pair()
    return (
        *pair(),
        SmallDiscriminator(),
        CooccurDiscriminator(CHANNEL),
        e_ema,
        g_ema,
        EqualConvTranspose2d(4, 3, 3, 2, 1),
    )


def init():
    torch.manual_seed(1)
    discriminator = Discriminator(8)
    return {
        "conv": discriminator.convs[1].conv1[0].weight,
        "linear": discriminator.final_linear[0].weight,
        "transposed": EqualConvTranspose2d(20, 10, 3).weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def quiet(generator):
    """No noise: its weights are zero."""
    for name, parameter in generator.named_parameters():
        if "noise" in name:
            parameter.data.zero_()


def forward(encoder, generator, discriminator, cooccur, e_ema, g_ema, transposed):
    quiet(generator)
    with torch.no_grad():
        structure, texture = encoder(array(0, 2, 3, 64, 64).tanh())
        image = generator(structure, texture)
        return {
            "structure": structure,
            "texture": texture,
            "image": image,
            "score": discriminator(image),
            "cooccur": lambda: cooccur(array(1, 2, 3, 64, 64), array(2, 4, 3, 64, 64), ref_batch=2),
            "big": lambda: big()(array(3, 2, 3, 8, 8)).shape,
            "transposed": lambda: transposed(array(4, 2, 4, 5, 5)),
            "patches": lambda: patches(array(5, 2, 3, 64, 64)),
        }


def big():
    return Discriminator(8)


def patches(image):
    random.seed(2)
    return program.patchify_image(image, 3)


class Steps:
    """Stands for tqdm."""

    def __init__(self, steps, **settings):
        self.steps = steps

    def __iter__(self):
        return iter(self.steps)

    def set_description(self, text):
        print(text)


def train(encoder, generator, discriminator, cooccur, e_ema, g_ema, transposed):
    args = argparse.Namespace(
        iter=3, start_iter=0, distributed=False, n_crop=2, ref_crop=2, d_reg_every=2, r1=10, cooccur_r1=1, wandb=False,
    )  # fmt: skip
    values = []

    def kept(losses):
        values.extend(float(losses[key].mean().detach()) for key in sorted(losses))
        return losses

    patchify = program.patchify_image
    program.tqdm = Steps
    program.reduce_loss_dict = kept
    # Patches as large as the images, which are small.
    program.patchify_image = lambda image, count: patchify(image, count, max_size=1)
    quiet(generator)
    program.accumulate(e_ema, encoder, 0)
    program.accumulate(g_ema, generator, 0)
    g_optim = optim.Adam(list(encoder.parameters()) + list(generator.parameters()), lr=0.002, betas=(0.0, 0.99))
    d_optim = optim.Adam(
        list(discriminator.parameters()) + list(cooccur.parameters()),
        lr=0.002 * 2 / 3,
        betas=(0 ** (2 / 3), 0.99 ** (2 / 3)),
    )
    # The noises stay off.
    for name, parameter in generator.named_parameters():
        if "noise" in name:
            parameter.register_hook(lambda gradient: gradient * 0)
    loader = [array(20 + step, 4, 3, 64, 64).tanh() for step in range(3)]
    random.seed(3)
    folder = os.getcwd()
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        os.makedirs("checkpoint")
        os.makedirs("sample")
        try:
            program.train(
                args, loader, encoder, generator, discriminator, cooccur, g_optim, d_optim, e_ema, g_ema,
                torch.device("cpu"),
            )  # fmt: skip
            saved = torch.load("checkpoint/000000.pt", weights_only=False)
            seen = len(os.listdir("sample"))
        finally:
            os.chdir(folder)
    with torch.no_grad():
        structure, texture = e_ema(array(9, 2, 3, 64, 64).tanh())
    return {
        "losses": values,
        "texture": texture,
        "image": g_ema(structure, texture),
        "stem": encoder.stem[1].conv1[1].weight,
        "style": generator.layers[0].conv1.conv.modulation.weight,
        "disc": discriminator.final_linear[1].weight,
        "cooccur": cooccur.linear[3].weight,
        "ema": g_ema.to_rgb[0].weight,
        "saved": saved["cooccur"]["linear.3.weight"],
        "seen": np.array([seen]),
    }
