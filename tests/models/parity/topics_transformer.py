"""A small transformer that writes the text of Python's own help, letter by letter; the figure is its loss on text that
it has not seen."""

import argparse
import json
import math
import time
from pydoc_data.topics import topics

import numpy as np
import torch
import torch.nn as nn
from torch.nn import functional as F

BLOCK, WIDTH, HEADS, LAYERS = 32, 48, 4, 2


class SelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.proj = nn.Linear(WIDTH, WIDTH)
        self.dropout = nn.Dropout(0.1)
        self.register_buffer("mask", torch.tril(torch.ones(BLOCK, BLOCK)).view(1, 1, BLOCK, BLOCK))

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.qkv(x).split(WIDTH, dim=2)
        q = q.view(B, T, HEADS, C // HEADS).transpose(1, 2)
        k = k.view(B, T, HEADS, C // HEADS).transpose(1, 2)
        v = v.view(B, T, HEADS, C // HEADS).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
        att = self.dropout(F.softmax(att, dim=-1))
        y = (att @ v).transpose(1, 2).contiguous().view(B, T, C)
        return self.proj(y)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1 = nn.LayerNorm(WIDTH)
        self.attention = SelfAttention()
        self.ln2 = nn.LayerNorm(WIDTH)
        self.mlp = nn.Sequential(
            nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH), nn.Dropout(0.1)
        )

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class Model(nn.Module):
    def __init__(self, letters):
        super().__init__()
        self.tokens = nn.Embedding(letters, WIDTH)
        self.places = nn.Embedding(BLOCK, WIDTH)
        self.blocks = nn.Sequential(*[Block() for _ in range(LAYERS)])
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, letters, bias=False)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, idx, targets):
        x = self.tokens(idx) + self.places(torch.arange(idx.size(1)))
        logits = self.head(self.norm(self.blocks(x)))
        return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))


def batch(data, rng):
    starts = rng.randint(len(data) - BLOCK - 1, size=32)
    x = torch.from_numpy(np.stack([data[i : i + BLOCK] for i in starts]))
    y = torch.from_numpy(np.stack([data[i + 1 : i + 1 + BLOCK] for i in starts]))
    return x, y


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=400)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    rng = np.random.RandomState(args.seed)
    text = "".join(topics[name] for name in sorted(topics))[:200000]
    letters = sorted(set(text))
    data = np.array([letters.index(letter) for letter in text], dtype=np.int64)
    train, held_out = data[:180000], data[180000:]
    model = Model(len(letters))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.95), weight_decay=0.1)
    seconds = []
    for step in range(args.steps):
        x, y = batch(train, rng)
        start = time.perf_counter()
        loss = model(x, y)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        seconds.append(time.perf_counter() - start)
        if (step + 1) % 40 == 0:
            model.eval()
            fixed = np.random.RandomState(1)
            with torch.no_grad():
                losses = [model(*batch(held_out, fixed)).item() for _ in range(8)]
            model.train()
            print(json.dumps({"step": step + 1, "value": float(np.mean(losses))}), flush=True)
    print(json.dumps({"seconds": float(np.median(seconds))}))


if __name__ == "__main__":
    main()
