"""Comparisons: of plain values, of containers item by item, and by the methods of classes."""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow.objects import Instance, Sequence, Table
from mindport.semantics.flow.operators import COMPARISONS, Operator, of_methods, unknown_operand
from mindport.semantics.flow.values import UNKNOWN, Arguments, Dotted, Member, Ref, View, is_plain, is_unknown

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


def compare(m: Machine, node: ast.cmpop, left: Any, right: Any) -> Any:
    """One comparison."""
    if isinstance(node, ast.Is | ast.IsNot):
        answer = _is(m, left, right)
        return UNKNOWN if answer is None else answer is isinstance(node, ast.Is)
    if isinstance(node, ast.In | ast.NotIn):
        answer = contains(m, right, left)
        return UNKNOWN if answer is None else answer is isinstance(node, ast.In)
    sign = COMPARISONS[type(node)]
    if is_plain(left) and is_plain(right):
        return m.applied(sign.apply, left, right)
    answer = m.domain.binary(m, sign, left, right)
    if answer is not NotImplemented:
        return answer
    if is_unknown(left) or is_unknown(right):
        return unknown_operand(m, left, right)
    if sign.sign in ("==", "!="):
        found = equal(m, left, right)
        return UNKNOWN if found is None else found is (sign.sign == "==")
    return _ordered(m, sign, left, right)


def _ordered(m: Machine, sign: Operator, left: Any, right: Any) -> Any:
    one, two = (m.heap.read(side) if isinstance(side, Ref) else None for side in (left, right))
    if isinstance(one, Instance) or isinstance(two, Instance):
        return of_methods(m, sign, left, right)
    if isinstance(one, Table) and isinstance(two, Table) and one.items is not None and two.items is not None:
        return sign.apply(one.items.keys(), two.items.keys())
    groups = [_items(m, side) for side in (left, right)]
    if groups[0] is None or groups[1] is None:
        return UNKNOWN
    for pair in zip(*groups, strict=False):
        same = equal(m, *pair)
        if same is None:
            return UNKNOWN
        if not same:
            return compare(m, NODES[sign.sign], *pair)
    return sign.apply(len(groups[0]), len(groups[1]))


NODES: dict[str, ast.cmpop] = {one.sign: kind() for kind, one in COMPARISONS.items()}


def _items(m: Machine, value: Any) -> list[Any] | None:
    if isinstance(value, tuple):
        return list(value)
    thing = m.heap.read(value) if isinstance(value, Ref) else None
    return thing.items if isinstance(thing, Sequence) else None


def _is(m: Machine, left: Any, right: Any) -> bool | None:
    """Identity; of plain values only that of None, truth values and the like is certain."""
    if is_unknown(left) or is_unknown(right):
        return None
    if (
        isinstance(left, Ref)
        or isinstance(right, Ref)
        or isinstance(left, Dotted)
        or isinstance(right, Dotted)
    ):
        return bool(left == right)
    singles = (bool, type(None), type(...), type(NotImplemented))
    if isinstance(left, singles) or isinstance(right, singles):
        return left is right
    return False if type(left) is not type(right) or left != right else None


def equal(m: Machine, left: Any, right: Any) -> bool | None:
    """Whether two values compare equal."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return _all_equal(m, left, right)
    if is_plain(left) and is_plain(right):
        return bool(left == right)
    if is_unknown(left) or is_unknown(right):
        return None
    if isinstance(left, Ref) and left == right and not isinstance(m.heap.read(left), Instance):
        return True
    one, two = (m.heap.read(side) if isinstance(side, Ref) else None for side in (left, right))
    if isinstance(one, Instance) or isinstance(two, Instance):
        return m.truth(of_methods(m, COMPARISONS[ast.Eq], left, right))
    if isinstance(one, Sequence) and isinstance(two, Sequence):
        if one.items is None or two.items is None:
            return None
        return one.kind == two.kind and _all_equal(m, one.items, two.items)
    if isinstance(one, Table) and isinstance(two, Table):
        if one.items is None or two.items is None:
            return None
        if one.items.keys() != two.items.keys():
            return False
        if one.kind == two.kind == "OrderedDict" and list(one.items) != list(two.items):
            return False
        return _all_equal(m, list(one.items.values()), [two.items[key] for key in one.items])
    if isinstance(left, frozenset) or isinstance(right, frozenset):
        keys = [m.keys_of(side) if isinstance(side, Ref) else list(side) for side in (left, right)]
        return None if keys[0] is None or keys[1] is None else set(keys[0]) == set(keys[1])
    if isinstance(left, _MAY_BE_DATA) or isinstance(right, _MAY_BE_DATA):
        return True if left == right else None
    if one is None and two is None:
        return bool(left == right)
    if (one is None) != (two is None) and (is_plain(left) or is_plain(right)):
        return False
    return left == right if isinstance(left, Ref) and isinstance(right, Ref) else None


# What stands for an attribute that nobody has looked up, or for a name outside: either may be plain data.
_MAY_BE_DATA = (Member, Dotted)


def _all_equal(m: Machine, left: Any, right: Any) -> bool | None:
    if len(left) != len(right):
        return False
    answers = [one is other or equal(m, one, other) for one, other in zip(left, right, strict=True)]
    return False if False in answers else None if None in answers else True


def contains(m: Machine, group: Any, value: Any) -> bool | None:
    """Whether a group has a value."""
    if is_plain(group) and is_plain(value):
        found = m.applied(operator.contains, group, value)
        return found if isinstance(found, bool) else None
    if isinstance(group, View):
        if group.kind == "names":
            names = m.heap.read(group.table).names
            is_there = isinstance(value, str) and not is_unknown(names.get(value))
            return value in names if is_there else None
        if group.kind != "keys":
            items = m.items_of(group)
            return None if items is None else _any_equal(m, items, value)
        group = group.table
    thing = m.heap.read(group) if isinstance(group, Ref) else None
    if isinstance(thing, Instance):
        method = m.class_member(group, "__contains__")
        if method is not None:
            return m.truth(m.call(method, Arguments((value,))))
        items = m.items_of(group)
        return None if items is None else _any_equal(m, items, value)
    if isinstance(thing, Table):
        if thing.items is None or is_unknown(value):
            return None
        hashed = m.key(value)
        return None if hashed is m.NOT_PLAIN else hashed in thing.items
    items = m.items_of(group) if isinstance(group, tuple) or isinstance(thing, Sequence) else None
    return None if items is None else _any_equal(m, items, value)


def _any_equal(m: Machine, items: list[Any], value: Any) -> bool | None:
    answers = [one is value or equal(m, one, value) for one in items]
    return True if True in answers else None if None in answers else False
