"""Generator and critic of a DCGAN, with weights set by class name."""

import torch.nn as nn


def start(module):
    name = module.__class__.__name__
    if name.find("Conv") != -1:
        nn.init.normal_(module.weight.data, 0.0, 0.02)
    elif isinstance(module, nn.BatchNorm2d):
        nn.init.normal_(module.weight.data, 1.0, 0.02)
        nn.init.constant_(module.bias.data, 0)


class Generator(nn.Module):
    def __init__(self, noise=8, width=4, channels=3):
        super(Generator, self).__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(noise, width * 2, 4, 1, 0, bias=False),
            nn.BatchNorm2d(width * 2),
            nn.ReLU(True),
            nn.ConvTranspose2d(width * 2, width, 4, 2, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(True),
            nn.ConvTranspose2d(width, channels, 4, 2, 1, bias=False),
            nn.Tanh(),
        )
        self.apply(start)

    def forward(self, input):
        return self.main(input)


class Critic(nn.Module):
    def __init__(self, channels=3, width=4):
        super(Critic, self).__init__()
        self.main = nn.Sequential(
            nn.Conv2d(channels, width, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(width, width * 2, 4, 2, 1, bias=False),
            nn.BatchNorm2d(width * 2),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(width * 2, 1, 4, 1, 0, bias=False),
            nn.Sigmoid(),
        )
        self.apply(start)

    def forward(self, input):
        return self.main(input).view(-1, 1).squeeze(1)
