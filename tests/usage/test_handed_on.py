"""Dtypes and other constants of torch that reach a file through other modules of the project."""

from __future__ import annotations

import pytest

from usage.marks import check, usage_of


def test_constants_of_other_modules() -> None:
    check(
        """
        from .kinds import float32, own, real
        from . import kinds
        a = float32, real  #: torch.float32; torch.distributions.constraints.real
        b = kinds.float32, kinds.real  #: torch.float32; torch.distributions.constraints.real
        c = own, kinds.own, kinds.number
        """,
        kinds="""
        from torch import float32
        from .more import *
        own = "float32"
        number = 3.0
        """,
        more="from torch.distributions.constraints import *",
    )


def test_a_name_that_gets_another_thing() -> None:
    check(
        """
        from . import learner
        learner.DataLoader = in_order
        learner.DataLoader: object = in_order
        kept, learner.SGD = learner.SGD, slow  #: torch.optim.SGD
        made = learner.SGD(weights)  #: torch.optim.SGD
        """,
        learner="""
        from torch.optim import SGD
        from torch.utils.data import DataLoader
        """,
    )


def test_modules_that_import_each_other() -> None:
    usage = usage_of(
        "from .one import missing\nx = missing", one="from .two import *", two="from .one import *"
    )
    assert [use.api for use in usage.uses] == []


def test_a_module_that_is_loaded_again() -> None:
    check(
        """
        import importlib
        from . import kinds
        again = importlib.reload(kinds)
        a = again.float32, again.own  #: torch.float32
        b = importlib.find(kinds).float32
        """,
        kinds="""
        from torch import float32
        own = "float32"
        """,
    )


@pytest.mark.parametrize(
    ("call", "owner"),
    [
        ("torch.autograd.grad(net(x), x)", "Tensor"),
        ("torch.autograd.grad(outputs=net(x), inputs=x)", "Tensor"),
        ("torch.nn.utils.clip_grad_norm_(x, 1.0)", "Tensor"),
        ("torch.stack(x)", "nn.Module"),  # which is for several alone, so that `x` is no tensor
    ],
)
def test_what_takes_a_tensor_or_several_speaks_against_neither(call: str, owner: str) -> None:
    usage = usage_of(f"import torch\ndef f(net, x):\n    x.requires_grad_()\n    return {call}  # 梯度 🙂\n")
    assert [use.api for use in usage.uses if use.span.line == 3] == [f"torch.{owner}.requires_grad_"]
