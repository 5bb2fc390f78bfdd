"""Which samples of an example are run: the author's own inputs with three seeds, then bent ones. The words are those
of `probes/oracle/inputs.py`, which makes the values."""

from __future__ import annotations

from typing import Any

import msgspec

from mindport.mapping.helper_source import with_helpers
from mindport.mapping.schema import Example
from mindport.model.target import Mode

OWN, SIGNED, SMALL, DOUBLE, INTEGER = "own", "signed", "small", "double", "integer"
NARROW = ("float16", "bfloat16")

SAMPLES = ((OWN, 0), (OWN, 1), (OWN, 2), (SIGNED, 3), (SMALL, 4), (DOUBLE, 5), (INTEGER, 6))
_OWN_SAMPLES = SAMPLES[:3]
_NARROW_SAMPLES = tuple((dtype, 7) for dtype in NARROW)


def samples_of(example: Example) -> tuple[tuple[str, int], ...]:
    """Variant and seed of each sample of an example. The bent ones only where they change anything."""
    texts = " ".join(example.inputs.values())
    has_floats = "rand(" in texts or "randn(" in texts
    return SAMPLES if has_floats and example.compare == "value" else _OWN_SAMPLES


def requests_of(
    example: Example,
    *,
    is_narrowed: bool = False,
    is_timed: bool = False,
    mode: Mode = Mode.PYNATIVE,
    is_compiled: bool = False,
) -> list[dict[str, Any]]:
    """The samples of an example as the worker wants them. With `is_narrowed` half precision is run, too, last because a
    crash ends an example; with `is_timed` the first sample is timed. In graph mode it is one sample, because the graph
    is compiled for each: the values were compared in PyNative; `is_compiled` says whether there is a graph."""
    plain = {**msgspec.to_builtins(example), "inputs": example.inputs, "observe": example.observe}
    plain["compare"] = example.compare
    plain["before"] = example.modern or example.before
    plain["after"] = with_helpers(example.after)
    if mode is Mode.GRAPH:
        request = {"example": plain, "variant": OWN, "seed": 0, "mode": mode.value, "compiled": is_compiled}
        return [request]
    samples = samples_of(example)
    if is_narrowed and len(samples) > len(_OWN_SAMPLES):
        samples += _NARROW_SAMPLES
    return [
        {
            "example": plain,
            "variant": variant,
            "seed": seed,
            "timed": is_timed and not seed and example.compare == "value",
        }
        for variant, seed in samples
    ]
