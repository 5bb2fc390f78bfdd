"""A GPT as people write it: a dataclass of sizes, blocks in a ModuleDict, tied embeddings."""

from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class GPTConfig:
    block_size: int = 16
    vocab_size: int = 20
    n_layer: int = 2
    n_embd: int = 8
    bias: bool = True


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.n_embd, bias=config.bias)
        self.attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.register_buffer("mask", torch.tril(torch.ones(config.block_size, config.block_size)))


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        modules = dict(wte=nn.Embedding(config.vocab_size, config.n_embd), h=nn.ModuleList())
        modules["h"].extend([Block(config) for _ in range(config.n_layer)])
        self.transformer = nn.ModuleDict(modules)
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
        self.transformer.wte.weight = self.lm_head.weight


answer = GPT(GPTConfig())
answer_small = GPT(GPTConfig(n_layer=1, bias=False))
