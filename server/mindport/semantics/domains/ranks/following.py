"""Goes through the forward of a network and counts axes."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Mapping

from mindport.semantics.domains.ranks.domain import Layers, Ranks
from mindport.semantics.flow.budget import BudgetSpent
from mindport.semantics.flow.frame import Frame, Unreachable
from mindport.semantics.flow.imports import NoSources
from mindport.semantics.flow.machine import Machine
from mindport.semantics.flow.objects import Instance, Namespace
from mindport.semantics.flow.values import UNKNOWN, Arguments

_MOST_STEPS = 20_000  # for one network; what is beyond is not known


def axes_of_inputs(
    forward: ast.FunctionDef, held: Mapping[str, Layers], api_of: Callable[[ast.expr], str]
) -> dict[ast.Call, frozenset[int | None]]:
    """For each layer that a network has under a name of its own and calls, `self.fc1(x)`, by the call that makes it:
    how many axes its inputs have; None stands for what is not known. `api_of` tells torch's name behind a node of the
    forward, empty where it has none."""
    found: defaultdict[ast.Call, set[int | None]] = defaultdict(set)
    m = Machine(NoSources(), Ranks(held, api_of, lambda layer, axes: found[layer].add(axes)))
    where = m.new(Namespace("", is_open=True))
    m.frame = Frame("", where, where)
    m.budget.left = _MOST_STEPS
    try:
        m.run(m.frame, [forward])
        inputs = len([*forward.args.posonlyargs, *forward.args.args]) - 1
        m.call(m.name(m.frame, forward.name), Arguments((m.new(Instance(UNKNOWN)), *[UNKNOWN] * inputs)))
    except Unreachable:
        pass
    except (BudgetSpent, RecursionError):
        return {}
    return {layer: frozenset(axes) for layer, axes in found.items()}
