import os
import runpy
import sys

import numpy as np
import torch
from PIL import Image

import loss as losses
import model
import pytorch_ssim

SIZE, FACTOR = 32, 2


def build():
    return model.Generator(FACTOR), model.Discriminator(), losses.GeneratorLoss()


def images(seed, rows, size):
    return torch.from_numpy(np.random.RandomState(seed).rand(rows, 3, size, size).astype("float32"))


def forward(generator, discriminator, criterion):
    generator.eval()
    discriminator.eval()
    made, real = generator(images(0, 2, SIZE // FACTOR)), images(1, 2, SIZE)
    judged = discriminator(made)
    return {
        "made": made,
        "judged": judged,
        "loss": criterion(judged.mean(), made, real),
        "ssim": lambda: pytorch_ssim.ssim(made, real),
        "ssim_module": lambda: pytorch_ssim.SSIM(window_size=7)(made, real),
    }


def pictures(folder, rows, size):
    os.makedirs(folder, exist_ok=True)
    for row in range(rows):
        pixels = np.random.RandomState(row).randint(0, 256, (8, 8, 3)).astype("uint8")
        Image.fromarray(pixels).resize((size, size), Image.BICUBIC).save(f"{folder}/{row}.png")


def train(generator, discriminator, criterion):
    """The script itself, with our networks; all pictures are one batch."""
    pictures("data/DIV2K_train_HR", 4, SIZE)
    pictures("data/DIV2K_valid_HR", 5, SIZE + 3)
    os.makedirs("epochs", exist_ok=True)
    made = model.Generator, model.Discriminator, losses.GeneratorLoss
    model.Generator = lambda factor: generator
    model.Discriminator = lambda: discriminator
    losses.GeneratorLoss = lambda: criterion
    arguments = sys.argv
    sys.argv = ["train.py", "--crop_size", str(SIZE), "--upscale_factor", str(FACTOR), "--num_epochs", "2"]
    try:
        results = runpy.run_path("train.py", run_name="__main__")["results"]
    finally:
        model.Generator, model.Discriminator, losses.GeneratorLoss = made
        sys.argv = arguments
    return {
        "d_loss": results["d_loss"],
        "g_loss": results["g_loss"],
        "d_score": results["d_score"],
        "psnr": [float(value) for value in results["psnr"]],
        "ssim": results["ssim"],
        "generator": generator.block8[-1].bias,
        "prelu": generator.block2.prelu.weight,
        "mean": generator.block7[1].running_mean,
        "discriminator": discriminator.net[-1].bias,
    }
