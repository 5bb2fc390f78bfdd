import itertools
import os

import numpy as np
import torch
import torchvision.transforms as transforms
from PIL import Image
from torch.autograd import Variable
from torch.utils.data import DataLoader

from datasets import ImageDataset
from models import Discriminator, Generator
from utils import LambdaLR, Logger, ReplayBuffer, weights_init_normal

size, epochs = 32, 2

rng = np.random.RandomState(0)
for domain in "AB":
    os.makedirs(f"pictures/train/{domain}", exist_ok=True)
    for number in range(2):
        picture = (255 * rng.rand(8, 8, 3)).astype("uint8")
        Image.fromarray(picture).save(f"pictures/train/{domain}/{number}.png")


def build():
    return Generator(3, 3, n_residual_blocks=2), Generator(3, 3, 2), Discriminator(3), Discriminator(3)


def init():
    nets = Generator(3, 3, 2), Discriminator(3)
    for net in nets:
        net.apply(weights_init_normal)
    return {
        "generator": nets[0].model[1].weight,
        "up": nets[0].model[12].weight,
        "discriminator": nets[1].model[2].weight,
    }


def pictures(seed):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (2, 3, size, size)).astype("float32"))


def forward(a2b, b2a, net_a, net_b):
    for net in (a2b, b2a, net_a, net_b):
        net.eval()
    return {
        "fake_b": a2b(pictures(0)),
        "fake_a": b2a(pictures(1)),
        "real_a": net_a(pictures(2)),
        "real_b": net_b(pictures(3)),
    }


def train(a2b, b2a, net_a, net_b):
    for net in (a2b, b2a, net_a, net_b):
        net.train()
    adversarial, cycle, identity = torch.nn.MSELoss(), torch.nn.L1Loss(), torch.nn.L1Loss()
    optimizer_g = torch.optim.Adam(
        itertools.chain(a2b.parameters(), b2a.parameters()), lr=0.0002, betas=(0.5, 0.999)
    )
    optimizer_a = torch.optim.Adam(net_a.parameters(), lr=0.0002, betas=(0.5, 0.999))
    optimizer_b = torch.optim.Adam(net_b.parameters(), lr=0.0002, betas=(0.5, 0.999))
    schedulers = [
        torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=LambdaLR(epochs, 0, 0).step)
        for optimizer in (optimizer_g, optimizer_a, optimizer_b)
    ]

    Tensor = torch.Tensor
    input_a, input_b = Tensor(1, 3, size, size), Tensor(1, 3, size, size)
    real = Variable(Tensor(1, 1).fill_(1.0), requires_grad=False)
    fake = Variable(Tensor(1, 1).fill_(0.0), requires_grad=False)
    buffer_a, buffer_b = ReplayBuffer(), ReplayBuffer()

    steps = [
        transforms.Resize(size, Image.BICUBIC),
        transforms.ToTensor(),
        transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
    ]
    loader = DataLoader(ImageDataset("pictures", transforms_=steps), batch_size=1, shuffle=False)
    logger = Logger(epochs, len(loader))

    losses = []
    for _ in range(epochs):
        for batch in loader:
            real_a = Variable(input_a.copy_(batch["A"]))
            real_b = Variable(input_b.copy_(batch["B"]))

            optimizer_g.zero_grad()
            loss_identity = identity(a2b(real_b), real_b) * 5.0 + identity(b2a(real_a), real_a) * 5.0
            fake_b, fake_a = a2b(real_a), b2a(real_b)
            loss_gan = adversarial(net_b(fake_b), real) + adversarial(net_a(fake_a), real)
            loss_cycle = cycle(b2a(fake_b), real_a) * 10.0 + cycle(a2b(fake_a), real_b) * 10.0
            loss_g = loss_identity + loss_gan + loss_cycle
            loss_g.backward()
            optimizer_g.step()

            optimizer_a.zero_grad()
            loss_real = adversarial(net_a(real_a), real)
            fake_a = buffer_a.push_and_pop(fake_a)
            loss_a = (loss_real + adversarial(net_a(fake_a.detach()), fake)) * 0.5
            loss_a.backward()
            optimizer_a.step()

            optimizer_b.zero_grad()
            loss_real = adversarial(net_b(real_b), real)
            fake_b = buffer_b.push_and_pop(fake_b)
            loss_b = (loss_real + adversarial(net_b(fake_b.detach()), fake)) * 0.5
            loss_b.backward()
            optimizer_b.step()

            logger.log(
                {"loss_G": loss_g, "loss_G_cycle": loss_cycle, "loss_D": (loss_a + loss_b)},
                images={"real_A": real_a, "fake_B": fake_b},
            )
            losses.append([loss_g.item(), loss_a.item(), loss_b.item()])
        for scheduler in schedulers:
            scheduler.step()
    return {
        "losses": np.array(losses),
        "lr": [optimizer_g.param_groups[0]["lr"]],
        "generator": a2b.model[1].weight,
        "discriminator": net_b.model[0].weight,
    }
