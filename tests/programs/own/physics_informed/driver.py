import numpy as np

from network import Net
from solver import BurgersSolver


def points():
    rng = np.random.RandomState(0)
    x, t = rng.uniform(-1, 1, (32, 1)), rng.uniform(0, 1, (32, 1))
    return x, t, np.sin(np.pi * x) * np.exp(-t)


def build():
    return Net([2, 12, 12, 1])


def forward(net):
    solver = BurgersSolver(net, *points())
    return {"u": solver.net_u(solver.x, solver.t), "f": solver.net_f(solver.x, solver.t)}


def train(net):
    solver = BurgersSolver(net, *points())
    return {"loss": solver.train(4), "lambda_1": solver.lambda_1, "weight": net.linears[0].weight}
