"""Calls of one of several functions or networks of the project: each of them gets what is passed."""

from __future__ import annotations

import pytest

from usage.marks import check

FUNCTIONS = """
import torch

def one(u, v):
    return u.sum(1) + v  #: torch.Tensor.sum; torch.Tensor.__add__

def other(u, v):
    return v.mean(1) - u  #: torch.Tensor.mean; torch.Tensor.__sub__

TABLE = {"one": one, "other": other}

def run(kind, x):
    x = torch.ones(3, 3)  #: torch.ones
    if kind:
        chosen = one
    else:
        chosen = other
    table = dict(one=one, other=other)
    CALL
"""
NETWORKS = """
import torch
from torch import nn

class One(nn.Module):  #: torch.nn.Module
    def forward(self, x, mask):  #: torch.nn.Module.forward
        return x.masked_fill(mask > 0, 0.0)  #: torch.Tensor.masked_fill; torch.Tensor.__gt__

class Other(nn.Module):  #: torch.nn.Module
    def __init__(self):
        super().__init__()
        self.ways = {"sum": self.total, "mean": self.average}

    def forward(self, x, mask):  #: torch.nn.Module.forward
        return self.ways[len(mask)](x, mask)

    def total(self, x, mask):
        return x.sum(1) * (mask > 1)  #: torch.Tensor.sum; torch.Tensor.__mul__; torch.Tensor.__gt__

    def average(self, x, mask):
        return x.mean(1) * (mask > 2)  #: torch.Tensor.mean; torch.Tensor.__mul__; torch.Tensor.__gt__

def train(kind):
    mask = torch.ones(3, 3)  #: torch.ones
    NET
    return net(mask, mask)
"""


@pytest.mark.parametrize(
    "call",
    [
        "chosen(x, x)",
        "(one if kind else other)(x, x)",
        "TABLE[kind](x, x)",
        "table[kind](x, x)",
        "TABLE.get(kind)(x, x)",
        "[one, other][kind](x, x)",
        "chosen(v=x, u=x)",
    ],
)
def test_functions(call: str) -> None:
    check(FUNCTIONS.replace("CALL", call))


@pytest.mark.parametrize(
    "net",
    [
        "net = One() if kind else Other()",
        "net = One()\n    if kind:\n        net = Other()",
        "net = {'one': One, 'other': Other}[kind]()",
        "net = [One(), Other()][kind]",
    ],
)
def test_networks(net: str) -> None:
    check(NETWORKS.replace("NET", net))


def test_what_else_may_be_called_takes_nothing_away() -> None:
    check(
        """
        import torch
        import numpy as np

        def one(u):
            return u.sum(1)  #: torch.Tensor.sum

        def own(u):
            return u.sum(1)

        def run(kind):
            x = torch.ones(3, 3)  #: torch.ones
            y = np.ones((3, 3))
            return (one if kind else abs)(x), (own if kind else abs)(y)
        """
    )
