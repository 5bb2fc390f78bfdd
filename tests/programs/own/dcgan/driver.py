import numpy as np
import torch

import dcgan


def build():
    return dcgan.create(torch.device("cpu"))


def init():
    netG, netD = dcgan.create(torch.device("cpu"))
    return {"deconv": netG.main[0].weight, "norm": netG.main[1].weight, "conv": netD.main[2].weight}


def noise(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(8, dcgan.nz, 1, 1).astype("float32"))


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (8, 1, 16, 16)).astype("float32"))


def forward(netG, netD):
    netG.eval()
    netD.eval()
    fake = netG(noise(0))
    return {"fake": fake, "real_score": netD(images(1)), "fake_score": netD(fake)}


def train(netG, netD):
    netG.train()
    netD.train()
    log = dcgan.train(netG, netD, [images(i) for i in range(3)], [noise(i) for i in range(10, 13)])
    return {
        "loss_d": [row[0] for row in log],
        "loss_g": [row[1] for row in log],
        "d_x": [row[2] for row in log],
        "generator": netG.main[0].weight,
        "discriminator": netD.main[0].weight,
    }
