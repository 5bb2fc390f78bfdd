"""A model with the layers whose parameters have other names or shapes in MindSpore, and the user's own."""

import torch
import torch.nn as nn


class EveryLayer(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.embed = nn.Embedding(10, 6)
        self.conv = nn.Conv1d(6, 8, 3, padding=1)
        self.norm = nn.BatchNorm1d(8)
        self.plain_norm = nn.LayerNorm(8, elementwise_affine=False)
        self.group_norm = nn.GroupNorm(2, 8)
        self.act = nn.PReLU(8)
        self.gamma = nn.Parameter(torch.full((8,), 0.5))
        self.register_buffer("scale", torch.full((8,), 2.0))
        self.layers = nn.ModuleList([nn.Linear(8, 8), nn.Sequential(nn.Linear(8, 6), nn.ReLU())])
        self.head = nn.Linear(6, 10)
        self.head.weight = self.embed.weight
        self.final = nn.Linear(10, classes)

    def forward(self, x):
        y = self.embed(x).transpose(1, 2)
        y = self.act(self.group_norm(self.norm(self.conv(y)))).transpose(1, 2)
        y = self.plain_norm(y) * self.gamma * self.scale
        for layer in self.layers:
            y = layer(y)
        return self.final(self.head(y))
