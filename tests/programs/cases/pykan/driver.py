import numpy as np
import torch

from kan import KAN, MultKAN
from kan.KANLayer import KANLayer
from kan.MLP import MLP
from kan.spline import B_batch, coef2curve, curve2coef


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, shape).astype(np.float32))


def made(width, **more):
    return KAN(width=width, grid=4, k=3, seed=0, auto_save=False, **more)


def build():
    nets = made([2, 4, 1]), made([2, [3, 2], 1], mult_arity=2), KANLayer(3, 2, num=5, k=3), MLP([2, 5, 1])
    # Least squares give other last digits from run to run.
    for net in nets:
        for name, parameter in net.named_parameters():
            if name.endswith("coef"):
                parameter.data = torch.linspace(-0.3, 0.4, parameter.numel()).view(parameter.shape)
    return nets


def target(x):
    return torch.exp(torch.sin(torch.pi * x[:, [0]]) + x[:, [1]] ** 2)


def forward(kan, mult, layer, mlp):
    x = numbers(0, 10, 2)
    grid = torch.linspace(-1.5, 1.5, 11)[None, :].expand(2, 11)
    coef = numbers(2, 2, 3, 7)
    return {
        "kan": lambda: kan(x),
        "mult": lambda: mult(x),
        "layer": lambda: layer(numbers(1, 6, 3))[0],
        "spline": lambda: layer(numbers(1, 6, 3))[3],
        "mlp": lambda: mlp(x),
        "basis": lambda: B_batch(x, grid, k=3),
        "curve": lambda: coef2curve(x, grid, coef, 3),
        "coefficients": lambda: (curve2coef(numbers(3, 30, 2), numbers(4, 30, 2, 3), grid, 3) * 1000).round(),
    }


def train(kan, mult, layer, mlp):
    x, z = numbers(5, 40, 2), numbers(6, 20, 2)
    dataset = {"train_input": x, "train_label": target(x), "test_input": z, "test_label": target(z)}
    result = {}
    for name, net in (("kan", kan), ("mult", mult)):
        np.random.seed(0)
        found = net.fit(dataset, opt="Adam", steps=4, lr=0.01, lamb=0.001, update_grid=False, log=1)
        result[name + "_loss"] = np.array(found["train_loss"])
        result[name + "_reg"] = np.array(found["reg"])
        result[name + "_coef"] = net.act_fun[0].coef
        result[name + "_base"] = net.act_fun[1].scale_base
    np.random.seed(1)
    found = kan.fit(dataset, opt="LBFGS", steps=1, update_grid=False, log=1)
    result["lbfgs_loss"] = np.array(found["train_loss"])
    layer.update_grid_from_samples(numbers(8, 30, 3))
    result["grid"] = layer.grid
    return result


def init():
    torch.manual_seed(0)
    layer = KANLayer(40, 30)
    return {"base": layer.scale_base}
