import argparse
import math

import numpy as np
import torch
import torch.optim as optim

import lib.layers.cnf as cnf
from lib.layers.odefunc import divergence_approx, divergence_bf
from train_misc import (
    build_model_tabular, count_nfe, count_parameters, count_total_time, create_regularization_fns, get_regularization,
    set_cnf_options, standard_normal_logprob,
)  # fmt: skip


def odeint(func, y0, t, rtol=None, atol=None, method=None, options=None):
    """The fixed grid of torchdiffeq's rk4, which lets autograd through."""
    states = [y0]
    steps = 4
    for start, end in zip(t[:-1], t[1:]):
        h = (end - start) / steps
        y = states[-1]
        for k in range(steps):
            now = start + h * k
            k1 = func(now, y)
            k2 = func(now + h / 2, tuple(s + h / 2 * d for s, d in zip(y, k1)))
            k3 = func(now + h / 2, tuple(s + h / 2 * d for s, d in zip(y, k2)))
            k4 = func(now + h, tuple(s + h * d for s, d in zip(y, k3)))
            y = tuple(s + h / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(y, k1, k2, k3, k4))
        states.append(y)
    return tuple(torch.stack(parts) for parts in zip(*states))


cnf.odeint = odeint


def settings(**changes):
    given = dict(
        layer_type="concatsquash", dims="8-8", num_blocks=1, time_length=0.5, train_T=True, divergence_fn="brute_force",
        nonlinearity="tanh", solver="rk4", atol=1e-5, rtol=1e-5, step_size=None, test_solver=None, test_atol=None,
        test_rtol=None, residual=False, rademacher=False, batch_norm=False, bn_lag=0.0, l1int=None, l2int=None,
        dl2int=None, JFrobint=None, JdiagFrobint=None, JoffdiagFrobint=None,
    )  # fmt: skip
    given.update(changes)
    return argparse.Namespace(**given)


SETTINGS = {
    "exact": settings(),
    "estimated": settings(
        divergence_fn="approximate",
        layer_type="concat",
        nonlinearity="softplus",
        batch_norm=True,
        num_blocks=2,
    ),
    "regularized": settings(layer_type="squash", residual=True, l2int=0.01, JFrobint=0.02),
}


def build():
    return tuple(
        build_model_tabular(args, 2, create_regularization_fns(args)[0] or None) for args in SETTINGS.values()
    )


def points(seed, size=6):
    return torch.from_numpy(np.random.RandomState(seed).randn(size, 2).astype("float32"))


def compute_loss(model, x):
    zero = torch.zeros(x.shape[0], 1).to(x)
    z, delta_logp = model(x, zero)
    logpz = standard_normal_logprob(z).sum(1, keepdim=True)
    logpx = logpz - delta_logp
    return -torch.mean(logpx)


def traces():
    x = points(1).requires_grad_(True)
    y = torch.tanh(x) * x.sum(1, keepdim=True)
    return [divergence_bf(y, x), divergence_approx(y, x, points(2))]


def forward(exact, estimated, regularized):
    for net in (exact, estimated, regularized):
        net.eval()
    x = points(0)
    return {
        "exact": lambda: list(exact(x, torch.zeros(6, 1))),
        "back": lambda: list(exact(x, torch.zeros(6, 1), reverse=True)),
        "estimated": lambda: list(estimated(x, torch.zeros(6, 1))),
        "regularized": lambda: regularized(x),
        "traces": traces,
        "counted": [count_nfe(exact), count_parameters(exact), count_total_time(exact)],
    }


def trained(model, args):
    """The loop of train_toy.py."""
    np.random.seed(1)
    regularization_fns, regularization_coeffs = create_regularization_fns(args)
    set_cnf_options(args, model)
    optimizer = optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)
    losses = []
    model.train()
    for itr in range(1, 4):
        optimizer.zero_grad()
        loss = compute_loss(model, points(10 + itr))
        losses.append(loss.item())
        if len(regularization_coeffs) > 0:
            reg_states = get_regularization(model, regularization_coeffs)
            reg_loss = sum(
                reg_state * coeff for reg_state, coeff in zip(reg_states, regularization_coeffs) if coeff != 0
            )
            loss = loss + reg_loss
            losses.append(reg_loss.item())
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        model.eval()
        losses.append(compute_loss(model, points(20)).item())
    assert not any(math.isnan(value) for value in losses)
    return losses


def train(*nets):
    results = {}
    for (name, args), net in zip(SETTINGS.items(), nets):

        def result(name=name, args=args, net=net):
            losses = trained(net, args)
            weights = [p for p in net.parameters()][:4]
            return [losses, *weights]

        results[name] = result
    return results
