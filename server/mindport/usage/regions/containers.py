"""Lists, tuples, sets and dictionaries: how they are written, and what their items are, for following a gradient."""

from __future__ import annotations

import ast
from collections.abc import Callable

from mindport.usage.regions.calling import Calls
from mindport.usage.regions.values import (
    UNREAD,
    BodyRun,
    Choice,
    Constant,
    Data,
    FunctionOf,
    Items,
    Layer,
    OwnInstance,
    PassedValues,
    TreePlace,
    UnaskedItem,
    Value,
    Waiting,
    Weights,
    chosen,
)

MOST_ROUNDS = 32


class Containers(Calls):
    """Displays, comprehensions and subscripts."""

    def bind(self, target: ast.expr, value: Value, frame: BodyRun) -> None:
        """Assign to a target; statements know how."""
        raise NotImplementedError

    def _display(self, node: ast.List | ast.Tuple | ast.Set, frame: BodyRun) -> Value:
        values: list[Value] = []
        for element in node.elts:
            if not isinstance(element, ast.Starred):
                values.append(self.plain(self.evaluate(element, frame), frame))
                continue
            spread = self.settled(self.evaluate(element.value, frame))
            values += spread.values if isinstance(spread, Items) else [spread]
        return Items(values)

    def _dictionary(self, node: ast.Dict, frame: BodyRun) -> Value:
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

    def _subscript(self, node: ast.Subscript, frame: BodyRun) -> Value:
        base = self.plain(self.evaluate(node.value, frame), frame)
        key = self.evaluate(node.slice, frame) if not isinstance(node.slice, ast.Slice) else None
        known: object = key.value if isinstance(key, Constant) else UNREAD
        if isinstance(base, (Waiting, UnaskedItem)) and isinstance(known, (int, str)) and known is not UNREAD:
            return self._lazy_item(base, known, node, frame)
        if isinstance(node.slice, ast.Slice):
            base = self.settled(base) if isinstance(base, UnaskedItem) else base
            if isinstance(base, Items):
                return Items(_sliced(base.values, node.slice))
            if isinstance(base, Layer) and base.items is not None:
                made = Layer(base.api, base.arguments, base.site, base.frame)
                made.items = Items(_sliced(base.items.values, node.slice))
                return made
        return self.item(base, known, self.site(node, frame), frame)

    def _lazy_item(self, base: Value, key: object, node: ast.Subscript, frame: BodyRun) -> Value:
        """An item of a call that waits: of a container an item, of data an index."""
        waiting = base.base if isinstance(base, UnaskedItem) else base
        if isinstance(waiting, Waiting) and waiting.result is None:
            return UnaskedItem(base, key)
        return self.item(self.settled(base), key, self.site(node, frame), frame)

    def item(self, base: Value, key: object, site: TreePlace, frame: BodyRun) -> Value:
        """`base[key]` for a constant key, or for one that is not known (UNREAD)."""
        if isinstance(base, Waiting):
            return Data((base,), ".__getitem__", site, frame)
        base = self.settled(base)
        if isinstance(base, Choice):
            return chosen([self.item(self.settled(value), key, site, frame) for value in base.values])
        items = base if isinstance(base, Items) else None
        if isinstance(base, Layer):
            items = base.items
        elif isinstance(base, OwnInstance):
            method = self.class_attribute(base.class_of, "__getitem__")
            if isinstance(method, FunctionOf):
                return self.call(method.bound(base), PassedValues([Constant(key)]), site, frame)
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
        if isinstance(value, OwnInstance):
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

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, frame: BodyRun) -> Value:
        values: list[Value] = []
        self._generate(
            node.generators, frame, lambda: values.append(self.plain(self.evaluate(node.elt, frame), frame))
        )
        return Items(values)

    def _dictionary_comprehension(self, node: ast.DictComp, frame: BodyRun) -> Value:
        keys: list[Value] = []
        values: list[Value] = []

        def keep() -> None:
            keys.append(self.evaluate(node.key, frame))
            values.append(self.evaluate(node.value, frame))

        self._generate(node.generators, frame, keep)
        return Items(values, keys)

    def _generate(
        self, generators: list[ast.comprehension], frame: BodyRun, keep: Callable[[], None]
    ) -> None:
        if not generators:
            keep()
            return
        first, *others = generators
        before = dict(frame.names)
        for element in self.element(self.evaluate(first.iter, frame))[:MOST_ROUNDS]:
            self.bind(first.target, element, frame)
            if any(self.truth(self.evaluate(test, frame)) is False for test in first.ifs):
                continue
            self._generate(others, frame, keep)
        frame.names.clear()
        frame.names.update(before)


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
