"""GANs with a method for each part of the step: the graph of the generator is shared by two losses, weights are frozen
in between, and the penalty on gradients comes from another function."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import autograd


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 12)
        self.last = nn.Linear(12, 6)

    def forward(self, z):
        return torch.tanh(self.last(F.leaky_relu(self.first(z), 0.2)))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 12)
        self.last = nn.Linear(12, 1)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)))


class TwoNetworks:
    def __init__(self, generator, critic):
        self.net_g, self.net_d = generator, critic
        self.optimizer_g = torch.optim.Adam(generator.parameters(), lr=0.01, betas=(0.5, 0.999))
        self.optimizer_d = torch.optim.Adam(critic.parameters(), lr=0.01, betas=(0.5, 0.999))

    def set_input(self, noise, real):
        self.noise, self.real = noise, real

    def forward(self):
        self.fake = self.net_g(self.noise)

    def set_requires_grad(self, network, value):
        for parameter in network.parameters():
            parameter.requires_grad = value

    def backward_d(self):
        fake = self.net_d(self.fake.detach())
        real = self.net_d(self.real)
        self.loss_d = 0.5 * (
            F.binary_cross_entropy_with_logits(fake, torch.zeros_like(fake))
            + F.binary_cross_entropy_with_logits(real, torch.ones_like(real))
        )
        self.loss_d.backward()

    def backward_g(self):
        fake = self.net_d(self.fake)
        self.loss_g = F.binary_cross_entropy_with_logits(fake, torch.ones_like(fake))
        (self.loss_g + F.l1_loss(self.fake, self.real)).backward()

    def optimize_parameters(self):
        self.forward()
        self.set_requires_grad(self.net_d, True)
        self.optimizer_d.zero_grad()
        self.backward_d()
        self.optimizer_d.step()
        self.set_requires_grad(self.net_d, False)
        self.optimizer_g.zero_grad()
        self.backward_g()
        self.optimizer_g.step()
        return self.loss_d.item(), self.loss_g.item()


def gradient_penalty(critic, real, fake, alpha):
    mixed = alpha * real + (1 - alpha) * fake
    mixed.requires_grad_(True)
    score = critic(mixed)
    gradients = autograd.grad(
        outputs=score,
        inputs=mixed,
        grad_outputs=torch.ones_like(score),
        create_graph=True,
        retain_graph=True,
    )[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


class Penalised:
    def __init__(self, generator, critic):
        self.generator, self.critic = generator, critic
        self.generator_optimizer = torch.optim.RMSprop(generator.parameters(), lr=0.005)
        self.critic_optimizer = torch.optim.RMSprop(critic.parameters(), lr=0.005)

    def train_critic(self, noise, real, alpha):
        self.critic_optimizer.zero_grad()
        fake = self.generator(noise).detach()
        loss = self.critic(fake).mean() - self.critic(real).mean()
        loss = loss + 10 * gradient_penalty(self.critic, real, fake, alpha)
        self.minimise(loss)
        self.critic_optimizer.step()
        return loss.item()

    def train_generator(self, noise):
        self.generator_optimizer.zero_grad()
        loss = -self.critic(self.generator(noise)).mean()
        self.minimise(loss)
        self.generator_optimizer.step()
        return loss.item()

    def minimise(self, loss):
        loss.backward()


def networks():
    return Generator(), Critic(), Generator(), Critic()


def run(generator, critic, other, judge, arrays):
    losses = []
    pair, penalised = TwoNetworks(generator, critic), Penalised(other, judge)
    for i in range(4):
        noise, real = torch.from_numpy(arrays["noise"][i]), torch.from_numpy(arrays["real"][i])
        pair.set_input(noise, real)
        losses.extend(pair.optimize_parameters())
        losses.append(penalised.train_critic(noise, real, torch.from_numpy(arrays["alpha"][i])))
        losses.append(penalised.train_generator(noise))
    return losses
