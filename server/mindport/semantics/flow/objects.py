"""What lies in the heap: each kind of object with what two paths make of it, and what is left when unknown code had
it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from mindport.semantics.flow.values import OUTSIDE, UNKNOWN, Ref, of_several, references

Join: TypeAlias = Callable[[Any, Any], Any]
FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Thing:
    """An object of the heap. It is changed only through `Heap.write`, which copies what two paths share."""

    __slots__ = ()

    def copy(self) -> Thing:
        """One that may be changed."""
        raise NotImplementedError

    def values(self) -> Iterable[Any]:
        """What it holds."""
        return ()

    def joined(self, other: Any, join: Join) -> Thing:
        """What it is where either of two paths came."""
        raise NotImplementedError

    def lose(self) -> None:
        """Forget what unknown code may have changed."""

    @property
    def is_gone(self) -> bool:
        """Whether there is nothing left to forget."""
        return False


class Sequence(Thing):
    """A list or deque. `items` is None where its length is not known; `each` is then what is known of any item."""

    __slots__ = ("each", "items", "kind")

    def __init__(self, items: list[Any] | None, kind: str = "list", each: Any = UNKNOWN) -> None:
        self.items = items
        self.kind = kind
        # Objects may be told apart only where each has a place.
        self.each = each if each is UNKNOWN or references(each) == () else UNKNOWN
        if self.each is not UNKNOWN:
            self.each = of_several(each)

    def copy(self) -> Sequence:
        return Sequence(None if self.items is None else list(self.items), self.kind, self.each)

    def values(self) -> Iterable[Any]:
        return self.items or ()

    def joined(self, other: Sequence, join: Join) -> Sequence:
        one, two = self.items, other.items
        if one is None or two is None or len(one) != len(two):
            for value in (*(one or ()), *(two or ())):
                join(value, UNKNOWN)
            found = [*([self.each] if one is None else one), *([other.each] if two is None else two)]
            return Sequence(None, self.kind, functools.reduce(join, found))
        return Sequence([join(*pair) for pair in zip(one, two, strict=True)], self.kind)

    def become(self, each: Any) -> None:
        """Now of unknown length, with such items."""
        self.items, self.each = None, UNKNOWN if references(each) else of_several(each)

    def add(self, value: Any, join: Join) -> None:
        """One more item, at the end."""
        if self.items is None:
            self.each = join(self.each, value)
        else:
            self.items.append(value)

    def lose(self) -> None:
        self.items, self.each = None, UNKNOWN

    @property
    def is_gone(self) -> bool:
        return self.items is None and self.each is UNKNOWN


class Table(Thing):
    """A dictionary or set (whose values are None), by key. `items` is None where the keys are not known."""

    __slots__ = ("default", "items", "kind")

    def __init__(self, items: dict[Any, Any] | None, kind: str = "dict", default: Any = None) -> None:
        self.items = items
        self.kind = kind
        self.default = default  # what makes missing items

    def copy(self) -> Table:
        return Table(None if self.items is None else dict(self.items), self.kind, self.default)

    def values(self) -> Iterable[Any]:
        if self.items is not None:
            yield from self.items
            yield from self.items.values()

    def joined(self, other: Table, join: Join) -> Table:
        one, two = self.items, other.items
        if one is None or two is None or list(map(_typed, one)) != list(map(_typed, two)):
            for value in (*self.values(), *other.values()):
                join(value, UNKNOWN)
            return Table(None, self.kind, self.default)
        return Table({key: join(one[key], two[key]) for key in one}, self.kind, self.default)

    def lose(self) -> None:
        self.items = None

    @property
    def is_gone(self) -> bool:
        return self.items is None


def _typed(key: Any) -> tuple[type, Any]:
    return type(key), key


class Namespace(Thing):
    """The names of a module, of a running function or of a class body. `outer` is where a function looks further,
    `bound` what is its own even before it has a value, `is_open` that names may be in it that nobody saw."""

    __slots__ = ("bound", "is_open", "names", "outer", "path")

    def __init__(
        self, path: str, outer: Ref | None = None, is_open: bool = False, bound: frozenset[str] = frozenset()
    ) -> None:
        self.path = path
        self.outer = outer
        self.is_open = is_open
        self.bound = bound
        self.names: dict[str, Any] = {}

    def copy(self) -> Namespace:
        made = Namespace(self.path, self.outer, self.is_open, self.bound)
        made.names = dict(self.names)
        return made

    def values(self) -> Iterable[Any]:
        return self.names.values()

    def joined(self, other: Namespace, join: Join) -> Namespace:
        made = Namespace(self.path, self.outer, self.is_open or other.is_open, self.bound)
        made.names = joined_names(self.names, other.names, join)
        return made

    def lose(self) -> None:
        """Names change hands only where a function says `global` or `nonlocal`; see `Heap.lose`."""


def joined_names(one: dict[str, Any], other: dict[str, Any], join: Join) -> dict[str, Any]:
    """Names after two paths. One that only one of them gave may be missing: it is not known."""
    order = [*one, *(name for name in other if name not in one)]
    missing = object()
    found: dict[str, Any] = {}
    for name in order:
        first, second = one.get(name, missing), other.get(name, missing)
        if first is second:
            found[name] = first
        elif first is missing or second is missing:
            found[name] = join(second if first is missing else first, OUTSIDE)
        else:
            found[name] = join(first, second)
    return found


class Function(Thing):
    """A function that the project defines; `closure` is the namespace around it, `owner` the class of a method."""

    __slots__ = ("attributes", "closure", "defaults", "keyword_defaults", "node", "owner", "path")

    def __init__(
        self,
        node: FunctionNode,
        path: str,
        closure: Ref,
        defaults: tuple[Any, ...] = (),
        keyword_defaults: dict[str, Any] | None = None,
    ) -> None:
        self.node = node
        self.path = path
        self.closure = closure
        self.defaults = defaults
        self.keyword_defaults = keyword_defaults or {}
        self.owner: Ref | None = None
        self.attributes: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """As Python calls it."""
        return "<lambda>" if isinstance(self.node, ast.Lambda) else self.node.name

    def copy(self) -> Function:
        made = Function(self.node, self.path, self.closure, self.defaults, dict(self.keyword_defaults))
        made.owner = self.owner
        made.attributes = dict(self.attributes)
        return made

    def values(self) -> Iterable[Any]:
        return (
            self.closure,
            self.owner,
            *self.defaults,
            *self.keyword_defaults.values(),
            *self.attributes.values(),
        )

    def joined(self, other: Function, join: Join) -> Function:
        made = self.copy()
        made.attributes = joined_names(self.attributes, other.attributes, join)
        return made


class Class(Thing):
    """A class that the project defines. `order` is the order in which attributes are looked up, itself first, None
    where it is not known; names outside the project stand in it by themselves."""

    __slots__ = ("attributes", "bases", "is_lost", "metaclass", "name", "order", "path")

    def __init__(self, name: str, path: str, bases: tuple[Any, ...], attributes: dict[str, Any]) -> None:
        self.name = name
        self.path = path
        self.bases = bases
        self.attributes = attributes
        self.order: tuple[Any, ...] | None = None
        self.metaclass: Any = None
        self.is_lost = False  # attributes may have been set that nobody saw

    def copy(self) -> Class:
        made = Class(self.name, self.path, self.bases, dict(self.attributes))
        made.order, made.metaclass, made.is_lost = self.order, self.metaclass, self.is_lost
        return made

    def values(self) -> Iterable[Any]:
        return self.attributes.values()

    def joined(self, other: Class, join: Join) -> Class:
        made = self.copy()
        made.attributes = joined_names(self.attributes, other.attributes, join)
        made.is_lost = self.is_lost or other.is_lost
        return made


class Instance(Thing):
    """An object of a class of the project (a `Ref`) or of one outside (`Dotted`). `is_lost`: attributes may have been
    set that nobody saw. `payload` belongs to the domain that made it, and never changes."""

    __slots__ = ("attributes", "class_of", "is_lost", "payload")

    def __init__(self, class_of: Any, attributes: dict[str, Any] | None = None, payload: Any = None) -> None:
        self.class_of = class_of
        self.attributes = attributes or {}
        self.payload = payload
        self.is_lost = False

    def copy(self) -> Instance:
        made = Instance(self.class_of, dict(self.attributes), self.payload)
        made.is_lost = self.is_lost
        return made

    def values(self) -> Iterable[Any]:
        return (self.class_of, *self.attributes.values())

    def joined(self, other: Instance, join: Join) -> Instance:
        made = self.copy()
        made.attributes = joined_names(self.attributes, other.attributes, join)
        # The order of the attributes is what some code goes by.
        made.is_lost = self.is_lost or other.is_lost or list(self.attributes) != list(other.attributes)
        if self.payload != other.payload:
            made.payload = None
        return made

    def lose(self) -> None:
        self.is_lost = True
        self.attributes = dict.fromkeys(self.attributes, UNKNOWN)


class Iteration(Thing):
    """What goes through items one by one and remembers how far it is: an iterator, a generator that runs when somebody
    asks, or what `map` and the like make. `source` says of what, `position` is None where it is not known."""

    __slots__ = ("kind", "position", "source")

    def __init__(self, kind: str, source: Any, position: int | None = 0) -> None:
        self.kind = kind
        self.source = source
        self.position = position

    def copy(self) -> Iteration:
        return Iteration(self.kind, self.source, self.position)

    def values(self) -> Iterable[Any]:
        return (self.source,)

    def joined(self, other: Iteration, join: Join) -> Iteration:
        return Iteration(self.kind, self.source, self.position if self.position == other.position else None)

    def lose(self) -> None:
        self.position = None

    @property
    def is_gone(self) -> bool:
        return self.position is None


class Suspended(Thing):
    """A generator that nobody has asked for anything: the code that waits, and the names that it sees."""

    __slots__ = ("code", "is_started", "names")

    def __init__(self, code: Any, names: Ref) -> None:
        self.code = code
        self.names = names
        self.is_started: bool | None = False

    def copy(self) -> Suspended:
        made = Suspended(self.code, self.names)
        made.is_started = self.is_started
        return made

    def values(self) -> Iterable[Any]:
        return (self.names,)

    def joined(self, other: Suspended, join: Join) -> Suspended:
        made = self.copy()
        made.is_started = self.is_started if self.is_started == other.is_started else None
        return made

    def lose(self) -> None:
        self.is_started = None
