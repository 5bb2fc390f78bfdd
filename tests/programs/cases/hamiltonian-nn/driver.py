import argparse
import sys

import numpy as np
import torch

sys.path.append("experiment-spring")

import train as spring
from hnn import HNN, PixelHNN
from nn_models import MLP, MLPAutoencoder
from utils import L2_loss, integrate_model


def build():
    torch.manual_seed(0)
    springs = HNN(2, MLP(2, 32, 2, "tanh"), field_type="solenoidal")
    both = HNN(4, MLP(4, 32, 2, "swish"), field_type="both", assume_canonical_coords=False)
    baseline = HNN(2, MLP(2, 32, 2, "relu"), baseline=True)
    pixels = PixelHNN(2, 16, MLPAutoencoder(24, 16, 2, "selu"), nonlinearity="softplus")
    return springs, both, baseline, pixels


def init():
    torch.manual_seed(1)
    return {"orthogonal": MLP(8, 64, 2).linear2.weight, "first": MLPAutoencoder(16, 400, 2).linear1.bias}


def points(number, columns, seed):
    return torch.tensor(np.random.RandomState(seed).randn(number, columns), requires_grad=True, dtype=torch.float32)


def forward(springs, both, baseline, pixels):
    x, wide = points(6, 2, 1), points(6, 4, 2)
    conservative, solenoidal = both.time_derivative(wide, separate_fields=True)
    path = integrate_model(springs, [0, 1], np.array([0.5, 0.2]), t_eval=np.linspace(0, 1, 5), rtol=1e-3)
    return {
        "energies": torch.cat(springs(x), 1),
        "field": springs.time_derivative(x),
        "rk4": springs.rk4_time_derivative(x, 0.1),
        "conservative": conservative,
        "solenoidal": solenoidal,
        "permutation": both.M,
        "baseline": baseline.time_derivative(x),
        "pixels": pixels(points(3, 24, 3)),
        "path": torch.tensor(path.y),
    }


def train(springs, both, baseline, pixels):
    result = {}
    for name, model, columns in (("springs", springs, 2), ("both", both, 4)):
        optim = torch.optim.Adam(model.parameters(), 1e-3, weight_decay=1e-4)
        x = points(16, columns, 4)
        dxdt = torch.Tensor(np.random.RandomState(5).randn(16, columns))
        losses = []
        for step in range(3):
            loss = L2_loss(dxdt, model.time_derivative(x))
            loss.backward()
            optim.step()
            optim.zero_grad()
            losses.append(loss.item())
        result[name] = losses
        result[name + "_weight"] = model.differentiable_model.linear1.weight

    optim = torch.optim.Adam(pixels.parameters(), lr=1e-3)
    x, x_next = points(8, 24, 6), torch.Tensor(np.random.RandomState(7).randn(8, 24))
    losses = []
    for step in range(3):
        z = pixels.encode(x)
        z_next = pixels.encode(x_next)
        loss = ((x - pixels.decode(z)) ** 2).mean() + L2_loss(z_next, z + pixels.time_derivative(z))
        loss.backward()
        optim.step()
        optim.zero_grad()
        losses.append(loss.item())
    result["pixels"] = losses
    result["pixels_weight"] = pixels.autoencoder.linear1.weight

    # The experiment's own function, which makes its network and its data from seeds.
    args = argparse.Namespace(
        seed=0, verbose=True, baseline=False, input_dim=2, hidden_dim=16, nonlinearity="tanh",
        field_type="solenoidal", learn_rate=1e-3, total_steps=2, print_every=1, use_rk4=False,
    )  # fmt: skip
    model, stats = spring.train(args)
    result["kept"] = torch.tensor([len(stats["train_loss"]), len(stats["test_loss"])])
    result["finite"] = torch.tensor(float(np.isfinite(stats["test_loss"]).all()))
    return result
