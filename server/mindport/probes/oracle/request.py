"""Reads what a request says of its sample, for both sides; `sample.run_request` describes requests."""

from __future__ import annotations

from typing import Any

import numpy

from .inputs import Variant, make_inputs, read_arrays
from .snippet import Snippet, split_snippet


def inputs_of(request: dict[str, Any]) -> dict[str, Any]:
    """The inputs by name. Raises InputError."""
    arrays = request.get("arrays")
    if arrays is not None:
        return read_arrays(arrays)
    return make_inputs(request["example"]["inputs"], variant_of(request), request.get("seed", 0))


def variant_of(request: dict[str, Any]) -> Variant:
    """How the inputs are bent."""
    return Variant(request.get("variant", "own"))


def snippet_of(request: dict[str, Any], side: str) -> Snippet:
    """The `before` or `after` of the example. Raises SyntaxError."""
    example, arrays = request["example"], request.get("arrays")
    names = frozenset(example["inputs"] if arrays is None else arrays)
    return split_snippet(example[side] or "", example["observe"], names)


def names_to_differentiate(request: dict[str, Any], inputs: dict[str, Any]) -> list[str]:
    """The inputs that gradients are compared for: those that the request names, else all of floating point."""
    names: list[str] | None = request.get("gradient_of")
    if names is not None:
        return names
    return [
        name for name, value in inputs.items() if isinstance(value, numpy.ndarray) and value.dtype.kind == "f"
    ]


def record_request(request: dict[str, Any]) -> dict[str, Any]:
    """What torch gives for one sample: `expected` of a request on another machine. The status is always `agree`."""
    from .recorded_reference import record
    from .torch_reference import TorchReference

    try:
        snippet, inputs = snippet_of(request, "before"), inputs_of(request)
    except (SyntaxError, ValueError) as error:
        return {"status": "agree", "expected": {"not_prepared": f"example: {error}"}}
    variant = variant_of(request)
    reference = TorchReference(snippet, inputs, variant, request.get("seed", 0))
    names = names_to_differentiate(request, inputs)
    return {"status": "agree", "expected": record(reference, request["example"], variant, names)}
