from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim

from model import model_minimind
from model.model_lora import LoRA
from model.model_minimind import MiniMindConfig, MiniMindModel
from trainer import train_pretrain
from trainer.trainer_utils import SkipBatchSampler

WORDS, LENGTH = 48, 12

# The table of transformers.activations has torch's layers by their names; these two are all that the model takes.
model_minimind.ACT2FN = {"silu": nn.SiLU(), "gelu": nn.GELU()}


class CausalLM(nn.Module):
    """MiniMindForCausalLM without what transformers adds to it."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.model = MiniMindModel(config)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.model.embed_tokens.weight = self.lm_head.weight

    def forward(self, input_ids, attention_mask=None, past_key_values=None, use_cache=False, labels=None):
        hidden_states, past_key_values, aux_loss = self.model(input_ids, attention_mask, past_key_values, use_cache)
        logits = self.lm_head(hidden_states)
        loss = None
        if labels is not None:
            x, y = logits[..., :-1, :].contiguous(), labels[..., 1:].contiguous()
            loss = F.cross_entropy(x.view(-1, x.size(-1)), y.view(-1), ignore_index=-100)
        return SimpleNamespace(loss=loss, aux_loss=aux_loss, logits=logits, past_key_values=past_key_values)


def settings(**more):
    return MiniMindConfig(
        hidden_size=32,
        num_hidden_layers=2,
        vocab_size=WORDS,
        num_attention_heads=4,
        num_key_value_heads=2,
        intermediate_size=48,
        max_position_embeddings=64,
        **more,
    )


def build():
    dense = CausalLM(settings())
    experts = CausalLM(settings(use_moe=True, num_experts=3, num_experts_per_tok=2, router_aux_loss_coef=0.1))
    long = CausalLM(settings(flash_attn=False, inference_rope_scaling=True, hidden_act="gelu"))
    return dense, experts, long, LoRA(32, 32, rank=4)


def tokens(seed, count=2, length=LENGTH):
    return torch.from_numpy(np.random.RandomState(seed).randint(3, WORDS, (count, length)).astype("int64"))


def continued(model):
    """Two tokens more, with the keys and values of those before."""
    ids = tokens(5)
    first = model(ids[:, :8], use_cache=True)
    outputs = [first.logits]
    kept = first.past_key_values
    for place in range(8, 10):
        more = model(ids[:, place : place + 1], past_key_values=kept, use_cache=True)
        kept = more.past_key_values
        outputs.append(more.logits)
    return torch.cat(outputs, dim=1)


def forward(dense, experts, long, lora):
    for net in (dense, experts, long, lora):
        net.eval()
    mask = torch.ones(2, LENGTH)
    mask[0, :3] = 0
    with torch.no_grad():
        return {
            "dense": lambda: dense(tokens(0)).logits,
            "masked": lambda: dense(tokens(0), attention_mask=mask).logits,
            "experts": lambda: experts(tokens(1)).logits,
            "long": lambda: long(tokens(2)).logits,
            "continued": lambda: continued(dense),
            "lora": lambda: lora(torch.ones(2, 32) * 0.5),
        }


def pretrained(model, steps):
    """Some steps of train_pretrain.py, whose main block leaves what train_epoch needs in the module."""
    losses = []
    batches = []
    for batch in SkipBatchSampler(list(range(2 * steps)), 2):
        input_ids = torch.cat([tokens(10 + item, 1) for item in batch])
        labels = input_ids.clone()
        labels[input_ids < 5] = -100
        batches.append((input_ids, labels))
    train_pretrain.args = SimpleNamespace(
        device="cpu",
        epochs=1,
        learning_rate=5e-3,
        accumulation_steps=1,
        grad_clip=1.0,
        log_interval=1,
        save_interval=1000,
        save_dir="out",
        save_weight="pretrain",
    )
    train_pretrain.autocast_ctx = nullcontext()
    train_pretrain.model = model
    train_pretrain.lm_config = model.config
    train_pretrain.scaler = torch.cuda.amp.GradScaler(enabled=False)
    train_pretrain.optimizer = optim.AdamW(model.parameters(), lr=5e-3)
    board = SimpleNamespace(log=lambda values: losses.append(values["loss"]))
    model.train()
    train_pretrain.train_epoch(0, batches, steps + 1, wandb=board)
    return losses


def train(dense, experts, long, lora):
    result = {}
    for name, net in (("dense", dense), ("experts", experts), ("long", long)):
        result[name + "_losses"] = pretrained(net, 3)
        result[name + "_query"] = net.model.layers[0].self_attn.q_proj.weight
    result["head"] = dense.lm_head.weight
    result["norm"] = dense.model.norm.weight
    result["gate"] = experts.model.layers[1].mlp.gate.weight
    return result


def init():
    net = CausalLM(settings())
    low = LoRA(64, 64, rank=16)
    return {"embedding": net.lm_head.weight, "query": net.model.layers[0].self_attn.q_proj.weight, "a": low.A.weight}
