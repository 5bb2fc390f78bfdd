"""Python's operators: the one table of what they do to plain values, of the methods behind them, and of containers."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from mindport.semantics.flow import iteration
from mindport.semantics.flow.budget import LARGEST_BITS, LONGEST
from mindport.semantics.flow.objects import Class, Instance, Sequence, Table
from mindport.semantics.flow.values import (
    OUTSIDE,
    UNKNOWN,
    Arguments,
    Dotted,
    Member,
    Ref,
    is_plain,
    is_unknown,
    may_be_object,
)

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


class Operator(NamedTuple):
    """What plain values make, the methods that classes may have for it (own, of the right operand, in place), and how
    it is written."""

    apply: Callable[[Any, Any], Any]
    method: str
    reflected: str
    sign: str
    in_place: str = ""


def _two(apply: Callable[[Any, Any], Any], name: str, sign: str) -> Operator:
    return Operator(apply, f"__{name}__", f"__r{name}__", sign)


BINARY: dict[type[ast.operator], Operator] = {
    ast.Add: _two(operator.add, "add", "+"),
    ast.Sub: _two(operator.sub, "sub", "-"),
    ast.Mult: _two(operator.mul, "mul", "*"),
    ast.MatMult: _two(operator.matmul, "matmul", "@"),
    ast.Div: _two(operator.truediv, "truediv", "/"),
    ast.FloorDiv: _two(operator.floordiv, "floordiv", "//"),
    ast.Mod: _two(operator.mod, "mod", "%"),
    ast.Pow: _two(operator.pow, "pow", "**"),
    ast.LShift: _two(operator.lshift, "lshift", "<<"),
    ast.RShift: _two(operator.rshift, "rshift", ">>"),
    ast.BitAnd: _two(operator.and_, "and", "&"),
    ast.BitOr: _two(operator.or_, "or", "|"),
    ast.BitXor: _two(operator.xor, "xor", "^"),
}
BINARY_BY_SIGN = {one.sign: one for one in BINARY.values()}
AUGMENTED: dict[type[ast.operator], Operator] = {
    kind: one._replace(in_place=one.method.replace("__", "__i", 1)) for kind, one in BINARY.items()
}
COMPARISONS: dict[type[ast.cmpop], Operator] = {
    ast.Eq: Operator(operator.eq, "__eq__", "__eq__", "=="),
    ast.NotEq: Operator(operator.ne, "__ne__", "__ne__", "!="),
    ast.Lt: Operator(operator.lt, "__lt__", "__gt__", "<"),
    ast.LtE: Operator(operator.le, "__le__", "__ge__", "<="),
    ast.Gt: Operator(operator.gt, "__gt__", "__lt__", ">"),
    ast.GtE: Operator(operator.ge, "__ge__", "__le__", ">="),
}
UNARY: dict[type[ast.unaryop], tuple[Callable[[Any], Any], str]] = {
    ast.USub: (operator.neg, "__neg__"),
    ast.UAdd: (operator.pos, "__pos__"),
    ast.Invert: (operator.invert, "__invert__"),
}


def operate(m: Machine, sign: Operator, left: Any, right: Any) -> Any:
    """An operator on two values. Raises Unreachable where it surely fails."""
    if sign.in_place and isinstance(left, Ref):
        done, value = _in_place(m, sign, left, right)
        if done:
            return value
    if is_plain(left) and is_plain(right):
        return m.applied(_limited(sign.apply), left, right)
    answer = m.domain.binary(m, sign, left, right)
    if answer is not NotImplemented:
        return answer
    if is_unknown(left) or is_unknown(right):
        return unknown_operand(m, left, right)
    if isinstance(left, tuple) and isinstance(right, tuple) and sign.sign == "+":
        return left + right
    if isinstance(left, tuple | Ref) and isinstance(right, int) and sign.sign == "*":
        return repeated(m, left, right)
    if isinstance(right, tuple | Ref) and isinstance(left, int) and sign.sign == "*":
        return repeated(m, right, left)
    if isinstance(left, str) and sign.sign == "%":
        return OUTSIDE if m.plain(right) is m.NOT_PLAIN else m.applied(operator.mod, left, m.plain(right))
    return _of_objects(m, sign, left, right)


def unknown_operand(m: Machine, left: Any, right: Any) -> Any:
    """A class of the project may define what an operator does with an unknown value; only then may that be a part of
    it."""
    for one in (left, right):
        if isinstance(one, Ref) and isinstance(m.heap.read(one), Sequence | Table):
            continue
        if may_be_object(one) or isinstance(one, Ref):
            m.lose(one for one in (left, right) if isinstance(one, Ref))
            return UNKNOWN
    return OUTSIDE


def repeated(m: Machine, group: Any, times: int) -> Any:
    """`[x] * 3`."""
    if isinstance(group, tuple):
        return m.applied(_limited(operator.mul), group, times)
    thing = m.heap.read(group)
    if isinstance(thing, Sequence):
        if thing.items is None or len(thing.items) * max(times, 0) > LONGEST:
            return m.new(Sequence(None))
        return m.new(Sequence(thing.items * times, thing.kind))
    return m.unknown_of((group,))


def _in_place(m: Machine, sign: Operator, left: Ref, right: Any) -> tuple[bool, Any]:
    """What `+=` and the like change in place."""
    thing = m.heap.read(left)
    if isinstance(thing, Sequence):
        if sign.sign == "+":
            m.extend(left, right)
            return True, left
        if sign.sign == "*" and isinstance(right, int) and thing.items is not None:
            items = thing.items * right if len(thing.items) * max(right, 0) <= LONGEST else None
            m.heap.write(left).items = items
            return True, left
        m.heap.write(left).lose()
        return True, left
    if isinstance(thing, Table) and sign.sign in "|&-^":
        fresh = _of_tables(m, sign, left, right)
        m.heap.write(left).items = None if is_unknown(fresh) else m.heap.read(fresh).items
        return True, left
    if isinstance(thing, Instance):
        found = m.class_member(left, sign.in_place)
        if found is not None:
            value = m.call(found, Arguments((right,)))
            if value is not NotImplemented:
                return True, value
    return False, None


def _of_objects(m: Machine, sign: Operator, left: Any, right: Any) -> Any:
    """An operator where at least one side lies in the heap."""
    one, two = (m.heap.read(side) if isinstance(side, Ref) else None for side in (left, right))
    if isinstance(one, Instance) or isinstance(two, Instance):
        return of_methods(m, sign, left, right)
    if sign.sign == "|" and (
        isinstance(one, Class)
        or isinstance(two, Class)
        or isinstance(left, Dotted)
        or isinstance(right, Dotted)
    ):
        return UNKNOWN  # a union of types
    if isinstance(one, Sequence) and isinstance(two, Sequence) and sign.sign == "+":
        if one.items is None or two.items is None or len(one.items) + len(two.items) > LONGEST:
            each = m.heap.one_of((iteration.any_item(m, left), iteration.any_item(m, right)))
            return m.new(Sequence(None, one.kind, each))
        return m.new(Sequence([*one.items, *two.items], one.kind))
    if isinstance(one, Table) and isinstance(two, Table) and one.kind != "Counter":
        return _of_tables(m, sign, left, right)
    if (
        isinstance(left, Dotted | Member)
        or isinstance(right, Dotted | Member)
        or one is not None
        or two is not None
    ):
        if (one is None) != (two is None) and isinstance(one or two, Sequence):
            other = right if two is None else left
            if is_plain(other) and not isinstance(other, int):
                return m.raise_builtin("TypeError")
        return m.unknown_of((left, right))
    return m.raise_builtin("TypeError")


def of_methods(m: Machine, sign: Operator, left: Any, right: Any) -> Any:
    """An operator through the methods of classes: the right operand's first where its class derives from the left's."""
    tries = [(left, sign.method, right), (right, sign.reflected, left)]
    if m.derives(m.class_of(right), m.class_of(left)) and not m.is_same_class(left, right):
        tries.reverse()
    is_sure = True
    for receiver, name, other in tries:
        found = m.class_member(receiver, name) if isinstance(receiver, Ref) else None
        if found is None:
            continue
        if is_unknown(found):
            is_sure = False
            continue
        value = m.call(found, Arguments((other,)))
        if value is not NotImplemented:
            return value if is_sure else UNKNOWN
    if sign.sign in ("==", "!="):
        if m.is_record(left) or m.is_record(right):
            same = m.records_equal(left, right)
            return UNKNOWN if same is None else same is (sign.sign == "==")
        if not is_sure or any(m.is_lost(one) for one in (left, right)):
            return UNKNOWN
        if sign.sign == "!=":
            return _inverted(m, of_methods(m, COMPARISONS[ast.Eq], left, right))
        return left == right
    is_told = not any(m.is_lost(one) or m.is_record(one) for one in (left, right))
    has_number = any(m.class_member(one, "__index__") is not None for one in (left, right))
    if is_sure and is_told and not has_number:
        return m.raise_builtin("TypeError")
    m.lose((left, right))
    return UNKNOWN


def _inverted(m: Machine, value: Any) -> Any:
    test = m.truth(value)
    return UNKNOWN if test is None else not test


def _of_tables(m: Machine, sign: Operator, left: Any, right: Any) -> Any:
    one, two = m.heap.read(left), m.heap.read(right) if isinstance(right, Ref) else None
    if not isinstance(two, Table) or one.items is None or two.items is None:
        return UNKNOWN
    if one.kind == "dict" or two.kind == "dict":
        return (
            m.new(Table({**one.items, **two.items}, one.kind, one.default)) if sign.sign == "|" else UNKNOWN
        )
    keys = sign.apply(one.items.keys(), two.items.keys())
    ordered = [key for key in (*one.items, *two.items) if key in keys]
    return m.new(Table(dict.fromkeys(ordered), one.kind))


def unary(m: Machine, node: ast.unaryop, value: Any) -> Any:
    """`not`, signs and `~`."""
    if isinstance(node, ast.Not):
        test = m.truth(value)
        return m.domain.negated(value) if test is None else not test
    apply, method = UNARY[type(node)]
    if is_plain(value):
        return m.applied(apply, value)
    answer = m.domain.unary(m, method, value)
    if answer is not NotImplemented:
        return answer
    found = m.class_member(value, method) if isinstance(value, Ref) else None
    return m.unknown_of((value,)) if found is None else m.call(found, Arguments())


def _limited(apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The same, refused where the result would fill the memory."""

    def limited(left: Any, right: Any) -> Any:
        if apply is operator.pow and isinstance(left, int) and isinstance(right, int):
            if max(left.bit_length(), 1) * right > LARGEST_BITS:
                return UNKNOWN
        elif apply is operator.lshift and isinstance(right, int) and right > LARGEST_BITS:
            return UNKNOWN
        elif apply is operator.mul:
            for group, times in ((left, right), (right, left)):
                if (
                    isinstance(group, str | bytes | tuple)
                    and isinstance(times, int)
                    and len(group) * times > LONGEST
                ):
                    return UNKNOWN
            are_whole = isinstance(left, int) and isinstance(right, int)
            if are_whole and left.bit_length() + right.bit_length() > LARGEST_BITS:
                return UNKNOWN
        return apply(left, right)

    return limited
