import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from tabm import EnsembleView, LinearEnsemble, TabM, ensemble_batchnorm1d_layers_, ensemble_linear_layers_

K, NUMBERS, KINDS = 4, 5, [3, 4]


def build():
    nets = [
        TabM.make(
            n_num_features=NUMBERS,
            cat_cardinalities=KINDS,
            d_out=3,
            k=K,
            d_block=16,
            n_blocks=2,
            dropout=0.0,
            arch_type=kind,
        )
        for kind in ("tabm", "tabm-mini", "tabm-packed")
    ]
    layers = nn.Sequential(nn.Linear(NUMBERS, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 12))
    ensemble_linear_layers_(layers, k=K)
    ensemble_batchnorm1d_layers_(layers, k=K)
    made = nn.Sequential(EnsembleView(k=K), layers, LinearEnsemble(12, 1, k=K))
    return (*nets, made)


def batch(seed, count=6):
    rng = np.random.RandomState(seed)
    x_num = torch.from_numpy(rng.randn(count, NUMBERS).astype(np.float32))
    x_cat = torch.from_numpy(np.stack([rng.randint(0, kinds, count) for kinds in KINDS], 1))
    return x_num, x_cat, torch.from_numpy(rng.randint(0, 3, count))


def forward(tabm, mini, packed, made):
    outputs = {}
    x_num, x_cat, _ = batch(0)
    for name, net in (("tabm", tabm), ("mini", mini), ("packed", packed)):
        net.eval()
        outputs[name] = lambda net=net: net(x_num, x_cat)
        outputs[name + "_own_batches"] = lambda net=net: net(
            x_num.unsqueeze(1).expand(-1, K, -1), x_cat[:, None].repeat(1, K, 1)
        )
    made.eval()
    outputs["made"] = lambda: made(x_num)
    return outputs


def train(tabm, mini, packed, made):
    result = {}
    for name, net in (("tabm", tabm), ("mini", mini), ("packed", packed)):
        net.train()
        optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=3e-4)
        losses = []
        for step in range(4):
            x_num, x_cat, y = batch(10 + step)
            prediction = net(x_num, x_cat).float()
            loss = F.cross_entropy(prediction.flatten(0, 1), y.repeat_interleave(K))
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        result[name + "_losses"] = losses
        result[name + "_output"] = net.output.weight
        result[name + "_first"] = next(net.backbone.parameters())
    optimizer = torch.optim.SGD(made.parameters(), lr=0.05, momentum=0.9)
    made.train()
    losses = []
    for step in range(4):
        x_num, _, y = batch(20 + step)
        optimizer.zero_grad()
        loss = F.mse_loss(made(x_num).squeeze(-1), y.float()[:, None].expand(-1, K))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(made.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    result["made_losses"] = losses
    result["made"] = made[1][0].weight
    return result


def init():
    torch.manual_seed(0)
    net = TabM.make(n_num_features=40, d_out=5, k=16, d_block=64)
    weights = [p for p in net.parameters() if p.dim() == 2 and p.shape[0] == p.shape[1]]
    return {"output": net.output.weight, "hidden": weights[0]}
