import argparse
import os

import numpy as np
import torch
from torch import nn, optim

import train_pixelsnail
import train_vqvae
from pixelsnail import PixelSNAIL
from scheduler import CycleScheduler
from vqvae import VQVAE

os.makedirs("sample", exist_ok=True)


def build():
    vqvae = VQVAE(channel=16, n_res_block=1, n_res_channel=8, embed_dim=8, n_embed=16)
    pixelsnail = PixelSNAIL([4, 4], 16, 16, 5, 2, 2, 16, dropout=0.0)
    return vqvae, pixelsnail


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (4, 3, 32, 32)).astype("float32"))


def codes(seed, side):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, 16, (4, side, side)).astype("int64"))


def forward(vqvae, pixelsnail):
    vqvae.eval()
    pixelsnail.eval()
    out, latent_loss = vqvae(images(0))
    quant_t, quant_b, diff, id_t, id_b = vqvae.encode(images(0))
    return {
        "out": out,
        "latent_loss": latent_loss,
        "id_t": id_t,
        "id_b": id_b,
        "decoded": lambda: vqvae.decode_code(codes(1, 4), codes(2, 8)),
        "codes": lambda: pixelsnail(codes(3, 4))[0],
    }


def train_images(vqvae):
    loader = [(images(seed), torch.zeros(4)) for seed in range(2)]
    optimizer = optim.Adam(vqvae.parameters(), lr=1e-3)
    scheduler = CycleScheduler(optimizer, 1e-3, n_iter=8, momentum=None, warmup_proportion=0.5)
    losses = []
    for epoch in range(2):
        vqvae.train()
        train_vqvae.train(epoch, loader, vqvae, optimizer, scheduler, "cpu")
        vqvae.eval()
        with torch.no_grad():
            losses.append(nn.MSELoss()(vqvae(images(9))[0], images(9)).item())
    return losses


def train_codes(pixelsnail):
    args = argparse.Namespace(hier="top")
    loader = [(codes(seed, 4), codes(seed, 8), None) for seed in range(2)]
    optimizer = optim.Adam(pixelsnail.parameters(), lr=1e-3)
    losses = []
    for epoch in range(2):
        train_pixelsnail.train(args, epoch, loader, pixelsnail, optimizer, None, "cpu")
        with torch.no_grad():
            losses.append(nn.CrossEntropyLoss()(pixelsnail(codes(9, 4))[0], codes(9, 4)).item())
    return losses


def train(vqvae, pixelsnail):
    return {
        "losses": train_images(vqvae),
        "weight": vqvae.quantize_conv_t.weight,
        "cluster_size": vqvae.quantize_t.cluster_size,
        "pixelsnail": lambda: train_codes(pixelsnail),
    }
