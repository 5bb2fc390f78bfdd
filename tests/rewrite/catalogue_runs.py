"""Turns the examples of the catalogue into their replacement with the real analysis, under the conditions
their case is for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet import IMPORTS, AnyDevice, rewrites_of, target_for

from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.schema import Example, Mapping
from mindport.model.target import Target
from mindport.registry.mindspore import mindspore_facts
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose
from mindport.usage.project import Project

_MARK = "# the example\n"
_NAMES = re.compile(r"\w+")
_FACTS = AnyDevice(mindspore_facts(target_for().version))


def all_examples() -> Iterator[tuple[str, int, Mapping, Example]]:
    """Every example with its file and number."""
    for file, mapping in load_index().mappings():
        for number, example in enumerate(mapping.examples):
            yield file, number, mapping, example


def target_of(mapping: Mapping, example: Example) -> Target:
    """The device and mode of the example's case; CPU where it may be any."""
    device, mode = "CPU", "pynative"
    if example.case is not None:
        case = mapping.cases[example.case]
        if case.devices and "CPU" not in case.devices:
            device = case.devices[0]
        if case.modes:
            mode = case.modes[0]
    return target_for(device, mode)


# Generators of inputs that give tensors.
_TENSORS = ("rand", "edges", "tensor(", "zeros(", "ones(", "arange(", "complex(")


def whole_file(example: Example) -> str:
    """A file in which the inputs of the example are bound, tensors to a tensor, anything else as it is written, and
    the names of torch that it reads are imported, and those of MindSpore's that would be short if they were free."""
    bindings = [
        f"{name} = torch.ones(2)\n" if source.startswith(_TENSORS) else f"{name} = {source}\n"
        for name, source in example.inputs.items()
    ]
    # A statement before the example, so that helpers are not put behind imports of its own.
    source = f"{''.join(bindings) or 'pass'}\n{_MARK}{example.before.strip()}\n"
    read = set(_NAMES.findall(source + example.after))
    return "".join(line for name, line in IMPORTS.items() if name in read) + source


def fixed(text: str, target: Target, index: MappingIndex) -> str:
    """`text` with all rewrites made."""
    project = Project("/project")
    project.add("example.py", text)
    usage = project.usage("example.py")
    return apply_edits(text, compose(text, rewrites_of(text, usage, index, target, mindspore=_FACTS), usage))


def statements(text: str) -> str:
    """The example's own statements."""
    return text.partition(_MARK)[2].strip("\n")
