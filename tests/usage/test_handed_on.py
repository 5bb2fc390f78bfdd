"""Dtypes and other constants of torch that reach a file through other modules of the project."""

from __future__ import annotations

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


def test_modules_that_import_each_other() -> None:
    usage = usage_of(
        "from .one import missing\nx = missing", one="from .two import *", two="from .one import *"
    )
    assert [use.api for use in usage.uses] == []
