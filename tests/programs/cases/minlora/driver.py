from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from minlora import (
    LoRAParametrization,
    add_lora,
    apply_to_lora,
    enable_lora,
    get_bias_params,
    get_lora_params,
    get_lora_state_dict,
    load_multiple_lora,
    merge_lora,
    remove_lora,
    select_lora,
)

WORDS = 30


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, 16)
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.first = nn.Linear(16, 24)
        self.second = nn.Linear(24, WORDS)

    def forward(self, tokens):
        x = self.words(tokens)
        x = self.conv(x.unsqueeze(1)).mean(1)
        return self.second(F.relu(self.first(x)))


EVERYTHING = {
    nn.Embedding: {"weight": partial(LoRAParametrization.from_embedding, rank=3)},
    nn.Linear: {"weight": partial(LoRAParametrization.from_linear, rank=4)},
    nn.Conv2d: {"weight": partial(LoRAParametrization.from_conv2d, rank=2)},
}


def build():
    plain, everything = Small(), Small()
    add_lora(plain)
    add_lora(everything, lora_config=EVERYTHING)
    return plain, everything


def tokens(seed):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, WORDS, (2, 7)))


def merged(kind):
    torch.manual_seed(0)
    model = Small()
    for index, parameter in enumerate(model.parameters()):
        parameter.data = torch.linspace(-0.5, 0.5, parameter.numel()).view(parameter.shape) * (1 + 0.1 * index)
    add_lora(model)

    def fill(layer):
        layer.lora_A.data = torch.linspace(-1, 1, layer.lora_A.numel()).view(layer.lora_A.shape)
        layer.lora_B.data = torch.linspace(1, -0.5, layer.lora_B.numel()).view(layer.lora_B.shape)

    model.apply(apply_to_lora(fill))
    if kind == "merged":
        merge_lora(model)
    else:
        remove_lora(model)
    return model(tokens(1)), model.first.weight


def forward(plain, everything):
    outputs = {
        "plain": lambda: plain(tokens(0)),
        "everything": lambda: everything(tokens(0)),
        "merged": lambda: merged("merged")[0],
        "merged_weight": lambda: merged("merged")[1],
        "removed": lambda: merged("removed")[0],
    }

    def without():
        plain.apply(apply_to_lora(lambda layer: layer.disable_lora()))
        result = plain(tokens(0))
        enable_lora(plain)
        return result

    def chosen():
        model = Small()
        add_lora(model)
        model.load_state_dict(plain.state_dict())
        first = {name: value * 2 for name, value in get_lora_state_dict(plain).items()}
        second = {name: value * -1 for name, value in get_lora_state_dict(plain).items()}
        load_multiple_lora(model, [first, second])
        results = []
        for index in (0, 1):
            select_lora(model, index)
            results.append(model(tokens(2)))
        return torch.stack(results)

    outputs["without"] = without
    outputs["chosen"] = chosen
    return outputs


def train(plain, everything):
    result = {}
    for name, model in (("plain", plain), ("everything", everything)):
        groups = [
            {"params": list(get_lora_params(model)), "weight_decay": 0.0},
            {"params": list(get_bias_params(model)), "weight_decay": 0.01},
        ]
        optimizer = torch.optim.AdamW(groups, lr=0.01)
        losses = []
        for step in range(4):
            logits = model(tokens(10 + step))
            loss = F.cross_entropy(logits.view(-1, WORDS), tokens(20 + step).view(-1))
            loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            losses.append(loss.item())
        result[name + "_losses"] = losses
        result[name + "_count"] = len(groups[0]["params"])
        result[name + "_a"] = model.first.parametrizations.weight[0].lora_A
        result[name + "_original"] = model.first.parametrizations.weight.original
        result[name + "_weight"] = model.second.weight
    return result


def init():
    torch.manual_seed(0)
    model = nn.Linear(200, 100)
    add_lora(model)
    return {"a": model.parametrizations.weight[0].lora_A}
