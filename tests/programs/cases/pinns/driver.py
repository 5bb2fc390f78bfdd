import glob
import json
import linecache
import sys
import types

import numpy as np
import torch

# A notebook finds modules beside it.
sys.path.insert(0, "Burgers Equation")
LAYERS = [2, 12, 12, 12, 1]
models = {}


def cells_of(pattern):
    with open(glob.glob(pattern)[0], encoding="utf-8") as f:
        return ["".join(cell["source"]) for cell in json.load(f)["cells"] if cell["cell_type"] == "code"]


def defined(pattern, count, module):
    """What the first cells define, run as IPython runs them: in a module that is known."""
    sys.modules[module] = types.ModuleType(module)
    names, cells = vars(sys.modules[module]), cells_of(pattern)
    for number in range(count):
        name = f"<ipython-input-{id(cells)}-{number}>"
        linecache.cache[name] = len(cells[number]), None, cells[number].splitlines(keepends=True), name
        exec(compile(cells[number], name, "exec"), names)
    return names


identification = defined("Burgers Equation/*Identification (PyTorch).ipynb", 4, "identification")
inference = defined("Burgers Equation/*Inference (PyTorch).ipynb", 4, "inference")


def points(seed, count):
    rng = np.random.RandomState(seed)
    X = np.stack([rng.uniform(-1, 1, count), rng.uniform(0, 1, count)], 1)
    return X, -np.sin(np.pi * X[:, 0:1]) * np.exp(-X[:, 1:2])


def build():
    X, u = points(0, 30)
    lb, ub = X.min(0), X.max(0)
    models["identified"] = identification["PhysicsInformedNN"](X, u, LAYERS, lb, ub)
    models["inferred"] = inference["PhysicsInformedNN"](X[:10], u[:10], X, LAYERS, lb, ub, 0.01 / np.pi)
    return models["identified"].dnn, models["inferred"].dnn


def forward(identified, inferred):
    X, _ = points(1, 12)
    return {
        "identified": lambda: list(models["identified"].predict(X)),
        "inferred": lambda: list(models["inferred"].predict(X)),
        "loss": lambda: models["identified"].loss_func(),
        "other": lambda: models["inferred"].loss_func(),
    }


def weight(net, name):
    return dict(net.named_parameters())[name]


def train(identified, inferred):
    first, second = models["identified"], models["inferred"]
    losses = [first.loss_func().item(), second.loss_func().item()]
    first.train(0)
    losses.append(first.loss_func().item())
    first.train(3)
    second.train()
    losses += [first.loss_func().item(), second.loss_func().item()]
    X, _ = points(2, 6)
    return {
        "losses": np.array(losses),
        "calls": np.array([first.iter, second.iter]),
        "lambda_1": first.lambda_1.detach().cpu().numpy(),
        "lambda_2": weight(identified, "lambda_2"),
        "first": weight(identified, "layers.layer_1.weight"),
        "second": weight(inferred, "layers.layer_0.bias"),
        "predicted": list(second.predict(X)),
    }
