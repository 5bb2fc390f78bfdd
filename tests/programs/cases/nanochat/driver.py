import os

os.environ["NANOCHAT_DTYPE"] = "float32"
os.environ["TORCHDYNAMO_DISABLE"] = "1"  # the compiled kernels are the same functions

import numpy as np
import torch

from nanochat.engine import KVCache, sample_next_token
from nanochat.flash_attention import flash_attn
from nanochat.gpt import GPT, GPTConfig, apply_rotary_emb, norm
from nanochat.loss_eval import evaluate_bpb

WORDS, LENGTH = 61, 16
settings = {
    "sequence_len": LENGTH,
    "vocab_size": WORDS,
    "n_layer": 4,
    "n_head": 4,
    "n_kv_head": 2,
    "n_embd": 32,
}


def build():
    plain = GPT(GPTConfig(**settings))
    plain.init_weights()
    with torch.device("cpu"):
        windowed = GPT(
            GPTConfig(**{**settings, "n_kv_head": 4, "n_layer": 3, "window_pattern": "SL"}),
            pad_vocab_size_to=1,
        )
    windowed.init_weights()
    windowed.window_sizes[0] = (5, 0)  # shorter than a tile of the kernel on a GPU
    for net in (plain, windowed):  # the projections begin at zero, where nothing would be seen
        for block in net.transformer.h:
            torch.nn.init.normal_(block.attn.c_proj.weight, std=0.05)
            torch.nn.init.normal_(block.mlp.c_proj.weight, std=0.05)
    return plain, windowed


def init():
    torch.manual_seed(1)
    model = GPT(GPTConfig(**{**settings, "n_embd": 64}))
    model.init_weights()
    return {
        "wte": model.transformer.wte.weight,
        "head": model.lm_head.weight,
        "query": model.transformer.h[1].attn.c_q.weight,
        "lambdas": model.resid_lambdas,
    }


def tokens(seed, rows=2, length=LENGTH):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, WORDS, (rows, length)))


def cached(model):
    """A prompt at once, then token by token, from what the cache keeps; then the same for two rows of it."""
    config = model.config
    sizes = {
        "num_heads": config.n_kv_head,
        "head_dim": config.n_embd // config.n_head,
        "num_layers": config.n_layer,
    }
    cache = KVCache(batch_size=1, seq_len=8, device="cpu", dtype=torch.float32, **sizes)
    ids = tokens(3, 1)
    outputs = [model(ids[:, :6], kv_cache=cache)[:, -1]]
    for place in range(6, 8):
        outputs.append(model(ids[:, place : place + 1], kv_cache=cache)[:, -1])
    several = KVCache(batch_size=2, seq_len=12, device="cpu", dtype=torch.float32, **sizes)
    several.prefill(cache)
    outputs.append(model(tokens(4, 2, 1), kv_cache=several)[:, -1])
    several.reset()
    assert several.get_pos() == 0
    return torch.cat(outputs)


def bits(model):
    target = tokens(6)
    target[0, :3] = -1
    batches = [(tokens(5), target), (tokens(7), tokens(8))]
    token_bytes = torch.from_numpy(np.random.RandomState(9).randint(0, 4, WORDS))
    return evaluate_bpb(model, batches, 2, token_bytes)


def counts(model):
    return np.array(
        [
            model.estimate_flops(),
            model.estimate_decode_flops(9),
            model.kv_bytes_per_token(),
            model.kv_read_bytes(7),
        ]
        + list(model.num_scaling_params().values())
    )


def forward(plain, windowed):
    plain.eval()
    windowed.eval()
    rng = np.random.RandomState(1)
    query = torch.from_numpy(rng.randn(2, 7, 2, 4).astype("float32"))
    with torch.no_grad():
        return {
            "plain": lambda: plain(tokens(0)),
            "loss": lambda: plain(tokens(1), tokens(2)),
            "windowed": lambda: windowed(tokens(0)),
            "none": lambda: windowed(tokens(0), tokens(1), loss_reduction="none"),
            "cached": lambda: cached(plain),
            "windowed_cached": lambda: cached(windowed),
            "attention": lambda: flash_attn.flash_attn_func(
                query, query, norm(query), causal=True, window_size=(3, 0)
            ),
            "rotary": lambda: apply_rotary_emb(query, plain.cos[:, :7, :, :2], plain.sin[:, :7, :, :2]),
            "generated": lambda: np.array(list(plain.generate([3, 5, 7], 5, temperature=0.0))),
            "next": lambda: sample_next_token(plain(tokens(2))[:, -1], None, temperature=0.0),
            "bits": lambda: torch.tensor(bits(windowed)),
            "counts": lambda: counts(windowed),
        }


def values_of(model: GPT):
    return next(iter(model.value_embeds.values())).weight


def train(plain, windowed):
    """The step of scripts/base_train.py, which cannot be imported, for it reads the command line at once."""
    result = {}
    for name, model in (("plain", plain), ("windowed", windowed)):
        optimizer = model.setup_optimizer(
            unembedding_lr=0.004, embedding_lr=0.02, matrix_lr=0.01, weight_decay=0.1, scalar_lr=0.05
        )
        model.train()
        losses = []
        grad_accum_steps = 2
        for step in range(3):
            for micro_step in range(grad_accum_steps):
                x, y = tokens(10 + 2 * step + micro_step), tokens(11 + 2 * step + micro_step)
                loss = model(x, y)
                train_loss = loss.detach()
                loss = loss / grad_accum_steps
                loss.backward()
            lrm = 1.0 - 0.1 * step
            for group in optimizer.param_groups:
                group["lr"] = group["initial_lr"] * lrm
                if group["kind"] == "muon":
                    group["momentum"] = 0.9 + 0.01 * step
                    group["weight_decay"] = 0.1
            optimizer.step()
            model.zero_grad(set_to_none=True)
            losses.append(train_loss.item())
        result[name + "_losses"] = losses
        result[name + "_wte"] = model.transformer.wte.weight
        result[name + "_query"] = model.transformer.h[0].attn.c_q.weight
        result[name + "_mlp"] = model.transformer.h[1].mlp.c_proj.weight
        result[name + "_head"] = model.lm_head.weight
        result[name + "_lambdas"] = torch.cat([model.resid_lambdas, model.x0_lambdas, model.backout_lambda])
        result[name + "_values"] = values_of(model)
    return result
# After first sight the weight of a table came to be asked of an annotated network: of an unknown one it stays `weight`.
