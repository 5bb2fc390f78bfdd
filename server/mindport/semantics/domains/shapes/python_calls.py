"""What functions of Python and its library do to numbers that come from tensors."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from mindport.model.language import later
from mindport.semantics.domains.shapes.arguments import Passed, cause_of_numbers
from mindport.semantics.domains.shapes.operators import KNOWN_BY_NAME
from mindport.semantics.domains.shapes.torch_calls import TorchCalls
from mindport.semantics.domains.shapes.values import (
    RANDOM,
    TENSOR,
    Known,
    ValueKind,
    element,
    group_of,
    number_from,
    varying,
)
from mindport.semantics.flow.iteration import any_item
from mindport.source.trees import every_node

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

_NUMBERS = frozenset(("int", "float", "bool", "round", "abs"))
_JOINING = frozenset(("min", "max", "sum", "pow", "divmod"))
_GROUPS = frozenset(("tuple", "reversed", "iter"))
# Packages whose functions a graph leaves MindSpore for -> the construct.
_OUTSIDE = {"math": "math", "numpy": "numpy-of-item"}
_NOT_DRAWN = frozenset(("shuffle", "seed", "permutation"))


class PythonCalls(TorchCalls):
    """Calls of names outside the project that are none of torch's."""

    compiled = ""  # why the function at hand becomes a graph; empty where it does not

    def of_python(self, m: Machine, dotted: str, passed: Passed) -> Any:
        """What a call of a name gives."""
        module, _, name = dotted.rpartition(".")
        if module == "builtins":
            return self._builtin(m, name, passed)
        if module in ("random", "numpy.random") and name not in _NOT_DRAWN:
            return number_from(RANDOM)
        root = dotted.partition(".")[0]
        if self.compiled and root in _OUTSIDE and any(value.is_data for value in passed.values):
            self.note("graph", passed.node, _OUTSIDE[root], self.compiled)
        if module == "math":
            return Known(ValueKind.NUMBER, cause_of_numbers(passed.values))
        return varying(f"how much `{name}` gives") if name in KNOWN_BY_NAME else NotImplemented

    def _builtin(self, m: Machine, name: str, passed: Passed) -> Any:
        first, node = passed.first, passed.node
        if name in _NUMBERS:
            if first.is_tensor:
                return number_from(f"`{self.text(node)}`, the value of a tensor")
            return Known(ValueKind.NUMBER, first.number_cause)
        if name == "len":
            varies = first.is_tensor and (first.axes is None or 0 in first.axes)
            return Known(ValueKind.NUMBER, first.cause if varies else "")
        if name in _JOINING:
            return self._extreme(m, name, passed)
        if name == "range":
            if self.compiled and any(value.is_tensor for value in passed.values):
                self.note("graph", node, "range-of-tensor", self.compiled)
            return group_of(Known(ValueKind.NUMBER, cause_of_numbers(passed.values)))
        return group_of(any_item(m, passed.all[0])) if name in _GROUPS and passed.all else NotImplemented

    def _extreme(self, m: Machine, name: str, passed: Passed) -> Any:
        """min(k, n), and the length of the longest item of a batch."""
        values = passed.values
        if len(passed.all) == 1:
            if (
                name == "max"
                and passed.node is not None
                and passed.node.args
                and _measures_items(passed.node.args[0])
            ):
                return number_from(later("the longest item of the batch"))
            values = passed.parts(passed.all[0])
            if passed.first.is_tensor or passed.first.what is ValueKind.SHAPE:
                values = [element(passed.first)]
        if any(value.is_tensor for value in values):
            return TENSOR
        return Known(ValueKind.NUMBER, cause_of_numbers(values))


def _measures_items(node: ast.expr) -> bool:
    """max(len(x) for x in batch), max(x.shape[1] for x in batch), max(map(len, batch))."""
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        target = node.generators[0].target
        names = {one.id for one in every_node(target) if isinstance(one, ast.Name)}
        measures = any(
            (isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "len")
            or (isinstance(one, ast.Attribute) and one.attr in ("shape", "size"))
            for one in every_node(node.elt)
        )
        return measures and any(isinstance(one, ast.Name) and one.id in names for one in every_node(node.elt))
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "map"
        and bool(node.args)
        and isinstance(node.args[0], ast.Name)
        and node.args[0].id == "len"
    )
