import numpy as np
import torch
from model import Discriminator, Generator
from torch import optim
from train import accumulate, d_logistic_loss, d_r1_loss, g_nonsaturating_loss, requires_grad

SIZE, LATENT, BATCH = 8, 64, 4


def build():
    return Generator(SIZE, LATENT, 2), Discriminator(SIZE), Generator(SIZE, LATENT, 2)


def noise(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(BATCH, LATENT).astype("float32"))


def images(seed):
    return torch.from_numpy(
        np.random.RandomState(seed).uniform(-1, 1, (BATCH, 3, SIZE, SIZE)).astype("float32")
    )


def forward(generator, discriminator, g_ema):
    generator.eval()
    discriminator.eval()
    with torch.no_grad():
        fake, latents = generator([noise(0)], return_latents=True, randomize_noise=False)
        mixed, _ = generator([noise(0), noise(1)], inject_index=2, randomize_noise=False)
        scores = discriminator(fake)
        accumulate(g_ema, generator, 0)
        mean_latent = g_ema.get_latent(noise(2)).mean(0, keepdim=True)
        truncated, _ = g_ema([noise(0)], truncation=0.7, truncation_latent=mean_latent, randomize_noise=False)
    return {"fake": fake, "latents": latents, "mixed": mixed, "scores": scores, "truncated": truncated}


def train(generator, discriminator, g_ema):
    """The steps of the repository's train(), whose noise is drawn within: without mixing and path lengths."""
    r1, d_reg_every, lr = 10, 2, 0.0002
    d_reg_ratio = d_reg_every / (d_reg_every + 1)
    g_optim = optim.Adam(generator.parameters(), lr=lr, betas=(0.0, 0.99))
    d_optim = optim.Adam(
        discriminator.parameters(), lr=lr * d_reg_ratio, betas=(0**d_reg_ratio, 0.99**d_reg_ratio)
    )
    accumulate(g_ema, generator, 0)
    d_losses, r1_losses, g_losses = [], [], []
    for i in range(3):
        real_img = images(i)
        requires_grad(generator, False)
        requires_grad(discriminator, True)
        fake_img, _ = generator([noise(10 + i)], randomize_noise=False)
        d_loss = d_logistic_loss(discriminator(real_img), discriminator(fake_img))
        discriminator.zero_grad()
        d_loss.backward()
        d_optim.step()

        if i % d_reg_every == 0:
            real_img.requires_grad = True
            real_pred = discriminator(real_img)
            r1_loss = d_r1_loss(real_pred, real_img)
            discriminator.zero_grad()
            (r1 / 2 * r1_loss * d_reg_every + 0 * real_pred[0]).backward()
            d_optim.step()
            r1_losses.append(r1_loss.item())

        requires_grad(generator, True)
        requires_grad(discriminator, False)
        fake_img, _ = generator([noise(20 + i)], randomize_noise=False)
        g_loss = g_nonsaturating_loss(discriminator(fake_img))
        generator.zero_grad()
        g_loss.backward()
        g_optim.step()
        accumulate(g_ema, generator, 0.5)
        d_losses.append(d_loss.item())
        g_losses.append(g_loss.item())
    return {
        "d_losses": d_losses,
        "r1_losses": r1_losses,
        "g_losses": g_losses,
        "to_rgb": generator.to_rgb1.bias,
        "activation": generator.conv1.activate.bias,
        "average": g_ema.conv1.activate.bias,
        "score": discriminator.final_linear[1].weight,
    }


def init():
    net = Generator(SIZE, LATENT, 2)
    return {"constant": net.input.input, "style": net.style[1].weight, "conv": net.conv1.conv.weight}
