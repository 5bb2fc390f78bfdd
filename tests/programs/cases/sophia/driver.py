import os
import runpy
import sys

import numpy as np
import torch

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)

from model import GPT, GPTConfig  # noqa: E402
from sophia import SophiaG  # noqa: E402

VOCABULARY, BLOCK = 32, 16


def small(**changes):
    settings = dict(
        n_layer=2, n_head=2, n_embd=16, block_size=BLOCK, bias=False, vocab_size=VOCABULARY, dropout=0.0,
        scale_attn_by_inverse_layer_idx=True,
    )  # fmt: skip
    return GPT(GPTConfig(**{**settings, **changes}))


def build():
    return small(), small(n_layer=1, bias=True), torch.nn.Linear(4, 3)


def init():
    torch.manual_seed(1)
    model = small(n_embd=128, vocab_size=512)
    return {
        "wte": model.transformer.wte.weight,
        "c_proj": model.transformer.h[1].mlp.c_proj.weight,
        "c_attn": model.transformer.h[0].attn.c_attn.weight,
    }


def tokens(seed, rows=3):
    rng = np.random.RandomState(seed)
    data = torch.from_numpy(rng.randint(0, VOCABULARY, (rows, BLOCK + 1)).astype(np.int64))
    return data[:, :-1].contiguous(), data[:, 1:].contiguous()


def logits(model, seed):
    model.eval()
    return model(*tokens(seed))[0]


def generated(model):
    model.eval()
    start = tokens(3, 1)[0][:, :3]
    return model.generate(start, 5, temperature=1e-4, top_k=4)


def cropped():
    model = small()
    model.crop_block_size(8)
    return np.array([model.config.block_size, *model.transformer.wpe.weight.shape, *model.transformer.h[0].attn.bias.shape])


def forward(model, other, _):
    return {
        "logits": lambda: logits(model, 0),
        "with_bias": lambda: logits(other, 1),
        "loss": lambda: model(*tokens(1))[1],
        "last": lambda: model(tokens(1)[0])[0],
        "generated": lambda: generated(model),
        "params": lambda: np.array([model.get_num_params(), model.get_num_params(non_embedding=False)]),
        "cropped": cropped,
    }


def loop(model, name, steps=5):
    """The middle of train_sophiag.py: the gradients of the model's own samples go into the Hessian."""
    model.train()
    optimizer = model.configure_optimizers(name, 1e-1, 1e-3, (0.9, 0.95), 0.03, "cpu")
    losses, norms = [], []
    for step in range(steps):
        for param_group in optimizer.param_groups:
            param_group["lr"] = 1e-3 * (step + 1)
        for micro_step in range(2):
            _, loss = model(*tokens(10 * step + micro_step))
            (loss / 2).backward()
        total_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        norms.append(total_norm.item())
        if name == "sophiag":
            optimizer.step(bs=3 * BLOCK)
        else:
            optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(loss.item())
        if name == "sophiag" and step % 2 == 0:
            X, _ = tokens(step)
            outputs, _ = model(X, X)
            targets = outputs.detach().argmax(-1)
            loss_sampled = torch.nn.functional.cross_entropy(
                outputs.view(-1, outputs.size(-1)), targets.view(-1), ignore_index=-1
            )
            loss_sampled.backward()
            optimizer.update_hessian()
            optimizer.zero_grad(set_to_none=True)
    return optimizer, losses, norms


def momentum_norm(optimizer):
    momentum_norm = 0
    LL = len(optimizer.state_dict()["state"])
    for jj in range(LL):
        momentum_norm += (optimizer.state_dict()["state"][jj]["exp_avg"].detach().norm(2)) ** 2
    return torch.sqrt(momentum_norm).item()


def resumed(linear):
    rng = np.random.RandomState(5)
    x, y = [torch.from_numpy(rng.randn(6, n).astype("float32")) for n in (4, 3)]
    optimizer = SophiaG(linear.parameters(), lr=0.01, betas=(0.9, 0.99), rho=0.04, weight_decay=0.1, maximize=False)
    for step in range(4):
        def closure():
            optimizer.zero_grad()
            loss = ((linear(x) - y) ** 2).mean()
            loss.backward()
            optimizer.update_hessian()
            return loss

        loss = optimizer.step(closure, bs=6)
        if step == 1:
            torch.save({"model": linear.state_dict(), "optimizer": optimizer.state_dict()}, "small.pt")
            checkpoint = torch.load("small.pt", map_location="cpu")
            linear.load_state_dict(checkpoint["model"])
            optimizer = SophiaG(linear.parameters(), lr=0.01, betas=(0.9, 0.99), rho=0.04, weight_decay=0.1)
            optimizer.load_state_dict(checkpoint["optimizer"])
    return loss.item()


def script(name):
    """train_adam.py and train_sophiag.py run as a user runs them; their batches are drawn from one sequence."""
    os.makedirs(os.path.join("data", "made_up"), exist_ok=True)
    period = np.full(BLOCK * 4 + 1, 7)
    for part in ("train", "val"):
        period.astype(np.uint16).tofile(os.path.join("data", "made_up", part + ".bin"))
    argv = sys.argv
    sys.argv = [
        name + ".py", "--dataset=made_up", "--device=cpu", "--compile=False", "--dtype=float32", "--batch_size=2",
        "--block_size=8", "--n_layer=1", "--n_head=2", "--n_embd=8", "--max_iters=3", "--eval_interval=2", "--eval_iters=1",
        "--gradient_accumulation_steps=1", "--warmup_iters=1", "--lr_decay_iters=4", "--always_save_checkpoint=True",
        "--out_dir=" + name,
    ]  # fmt: skip
    try:
        ran = runpy.run_path(os.path.join(here, name + ".py"))
    finally:
        sys.argv = argv
    checkpoint = torch.load(os.path.join(name, "ckpt.pt"), map_location="cpu", weights_only=False)
    return np.array([ran["iter_num"], checkpoint["iter_num"], len(checkpoint["model"]), len(checkpoint["optimizer"]["state"])])


def train(model, other, linear):
    sophia, losses, norms = loop(model, "sophiag")
    adam, adam_losses, _ = loop(other, "adamw", 3)
    return {
        "losses": losses,
        "norms": norms,
        "adam": adam_losses,
        "momentum": momentum_norm(sophia),
        "wte": model.transformer.wte.weight,
        "attention": model.transformer.h[1].attn.c_attn.weight,
        "groups": np.array([len(group["params"]) for group in sophia.param_groups]),
        "adam_weight": other.transformer.h[0].mlp.c_fc.weight,
        "closure": resumed(linear),
        "linear": linear.weight,
        "script": script("train_sophiag"),
        "adam_script": script("train_adam"),
    }
