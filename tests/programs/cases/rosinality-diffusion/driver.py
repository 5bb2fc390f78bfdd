import argparse
import os
import shutil

import numpy as np
import torch
from PIL import Image
from torch import nn, optim
from torch.utils.data import DataLoader
from torchvision import transforms

import dataset
import generate
import prepare_data
import train as program
from diffusion import GaussianDiffusion, make_beta_schedule
from model import UNet

STEPS, SIZE = 20, 16


def network(**settings):
    return UNet(3, 32, [1, 2], 1, settings.pop("attn_strides", [2]), **settings)


def build():
    return network(), network(), network(use_affine_time=True, fold=2, attn_heads=2, attn_strides=[1])


def init():
    torch.manual_seed(1)
    net = network()
    return {
        "conv": net.down[0].weight,
        "scaled": net.mid[0].resblocks.conv2.weight,
        "time": net.time[1].weight,
        "qkv": net.mid[0].attention.qkv.weight,
        "skip": net.down[3].resblocks.skip.weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def noises(*shape, device=None):
    """Stands for torch.randn."""
    sizes = shape[0] if isinstance(shape[0], (tuple, list, torch.Size)) else shape
    return torch.cos(5.0 * torch.arange(int(np.prod(sizes)))).view(*sizes)


def diffusion_of(schedule):
    return GaussianDiffusion(make_beta_schedule(schedule, STEPS))


def forward(net, ema, affine):
    for one in (net, ema, affine):
        one.eval()
    time, image = torch.tensor([3, 17]), array(0, 2, 3, SIZE, SIZE)
    linear = diffusion_of("linear")
    with torch.no_grad():
        return {
            "noise": net(image, time),
            "affine": lambda: affine(image, time),
            "sample": lambda: linear.p_sample_loop(net, (2, 3, SIZE, SIZE), torch.device("cpu"), noise_fn=noises),
            "repeated": lambda: linear.p_sample(affine, image, torch.tensor([0, 4]), noises, repeat_noise=True),
            "captured": lambda: torch.stack(
                generate.p_sample_loop(linear, net, image, torch.device("cpu"), noise_fn=noises, capture_every=10)
            ),
            "cosine": lambda: diffusion_of("cosine").q_sample(image, time),
            "quad": lambda: diffusion_of("quad").posterior_log_variance_clipped,
            "doubles": lambda: make_beta_schedule("cosine", 6),
        }


class Reader:
    """Stands for tensorfn's LMDBReader: the pictures that prepare_data makes."""

    def __init__(self, path, reader):
        self.rows = {}
        for row in range(4):
            pixels = np.random.RandomState(row).randint(0, 256, (7, 9, 3)).astype("uint8")
            picture = Image.fromarray(pixels).resize((40, 36), Image.BICUBIC)
            for size, data in zip((SIZE, 24), prepare_data.resize_multiple(picture, sizes=(SIZE, 24))):
                self.rows[f"{size}-{str(row).zfill(5)}".encode()] = data

    def __len__(self):
        return len(self.rows) // 2

    def get(self, key):
        return self.rows[key]


class Bar:
    """Stands for tqdm."""

    def __init__(self, steps, **settings):
        self.steps = steps

    def __iter__(self):
        return iter(self.steps)

    def set_description(self, text):
        texts.append(text)


texts = []


class Alone(nn.Module):
    """Stands for DistributedDataParallel on one device."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *inputs):
        return self.module(*inputs)


def train(net, ema, affine):
    shutil.rmtree("checkpoint", ignore_errors=True)
    os.makedirs("checkpoint")
    dataset.LMDBReader, program.tqdm = Reader, Bar
    program.dist.is_primary = lambda: True
    transform = transforms.Compose(
        [transforms.ToTensor(), transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5), inplace=True)]
    )
    data = dataset.MultiResolutionDataset("path", transform, SIZE)
    conf = argparse.Namespace(
        distributed=True, training=argparse.Namespace(n_iter=3, scheduler=argparse.Namespace(warmup=2)),
        diffusion=argparse.Namespace(beta_schedule={"n_timestep": STEPS}),
        evaluate=argparse.Namespace(log_every=1, save_every=3),
    )  # fmt: skip
    for one, ours in ((net, ema), (affine, network(use_affine_time=True, fold=2, attn_heads=2, attn_strides=[1]))):
        loader = DataLoader(data, batch_size=2, shuffle=False)
        optimizer = optim.Adam(one.parameters(), lr=1e-3)
        scheduler = optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 3))
        program.train(
            conf, loader, Alone(one), ours, diffusion_of("linear"), optimizer, scheduler, torch.device("cpu"), None
        )
        if one is net:
            saved = torch.load("checkpoint/diffusion_000003.pt", weights_only=False)
    return {
        "losses": [float(part.split(":")[1]) for text in texts for part in text.split(";")[1:]],
        "down": net.down[1].resblocks.conv1.weight,
        "qkv": net.mid[0].attention.qkv.weight,
        "time": affine.down[2][0].weight,
        "out": affine.out[2].weight,
        "ema": ema.out[2].weight,
        "saved": saved["ema"]["up.0.resblocks.norm1.weight"],
        "last": saved["scheduler"]["last_epoch"],
        "rate": saved["optimizer"]["param_groups"][0]["lr"],
    }
