"""A small language model: embeddings, causal attention with a mask kept as a buffer, and tied weights."""

import math

import torch
import torch.nn as nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width, heads, length, drop=0.1):
        super().__init__()
        assert width % heads == 0
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.drop = nn.Dropout(drop)
        self.register_buffer("mask", torch.tril(torch.ones(length, length)).view(1, 1, length, length))

    def forward(self, x):
        batch, time, width = x.size()
        q, k, v = self.qkv(x).split(width, dim=2)
        q = q.view(batch, time, self.heads, width // self.heads).transpose(1, 2)
        k = k.view(batch, time, self.heads, width // self.heads).transpose(1, 2)
        v = v.view(batch, time, self.heads, width // self.heads).transpose(1, 2)
        scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        scores = scores.masked_fill(self.mask[:, :, :time, :time] == 0, float("-inf"))
        weights = self.drop(F.softmax(scores, dim=-1))
        y = (weights @ v).transpose(1, 2).contiguous().view(batch, time, width)
        return self.drop(self.out(y))


class Block(nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.first = nn.LayerNorm(width)
        self.attention = Attention(width, heads, length)
        self.second = nn.LayerNorm(width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1)
        )

    def forward(self, x):
        x = x + self.attention(self.first(x))
        return x + self.mlp(self.second(x))


class SmallGPT(nn.Module):
    def __init__(self, words=50, width=32, heads=2, layers=2, length=16):
        super().__init__()
        self.length = length
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(length, width)
        self.blocks = nn.ModuleList([Block(width, heads, length) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)
        self.apply(self._start)

    def _start(self, module):
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)

    def forward(self, ids):
        batch, time = ids.shape
        assert time <= self.length, "too long"
        place = torch.arange(0, time, dtype=torch.long, device=ids.device).unsqueeze(0)
        x = self.words(ids) + self.places(place)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))
