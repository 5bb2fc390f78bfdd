"""Follows shapes through code that stands by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from mindport.semantics.domains.shapes.arguments import ShapePlace, TorchNames
from mindport.semantics.domains.shapes.domain import Shapes
from mindport.semantics.flow.budget import BudgetSpent
from mindport.semantics.flow.frame import Frame, Unreachable
from mindport.semantics.flow.imports import NoSources
from mindport.semantics.flow.machine import Machine
from mindport.semantics.flow.objects import Namespace

_MOST_STEPS = (
    20_000  # for the statements of one unit; what is beyond is not known, and nothing is noted there
)


def varying_places(
    groups: Iterable[Sequence[ast.stmt]], names: TorchNames, compiled: str = ""
) -> tuple[ShapePlace, ...]:
    """The places in groups of statements, each of which sees what those before it left. `compiled` says why all of
    them become a graph."""
    domain = Shapes(names)
    domain.compiled = compiled
    m = Machine(NoSources(), domain)
    where = m.new(Namespace("", is_open=True))
    m.frame = Frame("", where, where)
    for statements in groups:
        m.budget.left = _MOST_STEPS
        try:
            m.run(m.frame, statements)
        except Unreachable:
            continue
        except (BudgetSpent, RecursionError):
            m.heap.lose_everything()
    return domain.places
