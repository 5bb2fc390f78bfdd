"""What lies between a differentiated output and the inputs that it is differentiated for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from mindport.usage.regions.values import (
    Choice,
    Conditions,
    Constant,
    Data,
    Items,
    Layer,
    OwnInstance,
    UnaskedItem,
    Value,
    Waiting,
    Weights,
)

_MOST_VALUES = 20_000
Settle = Callable[[Value], Value]


def inputs_of(value: Value | None, settle: Settle) -> list[Value] | None:
    """The values that a gradient is taken for, containers opened; None for whatever the output hangs on."""
    if value is None:
        return None
    found: list[Value] = [value]
    for one in found:
        inner = settle(one) if isinstance(one, (UnaskedItem, Waiting)) else one
        if inner is not one:
            found.append(inner)
        elif isinstance(inner, (Items, Choice)):
            found += inner.values
    # A constant is something that was not followed: it stands in many places.
    found = [one for one in found if not isinstance(one, Constant)]
    return found or None


# Operations whose gradient does not hang on their input: at the end of a link they have nothing to lose.
_LINEAR = frozenset(
    {"sum", "mean", "squeeze", "unsqueeze", "expand_dims", "view", "reshape", "flatten", "Flatten", "transpose",
     "permute", "swapaxes", "t", "T", "mT", "movedim", "__getitem__", "__neg__", "__add__", "__sub__", "add", "sub",
     "neg", "contiguous", "to", "float", "double", "astype", "cast", "cat", "stack", "expand", "broadcast_to"}
)  # fmt: skip
_LINEAR_WITH_CONSTANT = frozenset({"__mul__", "__truediv__", "mul", "div"})


class OnTheWay(NamedTuple):
    """One piece of data on a way. `is_wide`: the way leads through an operand behind the first. `is_last`: nothing
    behind it on the way to the output is more than linear or has weights."""

    data: Data
    is_wide: bool
    is_last: bool


class Between(NamedTuple):
    """The data on a way from the inputs to the output, and whether there is such a way. Without one, all that the
    output hangs on is given: what was not followed must lie on it."""

    data: list[OnTheWay]
    is_reached: bool


def data_between(output: Value, inputs: list[Value] | None, settle: Settle) -> Between:
    """What lies between the inputs and the output.

    `inputs` is None for whatever there is at the end."""
    wanted = None if inputs is None else {id(value) for value in inputs}
    with_weights = inputs is None or any(isinstance(value, Weights) for value in inputs)
    for_anything = inputs is None
    reaches: dict[int, bool] = {}
    seen: list[Value] = []
    stack: list[tuple[Value, list[Value] | None]] = [(output, None)]
    active: set[int] = set()
    while stack and len(seen) < _MOST_VALUES:
        value, children = stack.pop()
        key = id(value)
        if children is None:
            if key in reaches or key in active:
                continue
            if wanted is not None and key in wanted:
                reaches[key] = True
                seen.append(value)
                continue
            active.add(key)
            children = list(_children(value, settle))
            stack.append((value, children))
            stack.extend((child, None) for child in reversed(children))
            continue
        active.discard(key)
        found = any(reaches.get(id(child), False) for child in children)
        found = found or (with_weights and _has_weights(value))
        found = found or (for_anything and _is_given(value))
        reaches[key] = found
        seen.append(value)
    if not reaches.get(id(output), False):
        return Between([], False) if for_anything else Between(data_between(output, None, settle).data, False)
    last = _last(seen, output, settle)
    between = [
        OnTheWay(
            value,
            any(reaches.get(id(operand), False) for operand in value.operands[1:]),
            last.get(id(value), False),
        )
        for value in seen
        if isinstance(value, Data) and reaches[id(value)] and not (wanted is not None and id(value) in wanted)
    ]
    return Between(between, True)


def _last(seen: list[Value], output: Value, settle: Settle) -> dict[int, bool]:
    """By identity, whether all that comes behind a value is linear and without weights. Values come after what they
    hang on."""
    found = {id(output): True}
    for value in reversed(seen):
        goes_on = found.get(id(value), False) and is_linear(value)
        for child in _children(value, settle):
            found[id(child)] = found.get(id(child), True) and goes_on
    return found


def is_linear(value: Value) -> bool:
    """Whether the gradient of a value for what it was computed from hangs on nothing but shapes."""
    if not isinstance(value, Data):
        return True
    name = value.api.rpartition(".")[2]
    if name in _LINEAR_WITH_CONSTANT:
        return any(isinstance(operand, Constant) for operand in value.operands)
    return name in _LINEAR


def data_behind(output: Value, settle: Settle) -> list[Data]:
    """All data that the output hangs on."""
    found: list[Data] = []
    seen: set[int] = set()
    stack = [output]
    while stack and len(seen) < _MOST_VALUES:
        value = stack.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Data):
            found.append(value)
        stack.extend(_children(value, settle))
    return found


def conditions_of(data: Data) -> Conditions:
    """Everything that has to hold for the data to be computed."""
    return data.conditions if data.layer is None else data.conditions | data.layer.conditions


def _children(value: Value, settle: Settle) -> Iterable[Value]:
    if isinstance(value, Data):
        return value.operands
    if isinstance(value, (Waiting, UnaskedItem)):
        return (settle(value),)
    if isinstance(value, (Items, Choice)):
        return value.values
    return ()


def _has_weights(value: Value) -> bool:
    """Whether parameters of a module go in here."""
    if isinstance(value, Data):
        return value.layer is not None or value.api.endswith(".Parameter")
    return isinstance(value, (Weights, Layer, OwnInstance))


def _is_given(value: Value) -> bool:
    """Data from outside, as opposed to constants and what no gradient goes through."""
    return isinstance(value, Data) and not value.operands and not value.is_cut and value.site is None
