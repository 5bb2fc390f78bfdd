import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from soap import SOAP


class Net(nn.Module):
    """Square layers: their preconditioners have no eigenvalue twice, so that their bases are told apart."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 2)
        self.norm = nn.LayerNorm(4)
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4, bias=False)

    def forward(self, x):
        x = torch.tanh(self.conv(x)).mean((2, 3))
        return self.second(torch.tanh(self.first(self.norm(x))))


def build():
    return tuple(Net() for _ in range(4))


def batch(seed):
    rng = np.random.RandomState(seed)
    x = torch.from_numpy(rng.randn(64, 4, 5, 5).astype("float32"))
    return x, torch.from_numpy(rng.randn(64, 4).astype("float32"))


def forward(*nets):
    grad = torch.from_numpy(np.random.RandomState(1).randn(4, 3, 2, 2).astype("float32"))
    optimizer = SOAP(nets[0].parameters(), merge_dims=True)
    last = SOAP(nets[0].parameters(), data_format="channels_last")
    return {
        "net": nets[0](batch(0)[0]),
        "merged": lambda: optimizer.merge_dims(grad, 12),
        "merged_last": lambda: last.merge_dims(grad, 7),
    }


def train(*nets):
    ways = (
        {"lr": 3e-3, "precondition_frequency": 2},
        {
            "lr": 3e-3,
            "precondition_frequency": 3,
            "normalize_grads": True,
            "weight_decay": 0.0,
            "shampoo_beta": 0.9,
        },
        {"lr": 1e-3, "max_precond_dim": 3, "correct_bias": False, "betas": (0.9, 0.98)},
        {"lr": 1e-3, "merge_dims": True, "max_precond_dim": 4, "precondition_frequency": 1},
    )
    result = {}
    for number, (net, settings) in enumerate(zip(nets, ways)):
        optimizer = SOAP(net.parameters(), **settings)
        losses = []
        for step in range(5):
            x, y = batch(10 + step)
            loss = F.mse_loss(net(x), y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        result["losses%d" % number] = losses
        result["conv%d" % number] = net.conv.weight
        result["norm%d" % number] = net.norm.weight
        result["first%d" % number] = net.first.weight
        result["second%d" % number] = net.second.weight
    return result
# After first sight the weights came to be asked by their names: what getattr gives stays `weight`, of a norm, too.
