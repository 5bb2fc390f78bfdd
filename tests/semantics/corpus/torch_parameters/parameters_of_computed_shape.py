"""Parameters whose sizes come from arithmetic, other tensors, and shapes."""

import math

import torch
import torch.nn as nn


class Patches(nn.Module):
    def __init__(self, image=32, patch=8, width=6):
        super().__init__()
        count = (image // patch) ** 2
        self.cls_token = nn.Parameter(torch.zeros(1, 1, width))
        self.pos_embed = nn.Parameter(torch.randn(1, count + 1, width) * 0.02)
        self.proj = nn.Conv2d(3, width, kernel_size=patch, stride=patch)
        self.scale = nn.Parameter(torch.tensor(math.sqrt(width)))
        self.table = nn.Parameter(torch.zeros((2 * patch - 1) * (2 * patch - 1), 2))
        self.gamma = nn.Parameter(1e-5 * torch.ones(width), requires_grad=True)
        self.copy = nn.Parameter(torch.zeros_like(self.pos_embed.data[:, 1:]))


answer = Patches()
answer_small = Patches(image=16, width=2)
answer_shape = tuple(answer.pos_embed.shape)
