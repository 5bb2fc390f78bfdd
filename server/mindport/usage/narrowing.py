"""What a condition says about the names in it: `isinstance(x, torch.Tensor)`, `torch.is_tensor(x)`, `x is None`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.usage.annotations import instance_of_tested
from mindport.usage.types import (
    ANNOTATED,
    NONE,
    TENSORS,
    UNKNOWN,
    Tag,
    Type,
    join_all,
    members,
    sequence_of,
    union,
)
from mindport.usage.variables import Op, Value, Variable

if TYPE_CHECKING:
    from mindport.usage.operations import OperationWalker


def narrowings(walker: OperationWalker, test: ast.expr, holds: bool) -> dict[str, Value]:
    """Name -> its value where `test` holds (or does not); only names about which it says something."""
    if isinstance(test, ast.Call):
        return _call(walker, test, holds)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return narrowings(walker, test.operand, not holds)
    if isinstance(test, ast.BoolOp) and (isinstance(test.op, ast.And)) == holds:
        found: dict[str, Value] = {}
        for part in test.values:
            found.update(narrowings(walker, part, holds))
        return found
    merged = _as_one(test)
    return _call(walker, merged, holds) if merged else {}


def _as_one(test: ast.expr) -> ast.Call | None:
    """`isinstance(m, (A, B))` for `isinstance(m, A) or isinstance(m, B)`; None for tests of several names, and
    others."""
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.Or):
        return None
    classes: list[ast.expr] = []
    names = set()
    for part in test.values:
        match part:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), tested], keywords=[]):
                names.add(name)
                classes += tested.elts if isinstance(tested, ast.Tuple) else [tested]
            case _:
                return None
    first = test.values[0]
    if len(names) > 1 or not isinstance(first, ast.Call):
        return None
    return ast.Call(func=first.func, args=[first.args[0], ast.Tuple(elts=classes)], keywords=[])


def _call(walker: OperationWalker, test: ast.Call, holds: bool) -> dict[str, Value]:
    if not test.args:
        return {}
    match test.args[0]:
        case ast.Name(id=name) if name in walker.environment:
            held = walker.environment[name]
            items = _holders_of(walker, held)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int())) if (
            name in walker.environment
        ):
            return _items(walker, [name], _tested(walker, test)) if holds else {}
        case _:
            return {}
    chosen = _tested(walker, test)
    if chosen is None:
        return {}
    if isinstance(chosen, Type) and chosen.tag is Tag.TENSOR:
        walker.use(held, "@isinstance_tensor")
    tags = _tags(chosen)
    if holds:
        if isinstance(chosen, Variable):
            chosen.detail = held  # where nobody can tell what is asked for
        if isinstance(held, Type) and held.tag in tags:
            return {}
        if isinstance(held, Variable) and tags and tags <= _CONTAINERS:
            return {name: walker.variable(Op.ONLY, held, "", (tags, chosen))}
        return {**_items(walker, items, chosen), name: chosen}
    if isinstance(held, Type) and held.tag is Tag.UNION:
        rest = [part for part in held.parts if part.tag not in tags]
        return {name: union(rest)} if tags and rest else {}
    if isinstance(held, Variable) and tags and tags <= _TOLD_BY_TAG:
        return {name: walker.variable(Op.EXCEPT, held, "", tags)}
    return {}


_SEQUENCES = frozenset((Tag.SEQUENCE, Tag.TUPLE))
_CONTAINERS = _SEQUENCES | {Tag.DICT}
# Of instances of classes the tag says too little.
_TOLD_BY_TAG = _CONTAINERS | {
    Tag.TENSOR, Tag.NDARRAY, Tag.SET, Tag.STR, Tag.BYTES, Tag.BOOL, Tag.INT, Tag.FLOAT, Tag.NUMBER
}  # fmt: skip


def _tags(tested: Value) -> frozenset[Tag]:
    """What something is that a test holds for; nothing where nobody can tell. A list or tuple may be known by its
    items, too."""
    tags = {part.tag for part in members(tested)} if isinstance(tested, Type) else set()
    return frozenset(tags | _SEQUENCES) if tags & _SEQUENCES else frozenset(tags)


def _tested(walker: OperationWalker, test: ast.Call) -> Value | None:
    """What a call asks whether its first argument is it."""
    function = test.func
    if isinstance(function, ast.Attribute) and function.attr == "is_tensor":
        return TENSORS[ANNOTATED]
    if isinstance(function, ast.Name) and function.id == "isinstance" and len(test.args) == 2:
        return _class_instance(walker, test.args[1])
    return None


def _holders_of(walker: OperationWalker, item: Value) -> list[str]:
    """The names of what a value was taken out of by a number: `batch` of `elem = batch[0]`."""
    if not isinstance(item, Variable) or item.op is not Op.ITEM or not isinstance(item.base, Variable):
        return []
    is_numbered = isinstance(item.detail, tuple) and isinstance(item.detail[0], int)
    return [name for name, value in walker.environment.items() if is_numbered and value is item.base]


def _items(walker: OperationWalker, names: list[str], chosen: Value | None) -> dict[str, Value]:
    """Sequences whose items are all tensors where one is: whoever asks one of a batch means all of them."""
    if not isinstance(chosen, Type) or chosen.tag is not Tag.TENSOR:
        return {}
    return {name: sequence_of(chosen) for name in names if isinstance(walker.environment[name], Variable)}


def _class_instance(walker: OperationWalker, node: ast.expr) -> Value | None:
    """An instance of the class, or of one of the classes, given to `isinstance`."""
    if isinstance(node, ast.Tuple):
        parts = [_class_instance(walker, element) for element in node.elts]
        types = [part for part in parts if isinstance(part, Type)]
        return join_all(types) if types and len(types) == len(parts) else None
    if isinstance(node, ast.Name):
        value = walker.lookup(node.id)
    elif isinstance(node, ast.Attribute):
        mark = len(walker.summary.sites)
        value = walker.attribute(node)
        del walker.summary.sites[mark:]
    else:
        return None
    if isinstance(value, Variable):
        return walker.variable(Op.ANNOTATION, value)
    found = instance_of_tested(value)
    return None if found is UNKNOWN or found is NONE else found
