"""What Python's own functions give, for following a gradient."""

from __future__ import annotations

from mindport.usage.regions.containers import MOST_ROUNDS, Containers
from mindport.usage.regions.values import (
    UNREAD,
    BodyRun,
    Constant,
    Data,
    Items,
    Layer,
    ModuleOf,
    OutsideName,
    OwnInstance,
    PassedValues,
    TreePlace,
    UnaskedItem,
    Value,
    Weights,
    chosen,
)


class PythonFunctions(Containers):
    """Calls of builtins."""

    def builtin(self, name: str, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> Value:
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
            return Items([self.call(first, PassedValues(list(row)), site, frame) for row in rows])
        if name == "len":
            held = self.settled(first) if isinstance(first, (Items, UnaskedItem, Layer)) else None
            counted = held.items if isinstance(held, Layer) else held
            return Constant(len(counted.values) if isinstance(counted, Items) else UNREAD)
        if name == "getattr" and len(arguments.positional) > 1 and first is not None:
            key = self.settled(arguments.positional[1])
            if isinstance(key, Constant) and isinstance(key.value, str):
                return self.attribute(first, key.value, site, frame)
            settled = self.settled(first)
            members = (
                self.namespace(settled.path).values
                if isinstance(settled, ModuleOf)
                else self.children(settled)
            )
            return chosen(members or [Data((settled,))])
        if name == "globals":
            return self.namespace(frame.path)
        if name == "vars" and first is not None:
            settled = self.settled(first)
            return self.namespace(settled.path) if isinstance(settled, ModuleOf) else Data((settled,))
        if name == "eval" and first is not None:
            # The name of a class, as options and configuration have it.
            key = self.settled(first)
            return self.item(self.namespace(frame.path), getattr(key, "value", UNREAD), site, frame)
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

    def _dict_call(self, first: Value | None, arguments: PassedValues) -> Value:
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

    def _set_attribute(self, arguments: PassedValues) -> None:
        base, key, value = (
            self.settled(one) if index < 2 else one for index, one in enumerate(arguments.positional[:3])
        )
        if isinstance(base, OwnInstance) and isinstance(key, Constant) and isinstance(key.value, str):
            base.attributes[key.value] = value

    def _is_instance(self, value: Value, kinds: Value) -> object:
        """Whether a value is of a class; UNREAD where that is not known."""
        value, kinds = self.compared(value), self.settled(kinds)
        wanted = kinds.values if isinstance(kinds, Items) else [kinds]
        names = [one.name if isinstance(one, OutsideName) else getattr(one, "name", "") for one in wanted]
        if isinstance(value, Layer):
            return value.api in names if all(isinstance(one, OutsideName) for one in wanted) else UNREAD
        if isinstance(value, Items):
            return bool({"list", "tuple", "dict", "Sequence", "Mapping"} & set(names))
        if isinstance(value, Constant) and value.value is not UNREAD:
            return type(value.value).__name__ in names
        return UNREAD


def _range(arguments: PassedValues) -> Value:
    numbers = [value.value for value in arguments.positional if isinstance(value, Constant)]
    if len(numbers) == len(arguments.positional) and all(type(number) is int for number in numbers):
        try:
            found = range(*numbers)
        except (TypeError, ValueError):
            return Constant(UNREAD)
        if len(found) <= MOST_ROUNDS:
            return Items([Constant(number) for number in found])
    return Constant(UNREAD)
