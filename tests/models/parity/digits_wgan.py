"""A Wasserstein GAN with gradient penalty that draws scikit-learn's digits; the figure is the Frechet distance between
what it draws and the digits, of their pixels."""

import argparse
import json
import time

import numpy as np
import scipy.linalg
import torch
from sklearn.datasets import load_digits
from torch import autograd, nn, optim


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Linear(16, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 64), nn.Sigmoid()
        )

    def forward(self, noise):
        return self.main(noise)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Linear(64, 128), nn.LeakyReLU(0.2), nn.Linear(128, 128), nn.LeakyReLU(0.2), nn.Linear(128, 1)
        )

    def forward(self, images):
        return self.main(images).view(-1)


def calc_gradient_penalty(netD, real_data, fake_data):
    alpha = torch.rand(real_data.size(0), 1)
    interpolates = alpha * real_data + (1 - alpha) * fake_data
    interpolates.requires_grad_(True)
    disc_interpolates = netD(interpolates)
    gradients = autograd.grad(
        outputs=disc_interpolates,
        inputs=interpolates,
        grad_outputs=torch.ones(disc_interpolates.size()),
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean() * 10


def frechet(one, other):
    """The distance of two sets of pictures, taken for normally distributed."""
    means = one.mean(0) - other.mean(0)
    first, second = np.cov(one, rowvar=False), np.cov(other, rowvar=False)
    root = scipy.linalg.sqrtm(first @ second).real
    return float(means @ means + np.trace(first + second - 2 * root))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=300)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    rng = np.random.RandomState(args.seed)
    images = (load_digits().data / 16).astype(np.float32)
    netG, netD = Generator(), Critic()
    optimizerG = optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.9))
    optimizerD = optim.Adam(netD.parameters(), lr=1e-3, betas=(0.5, 0.9))
    seconds = []
    for step in range(args.steps):
        start = time.perf_counter()
        for _ in range(3):
            real = torch.from_numpy(images[rng.randint(len(images), size=64)])
            netD.zero_grad()
            fake = netG(torch.randn(64, 16)).detach()
            penalty = calc_gradient_penalty(netD, real, fake)
            errD = netD(fake).mean() - netD(real).mean() + penalty
            errD.backward()
            optimizerD.step()
        netG.zero_grad()
        errG = -netD(netG(torch.randn(64, 16))).mean()
        errG.backward()
        optimizerG.step()
        seconds.append(time.perf_counter() - start)
        if (step + 1) % 30 == 0:
            with torch.no_grad():
                drawn = netG(torch.randn(1000, 16)).cpu().numpy()
            print(json.dumps({"step": step + 1, "value": frechet(drawn, images)}), flush=True)
    print(json.dumps({"seconds": float(np.median(seconds))}))


if __name__ == "__main__":
    main()
