"""A critic on features, trained with a gradient penalty, that makes two domains look alike."""

import torch
from torch import autograd, nn


class Critic(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, 32, 3, stride=2, padding=1),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Flatten(),
            nn.LazyLinear(1),
        )

    def forward(self, features):
        return self.layers(features)


def gradient_penalty(critic, real, fake):
    """Mean squared distance from 1 of the critic's gradient norm, between real and fake."""
    mix = torch.rand(real.size(0), 1, 1, 1, device=real.device)
    between = (mix * real + (1 - mix) * fake).requires_grad_(True)
    score = critic(between)
    (gradient,) = autograd.grad(
        outputs=score, inputs=between, grad_outputs=torch.ones_like(score), create_graph=True, retain_graph=True
    )
    return ((gradient.reshape(gradient.size(0), -1).norm(2, dim=1) - 1) ** 2).mean()


def critic_loss(critic, real, fake, weight=10.0):
    return critic(fake.detach()).mean() - critic(real).mean() + weight * gradient_penalty(critic, real, fake.detach())
