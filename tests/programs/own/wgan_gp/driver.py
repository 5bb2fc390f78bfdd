import numpy as np
import torch

from networks import Critic, Generator
from penalty import gradient_penalty
from train import train as train_wgan

IMG_SHAPE, LATENT = (1, 6, 6), 5


def build():
    return Generator(LATENT, IMG_SHAPE), Critic(IMG_SHAPE)


def batch(seed):
    rng = np.random.RandomState(seed)
    real = torch.from_numpy(rng.uniform(-1, 1, (8, *IMG_SHAPE)).astype("float32"))
    z = torch.from_numpy(rng.randn(8, LATENT).astype("float32"))
    alpha = torch.from_numpy(rng.rand(8, 1, 1, 1).astype("float32"))
    return real, z, alpha


def forward(generator, critic):
    generator.eval()
    real, z, alpha = batch(0)
    fake = generator(z)
    return {"fake": fake, "score": critic(real), "penalty": gradient_penalty(critic, real, fake.detach(), alpha)}


def train(generator, critic):
    d_losses, g_losses = train_wgan(generator, critic, [batch(seed) for seed in range(1, 5)])
    return {
        "d": d_losses,
        "g": g_losses,
        "critic": critic.model[0].weight,
        "generator": generator.model[0].weight,
    }
