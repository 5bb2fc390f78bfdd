import os
import pickle
import runpy
import sys

import numpy as np
import torch

from model import GPT, GPTConfig

WORDS, LENGTH, FOLDER = 20, 16, os.path.join("data", "made_up")
SETTINGS = dict(n_layer=2, n_head=4, n_embd=32, block_size=LENGTH, bias=True, vocab_size=WORDS, dropout=0.0)


def made_up():
    """Data of one length that leaves only one place to begin, so that no randomness decides."""
    os.makedirs(FOLDER, exist_ok=True)
    for seed, split in enumerate(("train", "val")):
        words = np.random.RandomState(seed).randint(0, WORDS, LENGTH + 1)
        words.astype(np.uint16).tofile(os.path.join(FOLDER, split + ".bin"))
    letters = [chr(ord("a") + number) for number in range(WORDS - 1)] + ["\n"]
    with open(os.path.join(FOLDER, "meta.pkl"), "wb") as file:
        meta = {
            "vocab_size": WORDS,
            "itos": dict(enumerate(letters)),
            "stoi": {letter: number for number, letter in enumerate(letters)},
        }
        pickle.dump(meta, file)


def build():
    return GPT(GPTConfig(**SETTINGS))


def tokens(seed, count=2, length=LENGTH):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, WORDS, (count, length)).astype(np.int64))


def script(name, *options):
    """Run a script as its command line does; gives its variables."""
    arguments, sys.argv = sys.argv, [name, *options]
    try:
        return runpy.run_path(name)
    finally:
        sys.argv = arguments


def keep(model, folder):
    """A checkpoint as train.py writes it, before the first step."""
    os.makedirs(folder, exist_ok=True)
    optimizer = model.configure_optimizers(0.1, 1e-3, (0.9, 0.99), "cpu")
    checkpoint = {
        "model": {"_orig_mod." + name: value for name, value in model.state_dict().items()},
        "optimizer": optimizer.state_dict(),
        "model_args": SETTINGS,
        "iter_num": 0,
        "best_val_loss": 1e9,
        "config": {"dataset": "made_up"},
    }
    torch.save(checkpoint, os.path.join(folder, "ckpt.pt"))


def sampled(model):
    made_up()
    keep(model, "sampled")
    found = script(
        "sample.py", "--out_dir=sampled", "--device=cpu", "--dtype=float32", "--top_k=1", "--num_samples=2",
        "--max_new_tokens=10", "--start=abc",
    )  # fmt: skip
    return found["y"]


def cropped(model):
    model.crop_block_size(8)
    with torch.no_grad():
        return model(tokens(4, 2, 8))[0]


def forward(model):
    model.eval()
    with torch.no_grad():
        loss = model(tokens(1), tokens(2))
        return {
            "logits": loss[0],
            "loss": loss[1],
            "last": lambda: model(tokens(3))[0],
            "generated": lambda: model.generate(tokens(3, 1, 12), 8, top_k=1),
            "count": lambda: np.array([model.get_num_params(), model.get_num_params(False)]),
            "sampled": lambda: sampled(model),
            "cropped": lambda: cropped(model),
        }


def trained(folder, *options, config=()):
    return script(
        "train.py", *config, f"--out_dir={folder}", "--dataset=made_up", "--init_from=resume", "--device=cpu", "--compile=False",
        f"--block_size={LENGTH}", "--batch_size=3", "--gradient_accumulation_steps=2", "--eval_interval=2",
        "--eval_iters=2", "--warmup_iters=2", "--lr_decay_iters=6", "--learning_rate=0.01", "--min_lr=0.001", *options,
    )  # fmt: skip


def outcome(found):
    state, weights = found["optimizer"].state_dict(), found["model"].state_dict()
    return {
        "loss": found["lossf"],
        "train": found["losses"]["train"],
        "val": found["losses"]["val"],
        "best": found["best_val_loss"],
        "rate": np.array([group["lr"] for group in found["optimizer"].param_groups]),
        "groups": np.array([len(group["params"]) for group in state["param_groups"]]),
        "attention": weights["transformer.h.0.attn.c_attn.weight"],
        "words": weights["transformer.wte.weight"],
        "norm": weights["transformer.ln_f.bias"],
    }


def train(model):
    made_up()
    keep(model, "whole")
    first = outcome(trained("whole", *WHOLE, "--dtype=float32", config=["config/train_shakespeare_char.py"]))
    again = outcome(trained("whole", "--max_iters=6", "--dtype=float32", "--grad_clip=0.0", "--decay_lr=False"))
    keep(model, "scaled")
    only = trained("scaled", "--dtype=float32", "--eval_only=True")
    scaled = outcome(trained("scaled", "--max_iters=2", "--dtype=float16", "--bias=True"))
    results = {"first_" + name: value for name, value in first.items()}
    results.update({"again_" + name: value for name, value in again.items()})
    results.update({"scaled_" + name: value for name, value in scaled.items()})
    results["only"] = only["losses"]["val"]
    return results


WHOLE = ("--max_iters=4", "--dropout=0.0", "--log_interval=1")


def init():
    model = build()
    return {
        "words": model.transformer.wte.weight,
        "projection": model.transformer.h[0].mlp.c_proj.weight,
        "attention": model.transformer.h[1].attn.c_attn.weight,
    }
