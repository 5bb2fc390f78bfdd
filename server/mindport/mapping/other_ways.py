"""Other ways to write a call of torch by operators that every device has: the migration guide's equivalents.

They are judgements, written by hand in `mappings/_policies/equivalents.json`; a test runs each against torch."""

from __future__ import annotations

import functools
from collections.abc import Mapping

import msgspec

from mindport.mapping.bind import Binding
from mindport.mapping.condition import TRUE
from mindport.mapping.match import evaluate_when
from mindport.mapping.schema import Case
from mindport.registry.location import mappings_folder
from mindport.usage.api_use import ResultUse


class WayExample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call that the way stands for, and the shapes of its inputs."""

    before: str
    inputs: dict[str, tuple[int, ...]]


class OtherWay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way, for calls of `torch` that fulfil the conditions of `case`; its `rewrite` is what to write. `form` is
    `function` or `method`."""

    torch: str
    form: str
    case: Case
    example: WayExample


@functools.cache
def other_ways() -> Mapping[str, tuple[OtherWay, ...]]:
    """All of them by the name in torch; empty where the file is missing."""
    try:
        data = (mappings_folder() / "_policies" / "equivalents.json").read_bytes()
    except OSError:
        return {}
    found: dict[str, tuple[OtherWay, ...]] = {}
    for one in msgspec.json.decode(data, type=list[OtherWay]):
        found[one.torch] = (*found.get(one.torch, ()), one)
    return found


def holds(way: OtherWay, binding: Binding, result: ResultUse) -> bool:
    """Whether the way certainly stands for a call."""
    return evaluate_when(way.case.when, binding, result)[0] is TRUE
