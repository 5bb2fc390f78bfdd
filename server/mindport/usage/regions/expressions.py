"""Evaluates expressions, for following a gradient."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from mindport.usage.expressions import OPERATORS
from mindport.usage.regions.calling import Calls
from mindport.usage.regions.values import (
    UNREAD,
    Arguments,
    Choice,
    Constant,
    Data,
    Dotted,
    Frame,
    FunctionOf,
    Instance,
    Items,
    Layer,
    Member,
    Parent,
    Part,
    Partial,
    Site,
    Value,
    Waiting,
    Weights,
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
_MOST_ROUNDS = 32


class Expressions(Calls):
    """Every kind of expression."""

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """The value of an expression."""
        if not self.step():
            return Data()
        method = _METHODS.get(node.__class__)
        return Data() if method is None else method(self, node, frame)

    def site(self, node: ast.AST, frame: Frame) -> Site:
        """The place of a node in a frame."""
        return Site(frame.path, node, frame.shift)

    def _constant(self, node: ast.Constant, frame: Frame) -> Value:
        return Constant(node.value)

    def _name(self, node: ast.Name, frame: Frame) -> Value:
        return self.name(node.id, frame)

    def _attribute(self, node: ast.Attribute, frame: Frame) -> Value:
        base = self.evaluate(node.value, frame)
        return self.attribute(base, node.attr, self.site(node, frame), frame)

    def _call(self, node: ast.Call, frame: Frame) -> Value:
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
        return self.call(callee, Arguments(positional, keywords, rest), self.site(node, frame), frame)

    def plain(self, value: Value, frame: Frame) -> Value:
        """A member of data that is not called is an operand like any other."""
        if isinstance(value, Member) and isinstance(value.receiver, (Data, Waiting, Choice)):
            if value.name == "data":
                cut = Data()
                cut.is_cut = True
                return cut
            return Data((value.receiver,), f".{value.name}", value.site, frame)
        return value

    def _super(self, frame: Frame) -> Value:
        scope: Frame | None = frame
        while scope is not None and scope.owner is None:
            scope = scope.outer
        if scope is None or scope.owner is None or scope.receiver is None:
            return Data()
        return Parent(scope.owner, scope.receiver)

    # -- operators

    def _binary(self, node: ast.BinOp, frame: Frame) -> Value:
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

    def operation(self, node: ast.AST, left: Value, right: Value, op: ast.operator, frame: Frame) -> Value:
        """`left op right`."""
        left, right = self.plain(left, frame), self.plain(right, frame)
        if isinstance(left, Part):
            left = self.settled(left)
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(_computed(op, left.value, right.value))
        if isinstance(left, Items) and isinstance(op, (ast.Add, ast.Mult)):
            other = self.settled(right)
            if isinstance(op, ast.Add) and isinstance(other, Items):
                return Items([*left.values, *other.values])
            return Items(list(left.values))
        return Data((left, right), f".{OPERATORS[op.__class__]}", self.site(node, frame), frame)

    def _unary(self, node: ast.UnaryOp, frame: Frame) -> Value:
        value = self.plain(self.evaluate(node.operand, frame), frame)
        if isinstance(node.op, ast.Not):
            known = self.truth(value)
            return Constant(UNREAD if known is None else not known)
        if isinstance(value, Constant):
            is_number = isinstance(value.value, (int, float)) and isinstance(node.op, ast.USub)
            return Constant(-value.value if is_number else UNREAD)
        return Data((value,), f".{OPERATORS[node.op.__class__]}", self.site(node, frame), frame)

    def _compare(self, node: ast.Compare, frame: Frame) -> Value:
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

    def compared(self, value: Value) -> Value:
        """A value as far as a comparison looks at it; calls that wait go on waiting."""
        return self.settled(value) if isinstance(value, Part) else value

    def _boolean(self, node: ast.BoolOp, frame: Frame) -> Value:
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

    def _conditional(self, node: ast.IfExp, frame: Frame) -> Value:
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

    def _named(self, node: ast.NamedExpr, frame: Frame) -> Value:
        value = self.evaluate(node.value, frame)
        frame.names[node.target.id] = value
        return value

    def _awaited(self, node: ast.Await, frame: Frame) -> Value:
        return self.evaluate(node.value, frame)

    def _yielded(self, node: ast.Yield | ast.YieldFrom, frame: Frame) -> Value:
        """A generator gives what it yields, one of the values each time."""
        value = (
            self.plain(self.evaluate(node.value, frame), frame) if node.value is not None else Constant(None)
        )
        frame.yielded += self.element(value) if isinstance(node, ast.YieldFrom) else [value]
        return Data()

    # -- containers

    def _display(self, node: ast.List | ast.Tuple | ast.Set, frame: Frame) -> Value:
        values: list[Value] = []
        for element in node.elts:
            if not isinstance(element, ast.Starred):
                values.append(self.plain(self.evaluate(element, frame), frame))
                continue
            spread = self.settled(self.evaluate(element.value, frame))
            values += spread.values if isinstance(spread, Items) else [spread]
        return Items(values)

    def _dictionary(self, node: ast.Dict, frame: Frame) -> Value:
        keys: list[Value] = []
        values: list[Value] = []
        for key, value in zip(node.keys, node.values, strict=True):
            held = self.evaluate(value, frame)
            if key is not None:
                keys.append(self.evaluate(key, frame))
                values.append(self.plain(held, frame))
                continue
            spread = self.settled(held)
            if isinstance(spread, Items):
                keys += spread.keys or [Constant(UNREAD)] * len(spread.values)
                values += spread.values
        return Items(values, keys)

    def _subscript(self, node: ast.Subscript, frame: Frame) -> Value:
        base = self.plain(self.evaluate(node.value, frame), frame)
        key = self.evaluate(node.slice, frame) if not isinstance(node.slice, ast.Slice) else None
        known: object = key.value if isinstance(key, Constant) else UNREAD
        if isinstance(base, (Waiting, Part)) and isinstance(known, (int, str)) and known is not UNREAD:
            return self._lazy_item(base, known, node, frame)
        if isinstance(node.slice, ast.Slice):
            base = self.settled(base) if isinstance(base, Part) else base
            if isinstance(base, Items):
                return Items(_sliced(base.values, node.slice))
            if isinstance(base, Layer) and base.items is not None:
                made = Layer(base.api, base.arguments, base.site, base.frame)
                made.items = Items(_sliced(base.items.values, node.slice))
                return made
        return self.item(base, known, self.site(node, frame), frame)

    def _lazy_item(self, base: Value, key: object, node: ast.Subscript, frame: Frame) -> Value:
        """An item of a call that waits: of a container an item, of data an index."""
        waiting = base.base if isinstance(base, Part) else base
        if isinstance(waiting, Waiting) and waiting.result is None:
            return Part(base, key)
        return self.item(self.settled(base), key, self.site(node, frame), frame)

    def item(self, base: Value, key: object, site: Site, frame: Frame) -> Value:
        """`base[key]` for a constant key, or for one that is not known (UNREAD)."""
        if isinstance(base, Waiting):
            return Data((base,), ".__getitem__", site, frame)
        base = self.settled(base)
        if isinstance(base, Choice):
            return chosen([self.item(self.settled(value), key, site, frame) for value in base.values])
        items = base if isinstance(base, Items) else None
        if isinstance(base, Layer):
            items = base.items
        elif isinstance(base, Instance):
            method = self.class_attribute(base.class_of, "__getitem__")
            if isinstance(method, FunctionOf):
                return self.call(method.bound(base), Arguments([Constant(key)]), site, frame)
            self.make(base)
            items = base.inherited.items if base.inherited is not None else None
        if items is not None:
            return _of_items(items, key)
        if isinstance(base, Constant):
            return Constant(UNREAD)
        if isinstance(base, Weights):
            return base
        if isinstance(base, Data) and base.gradient is not None:
            return base  # one of several gradients
        return Data((base,), ".__getitem__", site if frame.path else None, frame if frame.path else None)

    def element(self, value: Value) -> list[Value]:
        """What iterating gives, item by item; one item for all where they are not known."""
        value = self.settled(value)
        if isinstance(value, Layer) and value.items is not None:
            value = value.items
        if isinstance(value, Instance):
            self.make(value)
            if value.inherited is not None and value.inherited.items is not None:
                value = value.inherited.items
        if isinstance(value, Items):
            return list(value.keys if value.keys is not None else value.values)
        if isinstance(value, Weights):
            return [value]
        if isinstance(value, Constant):
            return [Constant(UNREAD)]
        if isinstance(value, Choice):
            found: list[Value] = []
            for part in value.values:
                found += self.element(part)
            return [chosen(found)] if found else []
        return [Data((value,))]

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, frame: Frame) -> Value:
        values: list[Value] = []
        self._generate(
            node.generators, frame, lambda: values.append(self.plain(self.evaluate(node.elt, frame), frame))
        )
        return Items(values)

    def _dictionary_comprehension(self, node: ast.DictComp, frame: Frame) -> Value:
        keys: list[Value] = []
        values: list[Value] = []

        def keep() -> None:
            keys.append(self.evaluate(node.key, frame))
            values.append(self.evaluate(node.value, frame))

        self._generate(node.generators, frame, keep)
        return Items(values, keys)

    def _generate(self, generators: list[ast.comprehension], frame: Frame, keep: Callable[[], None]) -> None:
        if not generators:
            keep()
            return
        first, *others = generators
        before = dict(frame.names)
        for element in self.element(self.evaluate(first.iter, frame))[:_MOST_ROUNDS]:
            self.bind(first.target, element, frame)
            if any(self.truth(self.evaluate(test, frame)) is False for test in first.ifs):
                continue
            self._generate(others, frame, keep)
        frame.names.clear()
        frame.names.update(before)

    def bind(self, target: ast.expr, value: Value, frame: Frame) -> None:
        """Assign to a target; statements know how."""
        raise NotImplementedError

    def _lambda(self, node: ast.Lambda, frame: Frame) -> Value:
        return FunctionOf(node, frame.path, frame.shift, frame)

    def _text(self, node: ast.JoinedStr, frame: Frame) -> Value:
        parts: list[str] = []
        for part in node.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            value = self.evaluate(inner, frame)
            if not isinstance(value, Constant) or value.value is UNREAD:
                return Constant(UNREAD)
            parts.append(str(value.value))
        return Constant("".join(parts))

    def _starred(self, node: ast.Starred, frame: Frame) -> Value:
        return self.evaluate(node.value, frame)

    # -- Python's own functions

    def builtin(self, name: str, arguments: Arguments, site: Site, frame: Frame) -> Value:
        """The result of a call of one of Python's own functions."""
        first = arguments.positional[0] if arguments.positional else None
        if name in ("list", "tuple", "set", "reversed", "sorted", "iter"):
            if first is None:
                return Items([])
            settled = self.settled(first)
            if isinstance(settled, (Data, Weights)):
                return settled
            values = self.element(settled)
            return Items(values[::-1] if name == "reversed" else values)
        if name == "dict":
            return self._dict_call(first, arguments)
        if name == "next" and first is not None:
            return chosen(self.element(first) or [Data()])
        if name == "range":
            return _range(arguments)
        if name == "enumerate" and first is not None:
            return Items([Items([Constant(index), value]) for index, value in enumerate(self.element(first))])
        if name == "zip":
            columns = [self.element(value) for value in arguments.positional]
            return Items([Items(list(row)) for row in zip(*columns, strict=False)])
        if name == "map" and len(arguments.positional) > 1 and first is not None:
            rows = zip(*(self.element(value) for value in arguments.positional[1:]), strict=False)
            return Items([self.call(first, Arguments(list(row)), site, frame) for row in rows])
        if name == "len":
            held = self.settled(first) if isinstance(first, (Items, Part, Layer)) else None
            counted = held.items if isinstance(held, Layer) else held
            return Constant(len(counted.values) if isinstance(counted, Items) else UNREAD)
        if name == "getattr" and len(arguments.positional) > 1 and first is not None:
            key = self.settled(arguments.positional[1])
            if isinstance(key, Constant) and isinstance(key.value, str):
                return self.attribute(first, key.value, site, frame)
            settled = self.settled(first)
            return chosen(self.children(settled) or [Data((settled,))])
        if name == "setattr" and len(arguments.positional) > 2:
            self._set_attribute(arguments)
            return Constant(None)
        if name == "isinstance" and len(arguments.positional) > 1 and first is not None:
            return Constant(self._is_instance(first, arguments.positional[1]))
        if name in ("sum", "max", "min", "abs", "pow", "round"):
            return Data(
                arguments.all(), f".{name}" if name == "abs" else "", site if name == "abs" else None, frame
            )
        if name in (
            "int",
            "float",
            "bool",
            "str",
            "hasattr",
            "type",
            "id",
            "print",
            "callable",
            "issubclass",
            "hash",
        ):
            return Constant(UNREAD)
        return Data(arguments.all())

    def _dict_call(self, first: Value | None, arguments: Arguments) -> Value:
        keys: list[Value] = [Constant(name) for name in arguments.keywords]
        values = list(arguments.keywords.values())
        settled = self.settled(first) if first is not None else None
        if isinstance(settled, (Weights, Data)):
            return settled
        if isinstance(settled, Items):
            if settled.keys is not None:
                keys = [*settled.keys, *keys]
                values = [*settled.values, *values]
            else:
                pairs = [
                    value for value in settled.values if isinstance(value, Items) and len(value.values) == 2
                ]
                keys = [*(pair.values[0] for pair in pairs), *keys]
                values = [*(pair.values[1] for pair in pairs), *values]
        return Items(values, keys)

    def _set_attribute(self, arguments: Arguments) -> None:
        base, key, value = (
            self.settled(one) if index < 2 else one for index, one in enumerate(arguments.positional[:3])
        )
        if isinstance(base, Instance) and isinstance(key, Constant) and isinstance(key.value, str):
            base.attributes[key.value] = value

    def _is_instance(self, value: Value, kinds: Value) -> object:
        """Whether a value is of a class; UNREAD where that is not known."""
        value, kinds = self.compared(value), self.settled(kinds)
        wanted = kinds.values if isinstance(kinds, Items) else [kinds]
        names = [one.name if isinstance(one, Dotted) else getattr(one, "name", "") for one in wanted]
        if isinstance(value, Layer):
            return value.api in names if all(isinstance(one, Dotted) for one in wanted) else UNREAD
        if isinstance(value, Items):
            return bool({"list", "tuple", "dict", "Sequence", "Mapping"} & set(names))
        if isinstance(value, Constant) and value.value is not UNREAD:
            return type(value.value).__name__ in names
        return UNREAD


