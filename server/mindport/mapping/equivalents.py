"""Other ways to write a MindSpore call, equal to it and right at second order where it is not.

They are judgements, written by hand in `mappings/_second_order/equivalents.json`; a test runs each of them twice
differentiated against torch."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping

import msgspec

from mindport.registry.location import mappings_folder

HOLE = re.compile(r"\$(\w+)")
ALL_ARGUMENTS = "($*)"  # the end of a rewrite whose name takes the arguments as they stand


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`rewrite` may stand for a call of `api` whose arguments are as in `when` (source text; the default where a call
    leaves one out). Its holes are MindSpore's parameters. `torch` is what both compute, for an input of the shape
    `input`: the test compares them. `in_graph`: it is right in a graph alone."""

    api: str
    rewrite: str
    torch: str
    input: tuple[int, ...]
    when: dict[str, str] = {}
    in_graph: bool = False


@functools.cache
def equivalents() -> tuple[Equivalent, ...]:
    """All of them."""
    path = mappings_folder() / "_second_order" / "equivalents.json"
    return msgspec.json.decode(path.read_bytes(), type=tuple[Equivalent, ...])


def equivalents_of(
    api: str, arguments: Mapping[str, str] | None, *, in_graph: bool = False
) -> Iterator[Equivalent]:
    """The equivalents of a call, best first, whose constant arguments are given as source with the defaults that it
    leaves out; none where an argument that matters is not known. `in_graph`: the gradient is compiled."""
    for one in equivalents():
        if one.api != api or (one.in_graph and not in_graph):
            continue
        if not one.when or (
            arguments is not None and all(arguments.get(name) == text for name, text in one.when.items())
        ):
            yield one
