import numpy as np
import torch
from x_transformers import Decoder, TransformerWrapper
from x_transformers.autoregressive_wrapper import AutoregressiveWrapper

TOKENS, LENGTH = 64, 24


def build():
    """The language model of the repository's train_enwik8.py, small."""
    model = TransformerWrapper(
        num_tokens=TOKENS,
        max_seq_len=LENGTH,
        attn_layers=Decoder(
            dim=32,
            depth=2,
            heads=4,
            attn_dim_head=8,
            rotary_pos_emb=False,
            polar_pos_emb=True,
            pre_and_post_norm=True,
        ),
    )
    return AutoregressiveWrapper(model)


def sequences(seed, length=LENGTH + 1):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, TOKENS, (2, length)).astype("int64"))


def forward(model):
    model.eval()
    with torch.no_grad():
        loss = model(sequences(0))
        logits = model.net(sequences(0, LENGTH))
    return {"loss": loss, "logits": logits}


def train(model):
    optim = torch.optim.Adam(model.parameters(), lr=1e-3)
    gradient_accumulate_every = 2
    losses = []
    for i in range(3):
        model.train()
        for j in range(gradient_accumulate_every):
            loss = model(sequences(10 * i + j))
            (loss / gradient_accumulate_every).backward()
            losses.append(loss.item())
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optim.step()
        optim.zero_grad()
    model.eval()
    sample = model.generate(prompts=sequences(99, 4)[0], seq_len=6, temperature=0.0, cache_kv=True)
    return {"losses": losses, "sample": sample, "embedding": model.net.token_emb.emb.weight}


def init():
    net = build().net
    return {"embedding": net.token_emb.emb.weight, "logits": net.to_logits.weight}