def _range(arguments: Arguments) -> Value:
    numbers = [value.value for value in arguments.positional if isinstance(value, Constant)]
    if len(numbers) == len(arguments.positional) and all(type(number) is int for number in numbers):
        try:
            found = range(*numbers)
        except (TypeError, ValueError):
            return Constant(UNREAD)
        if len(found) <= _MOST_ROUNDS:
            return Items([Constant(number) for number in found])
    return Constant(UNREAD)


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
            if isinstance(other, (Layer, Instance, FunctionOf, Items, Dotted, Partial)):
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


def _of_items(items: Items, key: object) -> Value:
    if items.keys is not None:
        matching = [
            value
            for known, value in zip(items.keys, items.values, strict=False)
            if isinstance(known, Constant) and known.value is not UNREAD and known.value == key
        ]
        if matching:
            return matching[-1]
    elif isinstance(key, int) and -len(items.values) <= key < len(items.values):
        return items.values[key]
    return chosen(items.values) if items.values else Data()


def _sliced(values: list[Value], node: ast.Slice) -> list[Value]:
    bounds = []
    for part in (node.lower, node.upper, node.step):
        try:
            bound = ast.literal_eval(part) if part is not None else None
        except ValueError:
            return list(values)
        if bound is not None and not isinstance(bound, int):
            return list(values)
        bounds.append(bound)
    try:
        return values[slice(*bounds)]
    except ValueError:  # a step of zero
        return list(values)


_METHODS: dict[type, Callable[[Any, Any, Frame], Value]] = {
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
