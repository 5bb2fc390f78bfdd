"""The arguments that `__init__` of a module keeps in it: `self.teacher = teacher`, `nn.ModuleList(nets)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.source.trees import every_node

_HOLDING = frozenset(
    (
        "ModuleList",
        "ModuleDict",
        "Sequential",
        "CellList",
        "CellDict",
        "SequentialCell",
        "list",
        "tuple",
        "dict",
    )
)
_ADDING = frozenset(("add_module", "register_module", "insert_child_to_cell", "append", "extend", "insert"))


def kept_arguments(method: ast.FunctionDef) -> tuple[str, ...]:
    """Their names in the order of the parameters; those that a base class is made with may be kept there."""
    arguments = method.args
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults
    named = [*zip(arguments.args, defaults, strict=True)][1:]
    named += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    rest = [one.arg for one in (arguments.vararg, arguments.kwarg) if one is not None]
    parameters = [*(one.arg for one, default in named if not _is_plain(default)), *rest]
    nodes = list(every_node(method))
    kept = {name for node in nodes for name in _kept(node)}
    # Of what is packed each item may be kept in a loop.
    kept |= {node.id for node in nodes if isinstance(node, ast.Name) and node.id in rest}
    return tuple(name for name in parameters if name in kept)


def _is_plain(default: ast.expr | None) -> bool:
    """Whether a default tells that an argument is a number or a text, and no module."""
    return isinstance(default, ast.Constant) and default.value is not None


def _kept(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Assign(targets=targets, value=value) if any(map(_is_own, targets)):
            yield from _handed_on(value)
        case ast.AnnAssign(target=target, value=ast.expr() as value) if _is_own(target):
            yield from _handed_on(value)
        case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=args, keywords=keywords):
            is_base = attr == "__init__" and not isinstance(owner, ast.Attribute)
            for one in (*args, *(each.value for each in keywords)) if is_base or attr in _ADDING else ():
                yield from _handed_on(one)


def _is_own(target: ast.expr) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return any(map(_is_own, target.elts))
    while isinstance(target, (ast.Attribute, ast.Subscript)):
        target = target.value
    return isinstance(target, ast.Name) and target.id == "self"


def _handed_on(value: ast.expr) -> Iterator[str]:
    """The names whose values an expression may be, or hold."""
    match value:
        case ast.Name(id=name):
            yield name
        case ast.Starred(value=inner):
            yield from _handed_on(inner)
        case (
            ast.List(elts=several)
            | ast.Tuple(elts=several)
            | ast.BoolOp(values=several)
            | ast.Dict(values=several)
        ):
            for one in several:
                yield from _handed_on(one)
        case ast.IfExp(body=body, orelse=other):
            yield from _handed_on(body)
            yield from _handed_on(other)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in _HOLDING:
            for one in args:
                yield from _handed_on(one)
