"""Which samples of an example are run: the author's own inputs with three seeds, then bent ones. The words are those
of `probes/oracle/inputs.py`, which makes the values."""

from __future__ import annotations

from typing import Any

import msgspec

from mindport.mapping.helper_source import with_helpers
from mindport.mapping.schema import Example

OWN, SIGNED, SMALL, DOUBLE, INTEGER = "own", "signed", "small", "double", "integer"

SAMPLES = ((OWN, 0), (OWN, 1), (OWN, 2), (SIGNED, 3), (SMALL, 4), (DOUBLE, 5), (INTEGER, 6))
_OWN_SAMPLES = SAMPLES[:3]


def samples_of(example: Example) -> tuple[tuple[str, int], ...]:
    """Variant and seed of each sample of an example. The bent ones only where they change anything."""
    texts = " ".join(example.inputs.values())
    has_floats = "rand(" in texts or "randn(" in texts
    return SAMPLES if has_floats and example.compare == "value" else _OWN_SAMPLES


def requests_of(example: Example) -> list[dict[str, Any]]:
    """The samples of an example as the worker wants them. The first is timed, too."""
    plain = {**msgspec.to_builtins(example), "inputs": example.inputs, "observe": example.observe}
    plain["compare"] = example.compare
    plain["before"] = example.modern or example.before
    plain["after"] = with_helpers(example.after)
    return [
        {"example": plain, "variant": variant, "seed": seed, "timed": not seed and example.compare == "value"}
        for variant, seed in samples_of(example)
    ]
