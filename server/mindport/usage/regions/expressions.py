"""Evaluates expressions, for following a gradient."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from mindport.usage.operations import OPERATORS
from mindport.usage.regions.python_functions import PythonFunctions
from mindport.usage.regions.values import (
    UNREAD,
    BodyRun,
    Constant,
    Data,
    FunctionOf,
    Items,
    Layer,
    OutsideName,
    OwnInstance,
    Parent,
    PartialCall,
    PassedValues,
    UnaskedItem,
    Value,
    chosen,
)

_ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Div: operator.truediv,
}  # fmt: skip
_COMPARISONS: dict[type, Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip
_LARGEST = 1 << 30


class Expressions(PythonFunctions):
    """Every kind of expression."""

    def evaluate(self, node: ast.expr, frame: BodyRun) -> Value:
        """The value of an expression."""
        if not self.step():
            return Data()
        method = _METHODS.get(node.__class__)
        return Data() if method is None else method(self, node, frame)

    def _constant(self, node: ast.Constant, frame: BodyRun) -> Value:
        return Constant(node.value)

    def _name(self, node: ast.Name, frame: BodyRun) -> Value:
        return self.name(node.id, frame)

    def _attribute(self, node: ast.Attribute, frame: BodyRun) -> Value:
        base = self.evaluate(node.value, frame)
        return self.attribute(base, node.attr, self.site(node, frame), frame)

    def _call(self, node: ast.Call, frame: BodyRun) -> Value:
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            return self._super(frame)
        callee = self.evaluate(node.func, frame)
        positional: list[Value] = []
        rest: list[Value] = []
        for argument in node.args:
            value = self.evaluate(argument.value if isinstance(argument, ast.Starred) else argument, frame)
            if not isinstance(argument, ast.Starred):
                positional.append(self.plain(value, frame))
                continue
            spread = self.settled(value)
            if isinstance(spread, Items):
                positional += spread.values
            else:
                rest.append(spread)
        keywords: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.evaluate(keyword.value, frame)
            if keyword.arg is not None:
                keywords[keyword.arg] = self.plain(value, frame)
                continue
            spread = self.settled(value)
            if isinstance(spread, Items) and spread.keys is not None:
                for key, held in zip(spread.keys, spread.values, strict=False):
                    if isinstance(key, Constant) and isinstance(key.value, str):
                        keywords[key.value] = held
            elif not isinstance(spread, Items):
                rest.append(spread)
        return self.call(callee, PassedValues(positional, keywords, rest), self.site(node, frame), frame)

    def _super(self, frame: BodyRun) -> Value:
        scope: BodyRun | None = frame
        while scope is not None and scope.owner is None:
            scope = scope.outer
        if scope is None or scope.owner is None or scope.receiver is None:
            return Data()
        return Parent(scope.owner, scope.receiver)

    def _binary(self, node: ast.BinOp, frame: BodyRun) -> Value:
        spine = [node]
        left_node = node.left
        while isinstance(left_node, ast.BinOp):
            spine.append(left_node)
            left_node = left_node.left
        left = self.evaluate(left_node, frame)
        for part in reversed(spine):
            right = self.evaluate(part.right, frame)
            left = self.operation(part, left, right, part.op, frame)
        return left

    def operation(self, node: ast.AST, left: Value, right: Value, op: ast.operator, frame: BodyRun) -> Value:
        """`left op right`."""
        left, right = self.plain(left, frame), self.plain(right, frame)
        if isinstance(left, UnaskedItem):
            left = self.settled(left)
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(_computed(op, left.value, right.value))
        if isinstance(left, Items) and isinstance(op, (ast.Add, ast.Mult)):
            other = self.settled(right)
            if isinstance(op, ast.Add) and isinstance(other, Items):
                return Items([*left.values, *other.values])
            return Items(list(left.values))
        return Data((left, right), f".{OPERATORS[op.__class__]}", self.site(node, frame), frame)

    def _unary(self, node: ast.UnaryOp, frame: BodyRun) -> Value:
        value = self.plain(self.evaluate(node.operand, frame), frame)
        if isinstance(node.op, ast.Not):
            known = self.truth(value)
            return Constant(UNREAD if known is None else not known)
        if isinstance(value, Constant):
            is_number = isinstance(value.value, (int, float)) and isinstance(node.op, ast.USub)
            return Constant(-value.value if is_number else UNREAD)
        return Data((value,), f".{OPERATORS[node.op.__class__]}", self.site(node, frame), frame)

    def _compare(self, node: ast.Compare, frame: BodyRun) -> Value:
        values = [self.evaluate(part, frame) for part in (node.left, *node.comparators)]
        if len(values) != 2:
            return Constant(UNREAD)
        left, right = self.compared(values[0]), self.compared(values[1])
        op = node.ops[0]
        if isinstance(op, (ast.Is, ast.IsNot)):
            same = _is_same(left, right)
            return Constant(UNREAD if same is None else same is isinstance(op, ast.Is))
        if isinstance(op, (ast.In, ast.NotIn)):
            return Constant(_contains(left, right, isinstance(op, ast.In)))
        compare = _COMPARISONS.get(op.__class__)
        if compare is not None and isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(_compared(compare, left.value, right.value))
        return Constant(UNREAD)

    def _boolean(self, node: ast.BoolOp, frame: BodyRun) -> Value:
        is_and = isinstance(node.op, ast.And)
        values: list[Value] = []
        for part in node.values:
            value = self.plain(self.evaluate(part, frame), frame)
            known = self.truth(value)
            if known is not None and known is not is_and:
                return value if not values else chosen([*values, value])
            if known is None or part is node.values[-1]:
                values.append(value)
        return chosen(values) if values else Constant(UNREAD)

    def _conditional(self, node: ast.IfExp, frame: BodyRun) -> Value:
        known = self.truth(self.evaluate(node.test, frame))
        if known is not None:
            return self.plain(self.evaluate(node.body if known else node.orelse, frame), frame)
        before = frame.conditions
        found = []
        for part, holds in ((node.body, True), (node.orelse, False)):
            frame.conditions = before | {(id(frame), id(node), holds)}
            found.append(self.plain(self.evaluate(part, frame), frame))
        frame.conditions = before
        return chosen(found)

    def _named(self, node: ast.NamedExpr, frame: BodyRun) -> Value:
        value = self.evaluate(node.value, frame)
        frame.names[node.target.id] = value
        return value

    def _awaited(self, node: ast.Await, frame: BodyRun) -> Value:
        return self.evaluate(node.value, frame)

    def _yielded(self, node: ast.Yield | ast.YieldFrom, frame: BodyRun) -> Value:
        """A generator gives what it yields, one of the values each time."""
        value = (
            self.plain(self.evaluate(node.value, frame), frame) if node.value is not None else Constant(None)
        )
        frame.yielded += self.element(value) if isinstance(node, ast.YieldFrom) else [value]
        return Data()

    def _lambda(self, node: ast.Lambda, frame: BodyRun) -> Value:
        return FunctionOf(node, frame.path, frame.shift, frame)

    def _text(self, node: ast.JoinedStr, frame: BodyRun) -> Value:
        parts: list[str] = []
        for part in node.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            value = self.evaluate(inner, frame)
            if not isinstance(value, Constant) or value.value is UNREAD:
                return Constant(UNREAD)
            parts.append(str(value.value))
        return Constant("".join(parts))

    def _starred(self, node: ast.Starred, frame: BodyRun) -> Value:
        return self.evaluate(node.value, frame)


def _computed(op: ast.operator, left: object, right: object) -> object:
    compute = _ARITHMETIC.get(op.__class__)
    if (
        isinstance(op, ast.Pow)
        and type(left) is int
        and type(right) is int
        and 0 <= right < 32
        and abs(left) < 32
    ):
        return left**right
    if compute is None or left is UNREAD or right is UNREAD:
        return UNREAD
    for value in (left, right):
        if not isinstance(value, (int, float, str)) or (
            isinstance(value, (int, float)) and abs(value) > _LARGEST
        ):
            return UNREAD
        if isinstance(value, str) and (len(value) > 200 or not isinstance(op, ast.Add)):
            return UNREAD
    try:
        return compute(left, right)
    except (TypeError, ValueError, ArithmeticError):
        return UNREAD


def _compared(compare: Callable[[Any, Any], bool], left: object, right: object) -> object:
    if left is UNREAD or right is UNREAD:
        return UNREAD
    try:
        return compare(left, right)
    except TypeError:
        return UNREAD


def _is_same(left: Value, right: Value) -> bool | None:
    """`left is right`, where one of them is None or a truth value; None where it is not known."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Constant) and (one.value is None or isinstance(one.value, bool)):
            if isinstance(other, Constant):
                return None if other.value is UNREAD else other.value is one.value
            if isinstance(other, (Layer, OwnInstance, FunctionOf, Items, OutsideName, PartialCall)):
                return False
            if isinstance(other, Data) and (other.operands or other.site is not None):
                return False
    return None


