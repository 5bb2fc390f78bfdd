import json
import os
import random
import shutil

import numpy as np
import torch
from PIL import Image

import models
import train_srgan
import train_srresnet
from datasets import SRDataset
from utils import adjust_learning_rate, convert_image, create_data_lists

SMALL = {"large_kernel_size": 5, "small_kernel_size": 3, "n_channels": 8, "n_blocks": 2}


def build():
    return (
        models.SRResNet(**SMALL, scaling_factor=4),
        models.Generator(**SMALL, scaling_factor=4),
        models.Discriminator(n_channels=4, n_blocks=4),
        models.TruncatedVGG19(i=2, j=2),
    )


def init():
    torch.manual_seed(1)
    net, critic = models.SRResNet(), models.Discriminator(n_channels=16, n_blocks=4)
    return {
        "first": net.conv_block1.conv_block[0].weight,
        "bias": net.residual_blocks[0].conv_block1.conv_block[0].bias,
        "up": net.subpixel_convolutional_blocks[0].conv.weight,
        "slope": net.subpixel_convolutional_blocks[1].prelu.weight,
        "fc": critic.fc1.weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def pictures():
    for folder, rows in (("photos", 4), ("Set5", 2)):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for row in range(rows):
            pixels = np.random.RandomState(row).randint(0, 256, (11, 13, 3)).astype("uint8")
            Image.fromarray(pixels).resize((130, 110 + row), Image.BICUBIC).save(f"{folder}/{row}.png")
    create_data_lists(train_folders=["photos"], test_folders=["Set5"], min_size=100, output_folder="./")
    with open("train_images.json") as file:
        names = sorted(json.load(file))
    with open("train_images.json", "w") as file:
        json.dump(names, file)


def tested():
    pictures()
    data = SRDataset(
        "./", split="test", crop_size=0, scaling_factor=4, lr_img_type="imagenet-norm", hr_img_type="[-1, 1]",
        test_data_name="Set5",
    )  # fmt: skip
    low, high = data[0]
    return convert_image(high.unsqueeze(0), source="[-1, 1]", target="y-channel")[0, ::6, ::6] + low.mean()


def forward(net, generator, discriminator, vgg):
    for one in (net, generator, discriminator, vgg):
        one.eval()
    shown = torch.tanh(array(5, 3, 6, 7))
    return {
        "up": lambda: net(array(0, 2, 3, 6, 8)),
        "generated": lambda: generator(array(1, 2, 3, 5, 5)),
        "judged": lambda: discriminator(array(2, 3, 3, 24, 24)),
        "pooled": lambda: discriminator(array(3, 3, 3, 30, 18)),
        "features": lambda: vgg(array(4, 1, 3, 16, 16)),
        "norm": lambda: convert_image(shown, source="[-1, 1]", target="imagenet-norm"),
        "pil": lambda: np.asarray(convert_image(shown, source="[-1, 1]", target="pil")).astype("float32"),
        "dataset": tested,
    }


def resnet(net):
    """The first script, and once more from what it saved."""
    program = train_srresnet
    program.SRResNet = lambda **settings: net
    program.crop_size, program.batch_size, program.workers, program.print_freq = 24, 2, 0, 1
    program.iterations, program.lr, program.grad_clip = 3, 1e-3, 0.02
    random.seed(2)
    program.main()
    program.checkpoint, program.iterations = "checkpoint_srresnet.pth.tar", 4
    program.main()
    return torch.load("checkpoint_srresnet.pth.tar", weights_only=False)


def gan(generator, discriminator, vgg):
    program = train_srgan
    program.Generator, program.Discriminator = lambda **settings: generator, lambda **settings: discriminator
    program.TruncatedVGG19 = lambda i, j: vgg
    program.crop_size, program.batch_size, program.workers, program.print_freq = 24, 2, 0, 1
    program.iterations, program.lr = 3, 1e-3
    random.seed(3)
    program.main()
    return torch.load("checkpoint_srgan.pth.tar", weights_only=False)


def train(net, generator, discriminator, vgg):
    pictures()
    first = resnet(net)
    second = gan(generator, discriminator, vgg)
    adjust_learning_rate(second["optimizer_g"], 0.1)
    # With the statistics of the batch: a bias before a norm has no gradient but rounding, and Adam makes steps of that.
    first["model"].train()
    second["generator"].train()
    with torch.no_grad():
        up, generated = first["model"](array(7, 2, 3, 6, 6)), second["generator"](array(8, 2, 3, 6, 6))
    return {
        "epochs": [first["epoch"], second["epoch"]],
        "up": up,
        "generated": generated,
        "resumed": first["model"].residual_blocks[1].conv_block1.conv_block[0].weight,
        "slope": first["model"].conv_block1.conv_block[1].weight,
        "norm": generator.net.conv_block2.conv_block[1].running_var,
        "disc": discriminator.conv_blocks[2].conv_block[0].weight,
        "fc": second["discriminator"].fc2.weight,
        "rates": [second["optimizer_g"].param_groups[0]["lr"], second["optimizer_d"].param_groups[0]["lr"]],
    }
