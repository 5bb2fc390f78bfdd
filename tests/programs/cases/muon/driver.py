import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from muon import (
    SingleDeviceMuon, SingleDeviceMuonWithAuxAdam, adam_update, muon_update, zeropower_via_newtonschulz5,
)  # fmt: skip


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 12)
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.blocks = nn.ModuleList([nn.Linear(12, 24), nn.Linear(24, 12), nn.LayerNorm(12)])
        self.lm_head = nn.Linear(12, 20, bias=False)

    def forward(self, tokens):
        x = self.embed(tokens)
        x = x + self.conv(x[:, None]).mean(1)
        up, down, norm = self.blocks
        return self.lm_head(norm(x + down(F.relu(up(x)))))


def build():
    return Net(), nn.Sequential(nn.Linear(6, 10, bias=False), nn.Tanh(), nn.Linear(10, 8, bias=False))


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(net, small):
    tokens = torch.from_numpy(np.random.RandomState(0).randint(0, 20, (3, 7)))
    return {
        "net": net(tokens),
        # The iteration is made in bfloat16, which has three digits.
        "zeroth_power": lambda: (
            zeropower_via_newtonschulz5(numbers(1, 6, 4), 5).float().round(decimals=1) * 0
        ),
        "dtype": lambda: [zeropower_via_newtonschulz5(numbers(1, 6, 4), 5).dtype == torch.bfloat16],
        "shapes": lambda: [
            list(muon_update(numbers(2, 4, 3, 3, 3), torch.zeros(4, 3, 3, 3)).shape),
            list(muon_update(numbers(2, 5, 7), torch.zeros(5, 7), nesterov=False).shape),
        ],
        "adam": lambda: adam_update(numbers(3, 4), torch.zeros(4), torch.zeros(4), 1, (0.9, 0.95), 1e-10),
    }


def train(net, small):
    hidden = [p for p in net.blocks.parameters() if p.ndim >= 2] + [net.conv.weight]
    scalars = [p for p in net.parameters() if p.ndim < 2]
    groups = [
        dict(params=[net.lm_head.weight], lr=0.02, use_muon=False),
        dict(params=[net.embed.weight], lr=0.01, betas=(0.8, 0.95), eps=1e-8, use_muon=False),
        dict(params=scalars, lr=0.004, use_muon=False),
        dict(params=hidden, lr=0.001, momentum=0.9, weight_decay=0.01, use_muon=True),
    ]
    optimizer = SingleDeviceMuonWithAuxAdam(groups)
    losses = []
    for step in range(3):
        rng = np.random.RandomState(10 + step)
        tokens, targets = (torch.from_numpy(rng.randint(0, 20, (3, 7))) for _ in range(2))
        loss = F.cross_entropy(net(tokens).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())

    def plain():
        muon = SingleDeviceMuon(small.parameters(), lr=0.001, momentum=0.9)
        errors = []
        for step in range(3):
            muon.zero_grad()
            error = F.mse_loss(small(numbers(20 + step, 5, 6)), numbers(30 + step, 5, 8))
            error.backward()
            muon.step()
            errors.append(error.item())
        return [errors, muon.param_groups[0]["lr"]]

    return {
        "losses": losses,
        "head": net.lm_head.weight,
        "embedding": net.embed.weight,
        "norm": net.blocks[2].weight,
        "steps": optimizer.state[net.lm_head.weight]["step"],
        "plain": plain,
    }
