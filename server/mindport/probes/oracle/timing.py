"""How long a call takes in both frameworks, at a size where the work counts and not the start of a kernel.

The inputs of examples hold a handful of numbers; at that size only the overhead of a call would be measured. So the
first axis of every array is repeated, step by step, until torch is busy for a while or the arrays are large. A call
that does not take that (its sizes are tied to each other) is not timed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy

from . import mindspore_side, torch_side
from .snippet import Snippet, run

GROWTH = 8
LARGE = 200_000  # elements of all inputs together
BUSY = 1e-3  # seconds of torch
MOST = 0.1  # seconds of either framework; sizes beyond are not worth waiting for
REPEATS = 9


class _Side:
    """One framework with what the prelude built."""

    def __init__(self, snippet: Snippet, names: dict[str, Any], convert: Callable[[Any], Any]) -> None:
        self._body, self._names, self._convert = snippet.body, names, convert
        run(snippet.prelude, names)

    def seconds(self, inputs: dict[str, Any]) -> float:
        """The processor time of one call; the inputs are made anew, because a call may change them."""
        self._names.update({name: self._convert(value) for name, value in inputs.items()})
        before = time.process_time()
        run(self._body, self._names)
        return time.process_time() - before


def compare_time(before: Snippet, after: Snippet, inputs: dict[str, Any], seed: int) -> dict[str, Any] | None:
    """The `ratio`, how many times as long as torch's call MindSpore's takes, and the `elements` that the inputs had;
    None where the call cannot be timed. What the prelude builds is not counted.

    The two take turns, and the middle one of their ratios counts. It is processor time, which other load on the
    machine changes little: MindSpore hands work from thread to thread, and waits long for its turn on a busy one."""
    if not before.body.co_names or not any(_can_grow(value) for value in inputs.values()):
        return None
    try:
        torch = _Side(before, torch_side.new_namespace(seed), torch_side.to_input)
        mindspore = _Side(after, mindspore_side.new_namespace(seed), mindspore_side.to_input)
        torch.seconds(inputs), mindspore.seconds(inputs)  # a first call is slow, however small
        while True:
            taken, other = torch.seconds(inputs), mindspore.seconds(inputs)
            if max(taken, other) > MOST:
                return None
            if taken > BUSY or _elements(inputs) > LARGE:
                break
            inputs = {name: _grown(value) for name, value in inputs.items()}
        torch.seconds(inputs), mindspore.seconds(inputs)  # to warm up
        turns = [(torch.seconds(inputs), mindspore.seconds(inputs)) for _ in range(REPEATS)]
        ratio = statistics.median(ours / theirs for theirs, ours in turns)
    except Exception:  # noqa: BLE001  either framework may refuse the size in any way; a clock may be too coarse
        return None
    return {"ratio": ratio, "elements": _elements(inputs)}


def _can_grow(value: Any) -> bool:
    return isinstance(value, numpy.ndarray) and value.ndim > 0 and value.size > 0


def _grown(value: Any) -> Any:
    return numpy.concatenate([value] * GROWTH) if _can_grow(value) else value


def _elements(inputs: dict[str, Any]) -> int:
    return sum(value.size for value in inputs.values() if isinstance(value, numpy.ndarray))
