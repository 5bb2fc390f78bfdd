"""Keeps the gradient of the critic near one, between real and generated images."""

import torch


def gradient_penalty(critic, real, fake):
    share = torch.rand(real.size(0), 1, 1, 1)
    mixed = (share * real + (1 - share) * fake.detach()).requires_grad_(True)
    score = critic(mixed)
    (gradient,) = torch.autograd.grad(score, mixed, torch.ones_like(score), create_graph=True)
    return ((gradient.flatten(1).norm(2, dim=1) - 1) ** 2).mean()
