import os
import runpy
import sys

import numpy as np
import torch

from export import version1_export
from model import ModelArgs, Transformer
from tinystories import Task

WORDS, LENGTH = 60, 16
SETTINGS = dict(dim=32, n_layers=2, n_heads=4, n_kv_heads=2, vocab_size=WORDS, multiple_of=8, max_seq_len=LENGTH, dropout=0.0)

# Two pretokenized shards, as tinystories.py writes them.
os.makedirs(f"data/tok{WORDS}", exist_ok=True)
for shard in range(3):
    words = np.random.RandomState(shard).randint(0, WORDS, 30 * LENGTH)
    words.astype(np.uint16).tofile(f"data/tok{WORDS}/data{shard:02d}.bin")


def build():
    return Transformer(ModelArgs(**SETTINGS))


def tokens(seed, count=2, length=LENGTH):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, WORDS, (count, length)).astype(np.int64))


def with_loss(model):
    logits = model(tokens(1), tokens(2))
    return torch.cat([logits.flatten(), model.last_loss.view(1)])


def exported(model):
    version1_export(model, "model.bin")
    return torch.from_numpy(np.fromfile("model.bin", dtype=np.uint8)[256:].view(np.float32).copy())


def forward(model):
    model.eval()
    with torch.no_grad():
        return {
            "last": lambda: model(tokens(0)),
            "loss": lambda: with_loss(model),
            "longest": lambda: model.generate(tokens(3, 1, 12), 6, temperature=0.0).float(),
            "exported": lambda: exported(model),
        }


def accumulated(model):
    """What the loop of train.py does, with the repository's own data and optimizer."""
    batches = Task.iter_batches(
        batch_size=2, device="cpu", split="train", max_seq_len=LENGTH, vocab_size=WORDS, vocab_source="custom"
    )
    optimizer = model.configure_optimizers(0.1, 1e-2, (0.9, 0.95), "cpu")
    losses = []
    for _ in range(3):
        for _ in range(2):
            x, y = next(batches)
            model(x, y)
            loss = model.last_loss / 2
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(loss.item())
    return losses


def resumed(model):
    """Some steps of train.py itself, which takes up a checkpoint and writes another one."""
    os.makedirs("out", exist_ok=True)
    state = {"model": model.state_dict(), "model_args": dict(SETTINGS), "iter_num": 0, "best_val_loss": 1e9}
    torch.save(state, "out/ckpt.pt")
    options = dict(
        init_from="resume",
        device="cpu",
        dtype="float32",
        compile=False,
        vocab_source="custom",
        batch_size=2,
        gradient_accumulation_steps=2,
        eval_iters=2,
        eval_interval=3,
        max_iters=3,
        warmup_iters=2,
        learning_rate=0.01,
        always_save_checkpoint=True,
        **SETTINGS,
    )
    sys.argv = ["train.py", *(f"--{name}={value}" for name, value in options.items())]
    script = runpy.run_path("train.py", run_name="__main__")
    return script["lossf"], float(script["losses"]["val"]), script["raw_model"]


def train(model):
    model.train()
    lossf, val, raw_model = resumed(model)
    losses = accumulated(model)
    return {
        "script": [lossf, val],
        "script_query": raw_model.layers[0].attention.wq.weight,
        "losses": losses,
        "query": model.layers[1].attention.wq.weight,
        "head": model.output.weight,
        "norm": model.norm.weight,
    }


def init():
    net = Transformer(ModelArgs(**{**SETTINGS, "dim": 64, "vocab_size": 200}))
    return {"head": net.output.weight, "w3": net.layers[0].feed_forward.w3.weight, "wq": net.layers[0].attention.wq.weight}
