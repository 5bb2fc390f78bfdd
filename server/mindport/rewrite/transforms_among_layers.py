"""Transforms of images among layers, `nn.Sequential(T.RandomHorizontalFlip(), T.Normalize(mean, std))`: those of
torchvision are modules, the helpers that stand for them are no cells, and MindSpore's containers take cells alone."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Sequence

from mindport.mapping.index import load_index
from mindport.mapping.standing_classes import helper_base
from mindport.rewrite.defined_helpers import own_code, with_definition
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

AROUND = "TransformCell"
"""The helper that is a cell around a transform."""

_CONTAINERS = frozenset({"SequentialCell", "TorchSequential", "CellList", "CellListWithNone"})


def with_transforms_among_layers(text: str) -> str:
    """A converted text whose transforms that are put among layers are cells. The same text where there are none, or
    where it does not parse."""
    if not any(f"{name}(" in text for name in _CONTAINERS) or not any(name in text for name in _transforms()):
        return text
    edited = with_edits_of_tree(text, _edits)
    return text if edited == text else with_definition(edited, AROUND)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    nodes = every_node(own_code(tree))
    for one in {one for value in _put_among_layers(nodes) for one in _transforms_in(value)}:
        start, end = start_of(one, lines), end_of(one, lines)
        yield TextEdit(start, start, f"{AROUND}(")
        yield TextEdit(end, end, ")")


def _put_among_layers(nodes: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """What containers are given when they are built, directly or as a list that a variable holds, and what is appended
    to either."""
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    built = [call for call in calls if _name(call) in _CONTAINERS]
    arguments = [argument for call in built for argument in call.args]
    lists = {ast.unparse(one.value if isinstance(one, ast.Starred) else one) for one in arguments}
    yield from arguments
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                names = {ast.unparse(target) for target in targets}
                if isinstance(value, ast.List) and names & lists:
                    yield value
                lists |= names if value in built else set()
    for call in calls:
        match call.func:
            case ast.Attribute(value=held, attr="append") if ast.unparse(held) in lists:
                yield from call.args


def _transforms_in(value: ast.expr) -> Iterator[ast.Call]:
    """The transforms that an argument of a container puts into it."""
    match value:
        case ast.Call() if _name(value) in _transforms():
            yield value
        case ast.IfExp(body=first, orelse=second):
            yield from (*_transforms_in(first), *_transforms_in(second))
        case ast.List(elts=several) | ast.Tuple(elts=several):
            yield from (found for one in several for found in _transforms_in(one))
        case ast.Starred(value=several):
            yield from _transforms_in(several)
        case ast.Call(func=ast.Name("OrderedDict"), args=[ast.List() as several]):
            yield from _transforms_in(several)


def _name(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


@functools.cache
def _transforms() -> frozenset[str]:
    """The helpers that stand for transforms and are no cells."""
    index = load_index()
    mappings = [index.find(api) for api in index.names() if api.startswith("torchvision.transforms.")]
    helpers = {case.helper for mapping in mappings if mapping is not None for case in mapping.cases}
    return frozenset(one for one in helpers if one and helper_base(one) == "object")
