"""Which expressions may stand for the tensor of another name, or for a part of its storage: `y = x`, `y = x[1:]`,
`a, b = x.chunk(2)`, `for row in x`. What a list or a dictionary holds counts as a part of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from mindport.source.trees import every_node

# Stands for an owner that is no name of the scope: an attribute, what a function is given.
ELSEWHERE = ""
# Stands for an owner that there may be: what a loop over something unnamed gives.
UNTOLD = "?"
# What is written to these is looked after where steps are recorded (`rewrite/training/recorded_writes.py`).
_WITHOUT_GRADIENT = frozenset({"data", "detach"})
# Another look at the same storage, by a method or by the function of the name.
_VIEWS = frozenset(
    {
        "view", "view_as", "t", "T", "mT", "transpose", "swapaxes", "swapdims", "permute", "movedim", "squeeze",
        "unsqueeze", "narrow", "select", "expand", "expand_as", "unfold", "diagonal", "real", "imag", "chunk", "split",
        "unbind", "tensor_split",
    }
)  # fmt: skip
_OF_CONTAINERS = frozenset({"values", "get", "pop"})
# What tells of a tensor and holds none, in torch, NumPy or MindSpore.
_NO_TENSORS = frozenset({"shape", "size", "ndim", "dtype", "device", "itemsize", "nbytes"})
_IN_ORDER = frozenset({"list", "tuple", "reversed", "iter"})


class Source(msgspec.Struct, frozen=True):
    """Where the storage of an expression is from: a name, or `ELSEWHERE`. `is_view`: in another shape, which MindSpore
    copies while it records gradients."""

    name: str
    is_view: bool = False


def sources(node: ast.expr) -> Iterator[Source]:
    """Whose storage the value of an expression may be; nothing for a value of its own and where nobody can tell."""
    match node:
        case ast.Name(id=name):
            yield Source(name)
        case ast.Attribute(value=value, attr=attr) | ast.Call(func=ast.Attribute(value=value, attr=attr)) if (
            attr in _WITHOUT_GRADIENT
        ):
            return
        case ast.Attribute(value=value, attr=attr) if attr in _VIEWS:
            yield from _views(value)
        case ast.Attribute(attr=attr) if attr in _NO_TENSORS:
            return
        case ast.Attribute():
            yield Source(ELSEWHERE)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=attr), args=[value, *_]) if (
            attr in _VIEWS
        ):
            yield from _views(value)
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in _VIEWS:
            yield from _views(value)
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in _OF_CONTAINERS:
            yield from sources(value)
        case ast.Subscript(value=value, slice=index) if _is_basic(index):
            yield from sources(value)
        case ast.IfExp(body=one, orelse=other):
            yield from sources(one)
            yield from sources(other)
        case ast.NamedExpr(target=target, value=value):
            yield Source(target.id)
            yield from sources(value)


def bound_sources(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, list[Source]]]:
    """The names that an assignment binds, each with whose storage it may then have."""
    match target, value:
        case ast.Name(id=name), _:
            yield name, list(sources(value))
        case (
            ast.Tuple(elts=targets) | ast.List(elts=targets),
            ast.Tuple(elts=values) | ast.List(elts=values),
        ) if len(targets) == len(values):
            for one, given in zip(targets, values, strict=True):
                yield from bound_sources(one, given)
        case ast.Tuple(elts=targets) | ast.List(elts=targets), _:
            whole = list(sources(value))
            for one in targets:
                names = (node.id for node in every_node(one) if isinstance(node, ast.Name))
                yield from ((name, whole) for name in names)


def element_sources(target: ast.expr, items: ast.expr) -> Iterator[tuple[str, list[Source]]]:
    """The names that a loop over `items` binds, each with whose storage it may then have."""
    match target, items:
        case ast.Tuple(elts=[_, one]), ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
            yield from element_sources(one, inner)
        case ast.Tuple(elts=targets), ast.Call(func=ast.Name(id="zip"), args=given) if len(targets) == len(
            given
        ):
            for one, each in zip(targets, given, strict=True):
                yield from element_sources(one, each)
        case _, ast.Call(func=ast.Name(id=name), args=[inner]) if name in _IN_ORDER:
            yield from element_sources(target, inner)
        case ast.Tuple(elts=[_, one]), ast.Call(func=ast.Attribute(value=inner, attr="items"), args=[]):
            yield from element_sources(one, inner)
        case ast.Name(), ast.Tuple(elts=elements) | ast.List(elts=elements):
            yield target.id, [found for one in elements for found in sources(one)]
        case ast.Tuple(), ast.Attribute():
            # What a loader keeps gives batches that are made for the loop.
            yield from bound_sources(target, ast.Constant(None))
        case _:
            yield from bound_sources(target, items)


def held(node: ast.expr) -> Iterator[Source]:
    """Whose storage a value keeps, as it is or in a list, a tuple or a dictionary."""
    match node:
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            for one in elements:
                yield from held(one)
        case ast.Dict(values=values):
            for one in values:
                yield from held(one)
        case _:
            yield from sources(node)


def _views(value: ast.expr) -> Iterator[Source]:
    return (Source(one.name, is_view=True) for one in sources(value))


def _is_basic(index: ast.expr) -> bool:
    """Whether an index surely takes a part of the storage, no copy: numbers, slices, keys."""
    match index:
        case ast.Slice() | ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.Tuple(elts=parts):
            return all(map(_is_basic, parts))
    return False
