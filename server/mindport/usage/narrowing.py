"""What a condition says about the names in it: `isinstance(x, torch.Tensor)`, `torch.is_tensor(x)`, `x is None`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.usage.annotations import instance_of_type
from mindport.usage.types import ANNOTATED, NONE, TENSORS, UNKNOWN, Tag, Type, join_all, members, union
from mindport.usage.variables import Op, Value, Variable

if TYPE_CHECKING:
    from mindport.usage.expressions import ExpressionWalker


def narrowings(walker: ExpressionWalker, test: ast.expr, holds: bool) -> dict[str, Value]:
    """Name -> its value where `test` holds (or does not); only names about which it says something."""
    kind = test.__class__
    if kind is ast.Call:
        return _call(walker, test, holds)  # type: ignore[arg-type]
    if kind is ast.UnaryOp and test.op.__class__ is ast.Not:  # type: ignore[attr-defined]
        return narrowings(walker, test.operand, not holds)  # type: ignore[attr-defined]
    if kind is ast.BoolOp and (test.op.__class__ is ast.And) == holds:  # type: ignore[attr-defined]
        found: dict[str, Value] = {}
        for part in test.values:  # type: ignore[attr-defined]
            found.update(narrowings(walker, part, holds))
        return found
    return {}


def _call(walker: ExpressionWalker, test: ast.Call, holds: bool) -> dict[str, Value]:
    if not test.args or test.args[0].__class__ is not ast.Name:
        return {}
    name = test.args[0].id  # type: ignore[attr-defined]
    held = walker.environment.get(name)
    if held is None:
        return {}
    function = test.func
    if function.__class__ is ast.Attribute and function.attr == "is_tensor":  # type: ignore[attr-defined]
        chosen: Value | None = TENSORS[ANNOTATED]
    elif function.__class__ is ast.Name and function.id == "isinstance" and len(test.args) == 2:  # type: ignore[attr-defined]
        chosen = _class_instance(walker, test.args[1])
    else:
        return {}
    if chosen is None:
        return {}
    if chosen.__class__ is Type and chosen.tag is Tag.TENSOR:
        walker.use(held, "@isinstance_tensor")
    if holds:
        if held.__class__ is Type and chosen.__class__ is Type and held.tag is chosen.tag:
            return {}
        return {name: chosen}
    if held.__class__ is Type and chosen.__class__ is Type and held.tag is Tag.UNION:
        excluded = {part.tag for part in members(chosen)}
        rest = [part for part in held.parts if part.tag not in excluded]
        return {name: union(rest)} if rest else {}
    if held.__class__ is Variable and chosen.__class__ is Type and chosen.tag is Tag.TENSOR:
        return {name: walker.variable(Op.EXCEPT, held, "", Tag.TENSOR)}
    return {}


def _class_instance(walker: ExpressionWalker, node: ast.expr) -> Value | None:
    """An instance of the class, or of one of the classes, given to `isinstance`."""
    if node.__class__ is ast.Tuple:
        parts = [_class_instance(walker, element) for element in node.elts]  # type: ignore[attr-defined]
        types = [part for part in parts if part.__class__ is Type]
        return join_all(types) if types and len(types) == len(parts) else None  # type: ignore[arg-type]
    if node.__class__ is ast.Name:
        value = walker.lookup(node.id)  # type: ignore[attr-defined]
    elif node.__class__ is ast.Attribute:
        mark = len(walker.summary.sites)
        value = walker.attribute(node)  # type: ignore[arg-type]
        del walker.summary.sites[mark:]
    else:
        return None
    if value.__class__ is Variable:
        return walker.variable(Op.ANNOTATION, value)
    found = instance_of_type(value)  # type: ignore[arg-type]
    return None if found is UNKNOWN or found is NONE else found
