"""Finds the case of a mapping that an example belongs to: the one that mindport's own judgement chooses for
the example's torch code."""

from __future__ import annotations

import ast
import contextlib
import functools
import re
import textwrap

from mindport.mapping.index import MappingIndex
from mindport.mapping.judge import judge
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Case, Example, Mapping
from mindport.model.target import Device, Target
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.usage.project import Project

_PATH = "/example/example.py"
_IMPORTS = "".join(
    ("import torch\n", "from torch import nn, optim\n", "import torch.nn.functional as F\n",
     "import torchaudio\n", "import torchvision\n")
)  # fmt: skip


def case_of(mapping: Mapping, example: Example, target: Target) -> int:
    """The case an example names, else the one that is judged to apply to it, else the first whose target its
    `after` uses."""
    if example.case is not None:
        return example.case
    judged = judged_case(mapping, example, target)
    return _case_by_target(mapping, example, target.device) if judged is None else judged


def judged_case(mapping: Mapping, example: Example, target: Target) -> int | None:
    """The one case that is judged to apply to the torch code of the example; None if that is not one."""
    try:
        project = Project("/example")
        project.add(_PATH, as_module(example))
        uses = project.usage(_PATH).uses
    except SyntaxError:
        return None
    names = {name for name, _ in listed_names(mapping.torch)}
    index = MappingIndex.of([mapping])
    mindspore = mindspore_facts(target.version)
    found = {
        judge(use, target, index, torch_facts(), mindspore).case_index for use in uses if use.api in names
    }
    found.discard(-1)
    return found.pop() if len(found) == 1 else None


def as_module(example: Example) -> str:
    """The torch code in a function whose parameters are the inputs: arrays are tensors, literals are themselves and
    bound in its first statements."""
    literals = literal_inputs(example)
    arrays = [f"{name}: torch.Tensor" for name in example.inputs if name not in literals]
    bindings = [f"{name} = {value!r}" for name, value in literals.items()]
    body = "\n".join([*bindings, example.before])
    return f"{_IMPORTS}def example({', '.join(arrays)}):\n{textwrap.indent(body, '    ')}\n"


def literal_inputs(example: Example) -> dict[str, object]:
    """The inputs that are written as literals, with their values."""
    found = {}
    for name, text in example.inputs.items():
        with contextlib.suppress(ValueError, SyntaxError):
            found[name] = ast.literal_eval(text)
    return found


def runs_on(mapping: Mapping, case: int, device: Device) -> bool:
    """Whether the case is for the device."""
    if case >= len(mapping.cases):
        return False
    devices = mapping.cases[case].devices
    return not devices or device.value in devices


def _case_by_target(mapping: Mapping, example: Example, device: Device) -> int:
    runnable = [i for i, case in enumerate(mapping.cases) if not case.devices or device.value in case.devices]
    for index in runnable:
        if _appears(mapping.cases[index], example):
            return index
    return runnable[0] if runnable else 0


def _appears(case: Case, example: Example) -> bool:
    if case.call is not None:
        parts = case.call.removeprefix("mindspore.").split(".")
        short = f".{parts[-1]}" if parts[0] == "Tensor" else ".".join(parts)
        return _word(short).search(example.after) is not None
    if case.rewrite is not None:
        fragments = [f for f in re.split(r"\$\*?\w+|\s+", case.rewrite) if f]
        return all(fragment in example.after for fragment in fragments)
    return False


@functools.cache
def _word(text: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(text)}\b")