def _contains(left: Value, right: Value, positive: bool) -> object:
    if isinstance(left, Constant) and left.value is not UNREAD and isinstance(right, Items):
        held = right.keys if right.keys is not None else right.values
        if all(isinstance(value, Constant) and value.value is not UNREAD for value in held):
            found = any(isinstance(value, Constant) and value.value == left.value for value in held)
            return found is positive
    return UNREAD


_METHODS: dict[type, Callable[[Any, Any, BodyRun], Value]] = {
    ast.Constant: Expressions._constant, ast.Name: Expressions._name, ast.Attribute: Expressions._attribute,
    ast.Call: Expressions._call, ast.BinOp: Expressions._binary, ast.UnaryOp: Expressions._unary,
    ast.Compare: Expressions._compare, ast.BoolOp: Expressions._boolean, ast.IfExp: Expressions._conditional,
    ast.NamedExpr: Expressions._named, ast.Await: Expressions._awaited, ast.List: Expressions._display,
    ast.Tuple: Expressions._display, ast.Set: Expressions._display, ast.Dict: Expressions._dictionary,
    ast.Subscript: Expressions._subscript, ast.ListComp: Expressions._comprehension,
    ast.SetComp: Expressions._comprehension, ast.GeneratorExp: Expressions._comprehension,
    ast.DictComp: Expressions._dictionary_comprehension, ast.Lambda: Expressions._lambda,
    ast.Yield: Expressions._yielded, ast.YieldFrom: Expressions._yielded,
    ast.JoinedStr: Expressions._text, ast.Starred: Expressions._starred,
}  # fmt: skip
