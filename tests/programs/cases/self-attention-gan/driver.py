import sys

import numpy as np
import torch

import trainer as sagan_trainer
from parameter import get_parameters
from sagan_models import Discriminator, Generator
from spectral import SpectralNorm
from utils import denorm, var2numpy

BATCH, Z = 3, 8
sys.argv = ["main.py", "--imsize", "64", "--batch_size", str(BATCH), "--z_dim", str(Z), "--total_step", "2"]
sys.argv += ["--log_step", "100", "--sample_step", "100", "--model_save_step", "100"]


def build():
    return Generator(BATCH, 64, Z, 64), Discriminator(BATCH, 64, 64)


def init():
    torch.manual_seed(1)
    layer = SpectralNorm(torch.nn.Conv2d(16, 32, 3))
    return {"u": layer.module.weight_u * 10, "bar": layer.module.weight_bar}


def noise(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(BATCH, Z).astype("float32"))


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (BATCH, 3, 64, 64)).astype("float32"))


def forward(generator, discriminator):
    fake, attention1, attention2 = generator(noise(0))
    return {
        "fake": fake,
        "attention": [attention1, attention2],
        "critic": lambda: discriminator(images(0)),
        "denorm": lambda: denorm(fake.data.clone()),
        "numpy": lambda: var2numpy(fake),
    }


def train(generator, discriminator):
    torch.manual_seed(0)
    losses, results = {}, {}
    states = [generator.state_dict(), discriminator.state_dict()]
    states = [{key: value.clone() for key, value in state.items()} for state in states]
    for kind in ("hinge", "wgan-gp"):
        config = get_parameters()
        config.adv_loss = kind
        drawn = iter(range(100))
        # Its noise: batches of it and the real images go through tensor2var.
        sagan_trainer.tensor2var = lambda x: noise(next(drawn)) if x.dim() == 2 else x
        trainer = sagan_trainer.Trainer([(images(step), None) for step in range(2)], config)
        trainer.G.load_state_dict(states[0])
        trainer.D.load_state_dict(states[1])
        if kind == "hinge":
            trainer.train()
            continue_with = trainer
        else:
            losses["penalised"] = wasserstein_step(trainer)
        results[kind] = trainer.G.attn1.gamma
        results[kind + "_bar"] = trainer.D.l1[0].module.weight_bar
    trainer = continue_with
    with torch.no_grad():
        losses["score"] = trainer.D(trainer.G(noise(50))[0])[0]
    return {**losses, **results}


def wasserstein_step(trainer):
    """The steps of Trainer.train with a mix of the two batches that is not drawn."""
    losses = []
    for step in range(2):
        real_images = images(step)
        d_out_real, _, _ = trainer.D(real_images)
        fake_images, _, _ = trainer.G(noise(step))
        d_out_fake, _, _ = trainer.D(fake_images)
        d_loss = -torch.mean(d_out_real) + d_out_fake.mean()
        trainer.reset_grad()
        d_loss.backward()
        trainer.d_optimizer.step()

        alpha = torch.full((real_images.size(0), 1, 1, 1), 0.3).expand_as(real_images)
        interpolated = torch.autograd.Variable(
            alpha * real_images.data + (1 - alpha) * fake_images.data, requires_grad=True
        )
        out, _, _ = trainer.D(interpolated)
        grad = torch.autograd.grad(
            outputs=out, inputs=interpolated, grad_outputs=torch.ones(out.size()),
            retain_graph=True, create_graph=True, only_inputs=True,
        )[0]  # fmt: skip
        grad = grad.view(grad.size(0), -1)
        grad_l2norm = torch.sqrt(torch.sum(grad**2, dim=1))
        d_loss_gp = torch.mean((grad_l2norm - 1) ** 2)
        d_loss = trainer.lambda_gp * d_loss_gp
        trainer.reset_grad()
        d_loss.backward()
        trainer.d_optimizer.step()
        losses.append(d_loss.item())
    return losses
