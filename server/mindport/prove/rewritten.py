"""What an example becomes on a target, by the same rewriting that fixes files. An example's own `after` is what it
becomes on the CPU; another device may have another case."""

from __future__ import annotations

import ast
import textwrap

import msgspec

from mindport.mapping.index import MappingIndex
from mindport.mapping.judge import judge
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Example, Mapping
from mindport.model.target import Device, Mode, Target
from mindport.prove.cases import as_module, case_of, literal_inputs, runs_on
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose
from mindport.rewrite.pieces import Rewrite
from mindport.rewrite.propose import propose
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node
from mindport.usage.project import Project

_PATH = "/example/example.py"


class RewrittenExample(msgspec.Struct, frozen=True):
    """An example with the case that it shows on a target, its `after` being what is to run there."""

    case: int
    example: Example


def attempt(
    mapping: Mapping, example: Example, target: Target, index: MappingIndex
) -> RewrittenExample | None:
    """What to run for an example on a target; None where it shows nothing that can be run there. `index` has the
    other names that the example uses."""
    if target.device is Device.CPU and target.mode is Mode.GRAPH:
        return _attempt_in_graph_mode(mapping, example, target, index)
    if target.device is Device.CPU:
        case = case_of(mapping, example, target)
        runs = example.compare != "none" and runs_on(mapping, case, target.device)
        return RewrittenExample(case, example) if runs else None
    compare = example.compare
    if compare == "none":  # for want of the device, often
        if not example.inputs:
            return None
        compare = "value"
    found = rewritten(mapping, example, target, index)
    if found is None:
        return None
    case, after = found
    return RewrittenExample(case, msgspec.structs.replace(example, after=after, compare=compare))


def _attempt_in_graph_mode(
    mapping: Mapping, example: Example, target: Target, index: MappingIndex
) -> RewrittenExample | None:
    """The example as it is written, unless graph mode has another case for its torch code."""
    if example.compare == "none" or (example.modes and target.mode.value not in example.modes):
        return None
    case = case_of(mapping, example, msgspec.structs.replace(target, mode=Mode.PYNATIVE))
    if not runs_on(mapping, case, target.device):
        return None
    found = rewritten(mapping, example, target, index)
    fits = _fits(mapping, case, target)
    if found is None or found[0] == case or (fits and not mapping.cases[found[0]].modes):
        return RewrittenExample(case, example) if fits else None
    return RewrittenExample(found[0], msgspec.structs.replace(example, after=found[1], case=found[0]))


def _fits(mapping: Mapping, case: int, target: Target) -> bool:
    """Whether a case is for the mode of the target."""
    modes = mapping.cases[case].modes
    return not modes or target.mode.value in modes


def rewritten(
    mapping: Mapping, example: Example, target: Target, index: MappingIndex
) -> tuple[int, str] | None:
    """The case that answers the torch code of an example on a target, and what the code becomes there; None where it is
    not one case."""
    imports, code = _split_imports(example.before)
    text = imports + as_module(msgspec.structs.replace(example, before=code))
    project = Project("/example")
    project.add(_PATH, text)
    if project.problems(_PATH):
        return None
    usage = project.usage(_PATH)
    names = {name for name, _ in listed_names(mapping.torch)}
    torch, mindspore = torch_facts(), mindspore_facts(target.version)
    lines = LineIndex(text)
    cases: set[int] = set()
    rewrites: list[Rewrite] = []
    for use in usage.uses:
        judgement = judge(use, target, index, torch, mindspore)
        if use.api in names:
            if judgement.case_index < 0:
                return None
            cases.add(judgement.case_index)
        rewrites += propose(use, judgement, lines, torch, mindspore)[:1]
    if len(cases) != 1:
        return None
    changed = apply_edits(text, compose(text, rewrites, usage, _PATH))
    # The functions above it are those that its own code calls.
    function = [node for node in ast.parse(changed).body if isinstance(node, ast.FunctionDef)][-1]
    own = function.body[len(literal_inputs(example)) :]
    body = changed.splitlines()[_first_line(own[0]) - 1 : own[-1].end_lineno]
    return cases.pop(), imports + textwrap.dedent("\n".join(body))


def _split_imports(code: str) -> tuple[str, str]:
    """The imports that an example begins with, which bind no names of a function, and the rest."""
    statements = ast.parse(code).body
    first = next((node for node in statements if not isinstance(node, (ast.Import, ast.ImportFrom))), None)
    lines = code.splitlines(keepends=True)
    end = len(lines) if first is None else _first_line(first) - 1
    return "".join(lines[:end]), "".join(lines[end:])


def _first_line(statement: ast.stmt) -> int:
    """Where a statement begins, its decorators included."""
    return min(node.lineno for node in every_node(statement) if isinstance(node, (ast.stmt, ast.expr)))
