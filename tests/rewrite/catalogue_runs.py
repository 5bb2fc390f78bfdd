"""Turns the examples of the catalogue into their replacement, under the conditions their case is for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet import HEADER, Kind, rewritten, target_for  # isort: skip

from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.schema import Example, Mapping

_IMPORT_LINE = re.compile(r"^(?:import|from) \S.*\n", re.MULTILINE)


def all_examples() -> Iterator[tuple[str, int, Mapping, Example]]:
    """Every example with its file and number."""
    for file, mapping in load_index().mappings():
        for number, example in enumerate(mapping.examples):
            yield file, number, mapping, example


def replaced(text: str, mapping: Mapping, example: Example, index: MappingIndex) -> str:
    """`text`, a whole file, for the device and mode of the example's case."""
    device, mode = "CPU", "pynative"
    if example.case is not None:
        case = mapping.cases[example.case]
        if case.devices and "CPU" not in case.devices:
            device = case.devices[0]
        if case.modes:
            mode = case.modes[0]
    kinds = {name: Kind.TENSOR for name, source in example.inputs.items() if source.startswith("rand")}
    return rewritten(text, index, target_for(device, mode), kinds)


def with_header(source: str) -> str:
    """A whole file from the statements of an example."""
    return f"{HEADER}{source.rstrip()}\n"


def without_imports(text: str) -> str:
    """The statements of a file without its import lines."""
    return _IMPORT_LINE.sub("", text).strip("\n")
