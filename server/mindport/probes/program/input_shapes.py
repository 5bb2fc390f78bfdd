"""Finds shapes that an entry of the user runs with, where nobody says them: from its signature how many inputs there
are, from the first weight of a Cell how many channels, and the rest by trying."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any, Callable

MOST_INPUTS = 3
_SIDES = (8, 4, 16, 28, 32, 64, 128, 224, 256)  # of images, as networks are built for
_BATCH = 2
_PLAIN = ((_BATCH, 4), (_BATCH, 3, 8, 8), (_BATCH, 1, 8, 8), (4,), (_BATCH, 3, 4))


class NoShape(Exception):
    """The entry runs with none of the shapes that were tried; the message says so, and what the last one raised."""


def count_of_inputs(function: Any) -> int:
    """How many inputs must be passed. Raises NoShape for none, or more than three."""
    called = getattr(function, "construct", function)
    try:
        parameters = inspect.signature(called).parameters.values()
    except (TypeError, ValueError):
        return 1
    needed = [
        one
        for one in parameters
        if one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    count = len(needed) or int(any(one.kind is not one.KEYWORD_ONLY for one in parameters))
    if not 1 <= count <= MOST_INPUTS:
        raise NoShape(f"it takes {count} inputs; between 1 and {MOST_INPUTS} can be differentiated")
    return count


def shapes_to_try(weights: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Shapes of an input, likely ones first, for a function whose weights have these shapes, in their order."""
    first = next((shape for shape in weights if len(shape) > 1), ())
    if len(first) == 2:
        yield (_BATCH, first[1])
        yield (_BATCH, 4, first[1])
    elif first:
        for side in _SIDES[: 2 if len(first) == 5 else None]:
            yield (_BATCH, first[1], *[side] * (len(first) - 2))
    yield from _PLAIN


def found_shapes(
    count: int, weights: Sequence[tuple[int, ...]], runs: Callable[[list[list[int]]], Any]
) -> list[list[int]]:
    """The shapes of the inputs, all alike, of the first try in which `runs` raises nothing. Raises NoShape."""
    last = ""
    for shape in shapes_to_try(weights):
        shapes = [list(shape)] * count
        try:
            runs(shapes)
        except Exception as error:  # noqa: BLE001 - the user's code may raise anything
            last = " ".join(str(error).split())[:300]
            continue
        return shapes
    raise NoShape(f"no shape was found that it runs with; the last one raised: {last}")
