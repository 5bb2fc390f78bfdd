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
    if isinstance(test, ast.Call):
        return _call(walker, test, holds)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return narrowings(walker, test.operand, not holds)
    if isinstance(test, ast.BoolOp) and (isinstance(test.op, ast.And)) == holds:
        found: dict[str, Value] = {}
        for part in test.values:
            found.update(narrowings(walker, part, holds))
        return found
    return {}


def _call(walker: ExpressionWalker, test: ast.Call, holds: bool) -> dict[str, Value]:
    if not test.args or not isinstance(test.args[0], ast.Name):
        return {}
    name = test.args[0].id
    held = walker.environment.get(name)
    if held is None:
        return {}
    function = test.func
    if isinstance(function, ast.Attribute) and function.attr == "is_tensor":
        chosen: Value | None = TENSORS[ANNOTATED]
    elif isinstance(function, ast.Name) and function.id == "isinstance" and len(test.args) == 2:
        chosen = _class_instance(walker, test.args[1])
    else:
        return {}
    if chosen is None:
        return {}
    if isinstance(chosen, Type) and chosen.tag is Tag.TENSOR:
        walker.use(held, "@isinstance_tensor")
    if holds:
        if isinstance(held, Type) and isinstance(chosen, Type) and held.tag is chosen.tag:
            return {}
        return {name: chosen}
    if isinstance(held, Type) and isinstance(chosen, Type) and held.tag is Tag.UNION:
        excluded = {part.tag for part in members(chosen)}
        rest = [part for part in held.parts if part.tag not in excluded]
        return {name: union(rest)} if rest else {}
    if isinstance(held, Variable) and isinstance(chosen, Type) and chosen.tag is Tag.TENSOR:
        return {name: walker.variable(Op.EXCEPT, held, "", Tag.TENSOR)}
    return {}


def _class_instance(walker: ExpressionWalker, node: ast.expr) -> Value | None:
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
    found = instance_of_type(value)
    return None if found is UNKNOWN or found is NONE else found
