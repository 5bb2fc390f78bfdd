import argparse
import os
import tempfile

import numpy as np
import torch
from torch import optim

import train as program
from model import Generator, bessel_j1, filter_parameters, lowpass_filter
from stylegan2.model import Discriminator

STYLE, SIZE = 8, 16


def parameters():
    return filter_parameters(
        n_layer=4, n_critical=2, sr_max=SIZE, cutoff_0=2, cutoff_n=SIZE / 2, stopband_0=2**2.1,
        stopband_n=SIZE / 2 * 2**0.3, channel_max=8, channel_base=64,
    )  # fmt: skip


def generator(use_jinc=False, kernel_size=3):
    return Generator(STYLE, 2, kernel_size, 6, parameters(), margin=3, lr_mlp=0.01, ema=0.9, use_jinc=use_jinc)


def build():
    return generator(), Discriminator(SIZE), generator(), generator(True, 1)


def init():
    torch.manual_seed(1)
    net = generator()
    return {
        "conv": net.convs[0].conv.weight,
        "affine": net.affine_fourier.weight,
        "bias": net.affine_fourier.bias,
        "style": net.style[1].weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(net, discriminator, ema, jinc):
    for one in (net, discriminator, ema, jinc):
        one.eval()
    with torch.no_grad():
        code = array(0, 2, STYLE)
        image = net(code)
        return {
            "image": image,
            "truncated": net(
                code, truncation=0.7, truncation_latent=net.get_latent(array(1, 5, STYLE)).mean(0, keepdim=True)
            ),
            "moved": lambda: net(code, transform=net.get_transform(code) + 0.1),
            "score": discriminator(image),
            "jinc": lambda: jinc(code),
            "bessel": lambda: bessel_j1(torch.linspace(0.1, 30.0, 40)),
            "filters": lambda: [lowpass_filter(12, 3.0, 2.0, 32), lowpass_filter(12, 3.0, 2.0, 32, use_jinc=True)],
            "latent": lambda: net.mean_latent(3).shape,
        }


class Steps:
    """Stands for tqdm."""

    def __init__(self, steps, **settings):
        self.steps = steps

    def __iter__(self):
        return iter(self.steps)

    def set_description(self, text):
        print(text)


def train(net, discriminator, ema, jinc):
    conf = argparse.Namespace(
        training=argparse.Namespace(
            iter=3, start_iter=0, batch=4, n_sample=4, r1=10, d_reg_every=2, augment=False, augment_p=0.0, ada_target=0.6,
            ada_length=1000,
        ),
        generator={"style_dim": STYLE}, distributed=False, wandb=False, dict=dict,
    )  # fmt: skip
    values, seeds = [], iter(range(100, 200))

    def kept(losses):
        values.extend(float(losses[key].mean().detach()) for key in sorted(losses))
        return losses

    program.tqdm = Steps
    program.reduce_loss_dict = kept
    program.make_noise = lambda batch, dim, count, device: array(next(seeds), batch, dim)
    program.accumulate(ema, net, 0)
    ratio = 2 / 3
    g_optim = optim.Adam(net.parameters(), lr=2e-3, betas=(0.0, 0.99))
    d_optim = optim.Adam(discriminator.parameters(), lr=2e-3 * ratio, betas=(0**ratio, 0.99**ratio))
    loader = [array(20 + step, 4, 3, SIZE, SIZE).tanh() for step in range(3)]
    folder = os.getcwd()
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        os.makedirs("checkpoint")
        os.makedirs("sample")
        try:
            program.train(conf, loader, net, discriminator, g_optim, d_optim, ema, torch.device("cpu"))
            saved = torch.load("checkpoint/000000.pt")
            seen = len(os.listdir("sample"))
        finally:
            os.chdir(folder)
    ema.eval()
    with torch.no_grad():
        image = ema(array(9, 2, STYLE))
    return {
        "losses": values,
        "image": image,
        "style": net.style[1].weight,
        "affine": net.affine_fourier.bias,
        "variance": ema.convs[1].ema_var,
        "bias": net.convs[2].bias,
        "disc": discriminator.final_linear[1].weight,
        "saved": saved["g"]["conv1.weight"],
        "seen": np.array([seen]),
    }
