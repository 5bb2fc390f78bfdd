"""What runs where no gradient is recorded, and which names may stand for parameters there."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from mindport.rewrite.training.events import Recogniser
from mindport.rewrite.training.flow import every_node, own_nodes, written
from mindport.source.written_names import last_name

_Function = (ast.FunctionDef, ast.AsyncFunctionDef)
_PARAMETERS = frozenset(("parameters", "named_parameters"))
_WEIGHTS = frozenset(("weight", "bias"))


def unrecorded_lines(tree: ast.Module, recogniser: Recogniser) -> frozenset[int]:
    """The lines that run under `no_grad`, as far as they say so themselves, their function does, or every call of their
    function in the file is on such a line."""
    found: set[int] = set()
    functions: dict[str, list[ast.stmt]] = defaultdict(list)
    calls: dict[str, list[int]] = defaultdict(list)
    handed_on: set[str] = set()
    called: set[int] = set()
    for node in every_node(tree):
        managers: list[ast.withitem] = []
        if isinstance(node, (ast.With, ast.AsyncWith)):
            managers = node.items
        elif isinstance(node, _Function):
            managers = [ast.withitem(one) for one in node.decorator_list]
            functions[node.name].append(node)
        elif isinstance(node, ast.Call):
            calls[last_name(node.func)].append(node.lineno)
            called.add(id(node.func))
        if isinstance(node, ast.stmt) and any(map(recogniser.stops_recording, managers)):
            found.update(_lines_of(node))
    for node in every_node(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in called:
            handed_on.add(last_name(node))
    alone = {name: some[0] for name, some in functions.items() if len(some) == 1 and name not in handed_on}
    grows = True
    while grows:
        more = [name for name in alone if calls[name] and found.issuperset(calls[name])]
        for name in more:
            found.update(_lines_of(alone.pop(name)))
        grows = bool(more)
    return frozenset(found)


def may_be_parameters(tree: ast.Module) -> frozenset[int]:
    """The ids of names that may stand for a parameter: `w` that a function is given, or that goes through
    `net.parameters()`, and `layer.weight` of any layer."""
    return frozenset(id(node) for node in _may_be_parameters(tree))


def _may_be_parameters(tree: ast.Module) -> Iterator[ast.expr]:
    for node in every_node(tree):
        if isinstance(node, ast.Attribute) and node.attr in _WEIGHTS:
            yield node
        elif isinstance(node, _Function):
            every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            bound = frozenset[str]().union(*map(written, node.body))
            yield from _names_in(node.body, {one.arg for one in every} - bound)
        elif isinstance(node, ast.For) and any(_gives_parameters(one) for one in every_node(node.iter)):
            yield from _names_in(node.body, set(written(node.target)))


def _names_in(body: list[ast.stmt], names: set[str]) -> Iterator[ast.Name]:
    for statement in body:
        for node in own_nodes(statement):
            if isinstance(node, ast.Name) and node.id in names:
                yield node


def _gives_parameters(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) in _PARAMETERS


def _lines_of(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
