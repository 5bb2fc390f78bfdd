import os
import sys

import torch
from torch.utils.data import Dataset

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "projects", "adder"))

from adder import AdditionDataset, get_config
from mingpt.model import GPT
from mingpt.trainer import Trainer


def settings():
    config = get_config()
    config.merge_from_args(["--trainer.batch_size=4", "--trainer.max_iters=3", "--trainer.num_workers=0"])
    config.trainer.learning_rate = 1e-3
    config.model.merge_from_dict({"embd_pdrop": 0.0, "resid_pdrop": 0.0, "attn_pdrop": 0.0})
    config.model.model_type = None
    config.model.merge_from_dict({"n_layer": 2, "n_head": 2, "n_embd": 16})
    config.model.vocab_size, config.model.block_size = 10, 6
    return config


class Sum(Dataset):
    """Always the same sum, because the trainer draws its examples by chance."""

    def __init__(self, numbers):
        self.numbers = numbers

    def __len__(self):
        return 8

    def __getitem__(self, idx):
        x = torch.tensor(self.numbers[:-1], dtype=torch.long)
        y = torch.tensor(self.numbers[1:], dtype=torch.long)
        y[:3] = -1
        return x, y


def build():
    return GPT(settings().model)


def forward(model):
    model.eval()
    x, y = Sum([8, 5, 5, 0, 5, 3, 1])[0]
    logits, loss = model(torch.stack([x, x.flip(0)]), torch.stack([y, y]))
    return {
        "logits": logits,
        "loss": loss,
        "generated": lambda: model.generate(torch.stack([x[:4], x[1:5]]), 4, do_sample=False),
        "top": lambda: model.generate(torch.stack([x[:4], x[1:5]]), 2, temperature=0.8, do_sample=False, top_k=3),
        "size": torch.tensor([len(AdditionDataset(settings().data, "test")), AdditionDataset(settings().data, "train").get_block_size()]),
    }


def train(model):
    losses, steps = [], []

    def batch_end_callback(trainer):
        losses.append(trainer.loss.item())
        steps.append(trainer.iter_num)

    trainer = Trainer(settings().trainer, model, Sum([8, 5, 5, 0, 5, 3, 1]))
    trainer.set_callback("on_batch_end", batch_end_callback)
    trainer.run()
    return {
        "losses": losses,
        "steps": steps,
        "head": model.lm_head.weight,
        "attention": model.transformer.h[0].attn.c_attn.weight,
        "words": model.transformer.wte.weight,
        "norm": model.transformer.ln_f.weight,
    }


def init():
    net = build()
    return {"mlp": net.transformer.h[0].mlp.c_proj.weight, "words": net.transformer.wte.weight}
