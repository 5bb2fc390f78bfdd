"""Targets: what is given a value, changed, or deleted."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import attributes, items, iteration
from mindport.semantics.flow.frame import AttributeWrite, Frame
from mindport.semantics.flow.names import mangled
from mindport.semantics.flow.objects import Sequence
from mindport.semantics.flow.values import is_unknown

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

Read = Callable[[], Any]
Write = Callable[[Any, ast.expr], None]


def assign(m: Machine, frame: Frame, target: ast.expr, value: Any, source: ast.expr) -> None:
    """Give a target a value. `source` is the expression that it comes from."""
    if isinstance(target, ast.Name):
        value = m.domain.bound(value) if is_unknown(value) else value
        m.bind(frame, mangled(m, frame, target.id), value)
    elif isinstance(target, ast.Attribute):
        owner, name = m.evaluate(frame, target.value), mangled(m, frame, target.attr)
        value = m.domain.assigned(m, AttributeWrite(frame, owner, name, source, target), value)
        attributes.set_attribute(m, owner, name, value)
    elif isinstance(target, ast.Subscript):
        owner = m.evaluate(frame, target.value)
        items.set_item(m, owner, m.evaluate(frame, target.slice), value)
    elif isinstance(target, ast.Starred):
        assign(m, frame, target.value, value, source)
    elif isinstance(target, ast.Tuple | ast.List):
        for one, part in zip(target.elts, _parts(m, target.elts, value), strict=True):
            assign(m, frame, one, part, source)


def _parts(m: Machine, targets: list[ast.expr], value: Any) -> list[Any]:
    """The values for targets that share one."""
    star = next((index for index, one in enumerate(targets) if isinstance(one, ast.Starred)), None)
    found = m.items_of(value) if star is not None else iteration.first_items(m, value, len(targets) + 1)
    if found is None:
        parts = m.domain.parts(m, value, len(targets))
        return [
            m.new(Sequence(None, each=part)) if isinstance(one, ast.Starred) else part
            for one, part in zip(targets, parts, strict=True)
        ]
    if star is None:
        if len(found) != len(targets):
            m.raise_builtin("ValueError")
        return found
    behind = len(targets) - star - 1
    if len(found) < len(targets) - 1:
        m.raise_builtin("ValueError")
    middle = m.new(Sequence(found[star : len(found) - behind]))
    return [*found[:star], middle, *found[len(found) - behind :]]


def place(m: Machine, frame: Frame, target: ast.expr) -> tuple[Read, Write]:
    """Read and write one target, whose own parts are evaluated once."""
    if isinstance(target, ast.Attribute):
        owner, attribute = m.evaluate(frame, target.value), mangled(m, frame, target.attr)

        def write(value: Any, source: ast.expr) -> None:
            value = m.domain.assigned(m, AttributeWrite(frame, owner, attribute, source), value)
            attributes.set_attribute(m, owner, attribute, value)

        return lambda: attributes.attribute(m, owner, attribute), write
    if isinstance(target, ast.Subscript):
        group, key = m.evaluate(frame, target.value), m.evaluate(frame, target.slice)
        return (
            lambda: items.item(m, group, key),
            lambda value, source: items.set_item(m, group, key, value),
        )
    name = mangled(m, frame, target.id) if isinstance(target, ast.Name) else ""
    return lambda: m.name(frame, name), lambda value, source: m.bind(frame, name, value)


def delete(m: Machine, frame: Frame, target: ast.expr) -> None:
    """`del` of a target."""
    if isinstance(target, ast.Name):
        m.unbind(frame, mangled(m, frame, target.id))
    elif isinstance(target, ast.Attribute):
        attributes.delete_attribute(m, m.evaluate(frame, target.value), mangled(m, frame, target.attr))
    elif isinstance(target, ast.Subscript):
        owner = m.evaluate(frame, target.value)
        items.delete_item(m, owner, m.evaluate(frame, target.slice))
    elif isinstance(target, ast.Tuple | ast.List):
        for one in target.elts:
            delete(m, frame, one)
