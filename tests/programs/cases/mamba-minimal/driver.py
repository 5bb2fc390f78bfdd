import math

import numpy as np
import torch
import torch.nn.functional as F

from model import Mamba, MambaBlock, ModelArgs, RMSNorm

TOKENS, LENGTH = 30, 12


def build():
    return Mamba(ModelArgs(d_model=16, n_layer=2, vocab_size=TOKENS, d_state=4))


def sequences(seed, length=LENGTH):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, TOKENS, (3, length)))


def generate(model, prompt, tokens):
    """The repository's demo without the dice."""
    model.eval()
    input_ids = prompt
    for _ in range(tokens):
        with torch.no_grad():
            next_token_logits = model(input_ids)[:, -1]
        probs = F.softmax(next_token_logits, dim=-1)
        values, indices = torch.topk(probs, k=5)
        probs[probs < values[:, -1, None]] = 0
        probs = probs / probs.sum(axis=1, keepdims=True)
        input_ids = torch.cat([input_ids, torch.argmax(probs, dim=-1)[:, None]], dim=1)
    return input_ids


def forward(model):
    model.eval()
    hidden = torch.from_numpy(np.random.RandomState(5).randn(3, LENGTH, 16).astype("float32"))
    return {
        "logits": model(sequences(0)),
        "block": lambda: model.layers[0].mixer(hidden),
        "norm": lambda: model.norm_f(hidden),
        "generated": lambda: generate(model, sequences(1, 4), 4),
    }


def train(model):
    model.train()
    decay = [p for p in model.parameters() if p.ndim >= 2]
    rest = [p for p in model.parameters() if p.ndim < 2]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=2e-3
    )
    losses = []
    for step in range(3):
        tokens = sequences(10 + step, LENGTH + 1)
        logits = model(tokens[:, :-1])
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), tokens[:, 1:].reshape(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return {
        "losses": losses,
        "perplexity": math.exp(losses[-1]),
        "embedding": model.embedding.weight,
        "A_log": model.layers[0].mixer.A_log,
        "conv": model.layers[1].mixer.conv1d.weight,
        "delta": model.layers[1].mixer.dt_proj.bias,
    }


def init():
    block = MambaBlock(ModelArgs(d_model=32, n_layer=1, vocab_size=TOKENS))
    return {"A_log": block.A_log, "in": block.in_proj.weight, "norm": RMSNorm(16).weight}
