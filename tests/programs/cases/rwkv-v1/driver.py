import os
import pathlib
import sys

import numpy as np
import torch
from torch.utils.data import Dataset

sys.path.insert(0, str(pathlib.Path(__file__).parent / "RWKV-v1"))

from src.model import GPT, GPTConfig  # noqa: E402
from src.trainer import Trainer, TrainerConfig  # noqa: E402
from src.utils import top_k_logits, top_p_probs  # noqa: E402

TYPES = ("RWKV", "MHA_rotary", "MHA_shift", "MHA_pro")
WORDS, LENGTH = 20, 8


class Finished(Exception):
    """The trainer never ends."""


class Text(Dataset):
    def __init__(self):
        self.words = np.random.RandomState(0).randint(0, WORDS, (5, LENGTH + 1))
        self.taken = 0

    def __len__(self):
        return len(self.words)

    def __getitem__(self, index):
        self.taken += 1
        if self.taken > 15:
            raise Finished
        words = self.words[index]
        return torch.tensor(words[:-1], dtype=torch.long), torch.tensor(words[1:], dtype=torch.long)


def configuration(model_type):
    return GPTConfig(
        WORDS, LENGTH, model_type=model_type, rwkv_emb_scale=0.4, rwkv_tiny_attn=0, rwkv_tiny_head=1, n_layer=2, n_head=2,
        n_embd=16, n_attn=16, n_ffn=16,
    )  # fmt: skip


def build():
    return tuple(GPT(configuration(model_type)) for model_type in TYPES)


def init():
    torch.manual_seed(1)
    net = GPT(configuration("RWKV"))
    return {"emb": net.tok_emb.weight, "head": net.head.weight, "value": net.blocks[0].attn.value.weight}


def forward(*nets):
    rng = np.random.RandomState(1)
    words = torch.from_numpy(rng.randint(0, WORDS, (3, 6)))
    outputs = {}
    for model_type, net in zip(TYPES, nets):
        net.eval()
        outputs[model_type] = lambda net=net: net(words)[0]
        outputs[model_type + "_loss"] = lambda net=net: net(words, words)[1]
    logits = torch.from_numpy(rng.randn(2, 9).astype("float32"))
    outputs["top_k"] = lambda: torch.exp(top_k_logits(logits, 3))
    outputs["top_p"] = lambda: top_p_probs(torch.softmax(logits[0], dim=-1), 0.6)
    return outputs


def trained(model_type, net):
    config = TrainerConfig(
        model_type=model_type, max_epochs=4, batch_size=5, learning_rate=6e-3, weight_decay=0.01, lr_decay=True,
        lr_final=4e-4, warmup_tokens=40, final_tokens=200, epoch_save_frequency=2, epoch_save_path=f"trained-{model_type}-",
    )  # fmt: skip
    trainer = Trainer(net, Text(), None, config)
    try:
        trainer.train()
    except Finished:
        pass
    return [
        trainer.avg_loss,
        trainer.steps,
        os.path.exists(f"trained-{model_type}-1.pth"),
        trainer.get_run_name() == f"20-8-{model_type}-2-16",
        net.tok_emb.weight,
        net.blocks[0].attn.key.weight,
        net.blocks[1].mlp.value.bias,
        net.head.weight,
    ]


def train(*nets):
    return {name: lambda name=name, net=net: trained(name, net) for name, net in zip(TYPES, nets)}
