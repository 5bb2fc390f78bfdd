"""One step of a Wasserstein GAN."""

import torch
from critic import Critic
from penalty import gradient_penalty
from torch import nn


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 192), nn.ELU())

    def forward(self, z):
        return self.net(z).view(-1, 3, 8, 8)


class Trainer:
    def __init__(self):
        self.critic = Critic()
        self.generator = Generator()
        self.optimizer = torch.optim.Adam(self.critic.parameters())

    def critic_step(self, real):
        fake = self.generator(torch.randn(real.size(0), 8))
        loss = self.critic(fake).mean() - self.critic(real).mean()
        loss = loss + 10 * gradient_penalty(self.critic, real, fake)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


if __name__ == "__main__":
    trainer = Trainer()
    for _ in range(3):
        trainer.critic_step(torch.rand(4, 3, 8, 8))
