"""Which of the measured variants of an API speak for a call: those with its arguments, index and dimensions."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from mindport.mapping.second_order_arguments import UNREAD
from mindport.mapping.second_order_side import SecondOrderSide
from mindport.registry.bprops import Chain, Measurement, Result

# Containers, and casts that carry no gradient.
_INNOCENT = frozenset({"mindspore.nn.SequentialCell", "mindspore.nn.CellList", "mindspore.Tensor.astype"})
_BRANCHES = frozenset({"ord", "p"})  # parameters whose numbers are no sizes: each is computed in another way
# Overloads name the same parameter in one way or another.
_SAME_PARAMETERS = {"keepdims": "keepdim", "keep_dims": "keepdim", "axis": "dim"}
_EXPONENT = re.compile(r"(?<=\d)e(?=[-+]?\d)")
_BAD = (Result.WRONG, Result.RAISES)
# Operators run as these functions; what was measured of one speaks for the other.
_FUNCTIONS_OF_OPERATORS = {
    "add": "add", "radd": "add", "iadd": "add", "sub": "sub", "rsub": "sub", "isub": "sub", "mul": "mul", "rmul": "mul",
    "imul": "mul", "truediv": "div", "rtruediv": "div", "itruediv": "div", "pow": "pow", "neg": "neg",
    "matmul": "matmul", "abs": "abs",
}  # fmt: skip


def measured(api: str, facts: SecondOrderSide) -> Sequence[Measurement]:
    """What was measured of an API: alone, else together with others that are not themselves to blame."""
    alone = facts.measured(api)
    if alone:
        return alone
    return [
        row
        for row in facts.measured_together(api)
        if row.result is Result.RIGHT or _is_to_blame(api, row, facts)
    ]


def _is_to_blame(api: str, row: Measurement, facts: SecondOrderSide) -> bool:
    """Whether no other API of a measurement that went wrong is known or likely to go wrong by itself."""
    for other in set(row.apis) - _INNOCENT - {api}:
        alone = [one.result for one in facts.measured(other) if one.mode is row.mode]
        if not alone or any(result in _BAD for result in alone):
            return False
    return True


def measured_name(api: str, facts: SecondOrderSide) -> str:
    """The name under which an API was measured: operators run as functions of `mindspore.ops`."""
    head, _, last = api.rpartition(".")
    function = _FUNCTIONS_OF_OPERATORS.get(last.strip("_")) if last.startswith("__") else None
    if function is not None and head == "mindspore.Tensor" and facts.measured(f"mindspore.ops.{function}"):
        return f"mindspore.ops.{function}"
    return api


def fitting(
    rows: Sequence[Measurement],
    arguments: Mapping[str, str] | None,
    defaults: Mapping[str, str],
    is_wide: bool,
    rank: int | None,
) -> tuple[list[Measurement], bool]:
    """The measurements that speak for a call with these arguments, and True; all of them where none fits, so that the
    worst counts, and False: what is right for others says nothing of it."""
    kept = [row for row in rows if row.of_all_inputs is is_wide] or list(rows)
    if rank is not None:
        kept = [row for row in kept if _dimensions(row) == rank] or kept
    if arguments is None:
        return kept, True
    same = [row for row in kept if row.arguments == dict(arguments)]
    found = same or [row for row in kept if _fits(row.arguments, arguments, defaults)]
    return found or kept, bool(found)


def _dimensions(row: Measurement) -> int | None:
    """The dimensions of the first input that was measured."""
    shape = row.shapes.get("x") or next(iter(row.shapes.values()), None)
    return None if shape is None else len(shape)


def fitting_chains(
    chains: Sequence[Chain], arguments: Mapping[str, str] | None, defaults: Mapping[str, str]
) -> Sequence[Chain]:
    """The chains that speak for a call with these arguments; all of them where none fits."""
    if arguments is None:
        return chains
    same = [chain for chain in chains if chain.arguments == dict(arguments)]
    return same or [chain for chain in chains if _fits(chain.arguments, arguments, defaults)] or chains


def _fits(measured: Mapping[str, str], passed: Mapping[str, str], defaults: Mapping[str, str]) -> bool:
    """Whether the calls differ in nothing but sizes: another word or truth value is another branch."""
    if "index" in passed:
        return "index" in measured and _index_kinds(measured["index"]) == _index_kinds(passed["index"])
    measured, passed, defaults = (_by_one_name(given) for given in (measured, passed, defaults))
    names = measured.keys() | passed.keys()
    one, other = (
        {name: given.get(name, defaults.get(name)) for name in names} for given in (measured, passed)
    )
    return all(
        _same(one[name], other[name])
        or other[name] == UNREAD
        or (name not in _BRANCHES and _is_size(one[name]) and _is_size(other[name]))
        for name in names
    )


def _by_one_name(given: Mapping[str, str]) -> dict[str, str]:
    return {_SAME_PARAMETERS.get(name, name): text for name, text in given.items()}


def _index_kinds(source: str) -> frozenset[str]:
    """What an index is made of: numbers, slices, None, an ellipsis, lists; a name may be anything."""
    inner = source[1:-1] if source.startswith("(") and source.endswith(")") else source
    try:
        index = ast.parse(f"x[{inner}]", mode="eval").body
    except SyntaxError:
        return frozenset((source,))
    parts = index.slice if isinstance(index, ast.Subscript) else index
    kinds = set()
    for part in parts.elts if isinstance(parts, ast.Tuple) else [parts]:
        number = part.operand if isinstance(part, ast.UnaryOp) else part
        kinds.add(type(number.value if isinstance(number, ast.Constant) else part).__name__)
    return frozenset(kinds)


def _same(one: str | None, other: str | None) -> bool:
    """Whether two sources are the same value: 2 is 2.0, True is not 1."""
    if one == other or one is None or other is None:
        return one == other
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def _is_size(source: str | None) -> bool:
    """Whether a source has numbers alone, such as 1e-05 or (2, 2)."""
    return source is None or not re.search(r"[A-Za-z\"']", _EXPONENT.sub("", source))
