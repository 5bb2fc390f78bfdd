"""What the layers of a model gave, one call after the other, and the first that gives something else in the port."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy

# Of larger outputs so many numbers are kept, evenly spread: a layer that is wrong is wrong in more than one place.
_MOST_NUMBERS = 4096
# Rounding grows from layer to layer, a wrong layer jumps: a difference counts from here on, and only where it is so
# many times as large as any before it.
_COUNTS = 1e-5
_JUMP = 10.0
_ROUNDING = 1e-7


class LayerRecord:
    """The calls of a model's layers in the order in which they ended, so parts come before what they are parts of."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def add(self, name: str, kind: str, outputs: list[Any]) -> None:
        """Keep the outputs, as numpy arrays, of one call of the layer `name` of class `kind`."""
        self.calls.append(
            {
                "name": name,
                "kind": kind,
                "shapes": [list(output.shape) for output in outputs],
                "samples": [_sample(output) for output in outputs],
            }
        )

    def to_arrays(self) -> dict[str, Any]:
        """For an .npz file: the names as one text, the samples of all calls one after the other."""
        rows = [{**call, "samples": [len(sample) for sample in call["samples"]]} for call in self.calls]
        samples = [sample for call in self.calls for sample in call["samples"]]
        return {
            "layers": numpy.array(json.dumps(rows)),
            "layers:samples": numpy.concatenate([numpy.zeros(0), *samples]),
        }


def read_calls(arrays: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls that `to_arrays` wrote; none where it did not."""
    if "layers" not in arrays:
        return []
    calls: list[dict[str, Any]] = json.loads(str(arrays["layers"]))
    samples, start = arrays["layers:samples"], 0
    for call in calls:
        lengths, call["samples"] = call["samples"], []
        for length in lengths:
            call["samples"].append(samples[start : start + length])
            start += length
    return calls


def first_difference(calls: list[dict[str, Any]], port_calls: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The first call of torch's whose counterpart in the port, by name and turn, gives something else: its `name`,
    both classes, `what` differs, and how many calls before it agree. None where all that both have agree."""
    port = dict(_in_turn(port_calls))
    agreeing, worst = 0, _ROUNDING
    for place, theirs in _in_turn(calls):
        mine = port.get(place)
        if mine is None:
            continue
        what = ""
        if mine["shapes"] != theirs["shapes"]:
            what = f"gives {_shapes(mine)}, torch's {_shapes(theirs)}"
        else:
            error = max(map(_error, mine["samples"], theirs["samples"]), default=0.0)
            if not error <= max(_COUNTS, _JUMP * worst):
                what = f"differs by {error:.2g} of its largest value"
            worst = max(worst, error)
        if what:
            return {
                "name": theirs["name"],
                "turn": place[1],
                "kinds": [theirs["kind"], mine["kind"]],
                "what": what,
                "agreeing": agreeing,
                "has_parts": any(call["name"].startswith(f"{theirs['name']}.") for call in calls),
            }
        agreeing += 1
    return None


def _in_turn(calls: list[dict[str, Any]]) -> Iterator[tuple[tuple[str, int], dict[str, Any]]]:
    turns: dict[str, int] = {}
    for call in calls:
        turns[call["name"]] = turns.get(call["name"], 0) + 1
        yield (call["name"], turns[call["name"]]), call


def _sample(output: Any) -> Any:
    flat = output.reshape(-1)
    if numpy.iscomplexobj(flat):
        flat = abs(flat)
    step = max(1, -(-flat.size // _MOST_NUMBERS))
    return flat[::step].astype(numpy.float64)


def _error(mine: Any, theirs: Any) -> float:
    if not numpy.array_equal(numpy.isfinite(mine), numpy.isfinite(theirs)):
        return float("inf")
    mine, theirs = numpy.nan_to_num(mine), numpy.nan_to_num(theirs)
    return float(abs(mine - theirs).max(initial=0.0)) / max(float(abs(theirs).max(initial=0.0)), 1e-6)


def _shapes(call: dict[str, Any]) -> str:
    return ", ".join(str(tuple(shape)) for shape in call["shapes"]) or "no tensor"
