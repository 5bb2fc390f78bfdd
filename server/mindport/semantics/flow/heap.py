"""All objects at one point of a path, cheap to fork where paths part, and joined where they meet."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from typing import Any

from mindport.semantics.flow.objects import Class, Function, Namespace, Thing
from mindport.semantics.flow.values import UNKNOWN, Ref, is_same, references


class Heap:
    """Objects by address. `escaped` are those that an unknown value may stand for: what is done to one may be done to
    them."""

    __slots__ = ("_counter", "_either", "_objects", "_own", "_swept", "escaped")

    def __init__(self, either: Callable[[Any, Any, Heap, Heap], Any]) -> None:
        self._either = either
        self._counter = itertools.count()
        self._objects: dict[int, Thing] = {}
        self._own: set[int] = set()
        # What unknown code was seen to reach, as it was left then: what has changed since is looked at again.
        self._swept: dict[int, Thing] = {}
        self.escaped: frozenset[Ref] = frozenset()

    def fork(self) -> Heap:
        """Another path from here on."""
        made = Heap.__new__(Heap)
        made._counter, made._either = self._counter, self._either
        made._objects = dict(self._objects)
        made._own = set()
        made._swept = self._swept
        made.escaped = self.escaped
        self._own = set()
        return made

    def new(self, thing: Thing) -> Ref:
        """A new object."""
        ref = Ref(next(self._counter))
        self._objects[ref.address] = thing
        self._own.add(ref.address)
        return ref

    def has(self, ref: Ref) -> bool:
        """Whether this path knows an object: another one may have made it."""
        return ref.address in self._objects

    def forget(self, ref: Ref) -> None:
        """Nothing refers to an object any more."""
        self._objects.pop(ref.address, None)

    def read(self, ref: Ref) -> Any:
        """An object, not to be changed."""
        return self._objects[ref.address]

    def write(self, ref: Ref) -> Any:
        """An object, to be changed."""
        address = ref.address
        if address not in self._own:
            self._objects[address] = self._objects[address].copy()
            self._own.add(address)
        return self._objects[address]

    def install(self, objects: dict[int, Thing]) -> None:
        """Take over objects that another path made."""
        for address, thing in objects.items():
            self._objects.setdefault(address, thing)

    def made_since(self, before: Heap, except_for: set[Ref]) -> dict[int, Thing] | None:
        """The objects that are new since another point of the path; None where one of the old ones was changed, too.
        The new ones are shared from here on. Packages get their modules as attributes: that does not count."""
        for address, old in before._objects.items():
            new = self._objects[address]
            is_package = isinstance(old, Namespace) and old.path.endswith(("__init__.py", "/"))
            if (
                new is not old
                and Ref(address) not in except_for
                and not is_package
                and not _says_as_much(new, old)
            ):
                return None
        if self.escaped != before.escaped:
            return None
        self._own = set()
        return {address: one for address, one in self._objects.items() if address not in before._objects}

    def escape(self, values: Iterable[Any]) -> None:
        """Remember what an unknown value may stand for."""
        found = {ref for value in values for ref in references(value)}
        if found:
            self.escaped |= found

    def lose(
        self,
        values: Iterable[Any],
        rebound: frozenset[tuple[str, str]] = frozenset(),
        is_outside: bool = False,
    ) -> int:
        """Forget what unknown code may have changed that got these values: all that it reaches from them and from
        what escaped. `rebound` are the paths and names of variables that some function of the project sets from
        within. Code outside gets at nothing that escaped, and leaves the data of modules alone. Gives how many
        objects it took."""
        waiting = [ref for value in values for ref in references(value)]
        if not is_outside:
            waiting += self.escaped
            waiting += (Ref(one) for one, left in self._swept.items() if self._objects.get(one) is not left)
        seen: set[int] = set()
        while waiting:
            ref = waiting.pop()
            if ref.address in seen:
                continue
            seen.add(ref.address)
            thing = self._objects.get(ref.address)
            if thing is None or thing.is_gone or self._swept.get(ref.address) is thing:
                continue
            is_module = isinstance(thing, Namespace) and thing.outer is None
            if not (is_outside and (is_module or isinstance(thing, Class))):
                waiting += (one for value in thing.values() for one in references(value))
            if isinstance(thing, Namespace):
                if thing.outer is not None:
                    waiting.append(thing.outer)
                for name in [one for one in thing.names if (thing.path, one) in rebound]:
                    self.write(ref).names[name] = UNKNOWN
            elif not isinstance(thing, Function | Class):
                self.write(ref).lose()
        if not is_outside:
            self.escaped = frozenset(ref for ref in self.escaped if not self._is_gone(ref))
            self._swept = self._swept | {one: self._objects[one] for one in seen if one in self._objects}
            self._own = set()  # a change from here on makes another object
        return len(seen)

    def lose_new(self, before: Heap) -> None:
        """Forget what objects hold that are new since another point of the path and that only unknown values stand for:
        each round of a loop makes others, and unknown code would change them one round after the other."""
        waiting = list(self.escaped)
        seen: set[Ref] = set()
        while waiting:
            ref = waiting.pop()
            thing = self._objects.get(ref.address)
            if ref in seen or thing is None or ref.address in before._objects:
                continue
            seen.add(ref)
            waiting += (one for value in thing.values() for one in references(value))
            if not isinstance(thing, Function | Class | Namespace) and not thing.is_gone:
                self.write(ref).lose()

    def _is_gone(self, ref: Ref) -> bool:
        thing = self._objects.get(ref.address)
        return thing is None or thing.is_gone

    def __len__(self) -> int:
        return len(self._objects)

    def lose_everything(self) -> None:
        """Forget all that any code may change."""
        for address, thing in list(self._objects.items()):
            ref = Ref(address)
            if isinstance(thing, Namespace):
                changed = self.write(ref)
                changed.names = {
                    name: value if self._is_definition(value) else UNKNOWN
                    for name, value in thing.names.items()
                }
            elif isinstance(thing, Class):
                self.write(ref).is_lost = True
            elif not isinstance(thing, Function):
                self.write(ref).lose()

    def _is_definition(self, value: Any) -> bool:
        return isinstance(value, Ref) and isinstance(self._objects[value.address], Function | Class)

    def joined(self, other: Heap) -> Heap:
        """What is known where either of two paths came."""
        if other is self:
            return self
        escaped: set[Ref] = set()

        def join(one: Any, two: Any) -> Any:
            if one is two or is_same(one, two):
                return one
            if isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
                return tuple(map(join, one, two))
            escaped.update(references(one))
            escaped.update(references(two))
            return self._either(one, two, self, other)

        made = self.fork()
        for address, theirs in other._objects.items():
            ours = made._objects.get(address)
            if ours is None:
                made._objects[address] = theirs
            elif ours is not theirs:
                made._objects[address] = ours.joined(theirs, join)
        # Later changes must copy what the two paths still share.
        other._own = set()
        made.escaped = self.escaped | other.escaped | escaped
        return made

    def joined_values(self, other: Heap, one: Any, two: Any) -> tuple[Heap, Any]:
        """The same, with a value of each path."""
        made = self.joined(other)
        if is_same(one, two):
            return made, one
        if isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
            items: list[Any] = []
            for pair in zip(one, two, strict=True):
                made, value = made.joined_values(made, *pair)
                items.append(value)
            return made, tuple(items)
        made.escape((one, two))
        return made, self._either(one, two, self, other)

    def one_of(self, values: Iterable[Any]) -> Any:
        """One of several values, nobody knows which; unknown for none."""
        found = list(values)
        if not found:
            return UNKNOWN
        first, *rest = found
        if all(is_same(first, one) for one in rest):
            return first
        self.escape(found)
        return functools.reduce(lambda one, two: self._either(one, two, self, self), rest, first)

    def is_as(self, other: Heap, may_have_more: bool = False) -> bool:
        """Whether nothing of the other path is different from this one, where both know of an object. It may have more
        names in functions, if that is said."""
        return all(
            ours is theirs or _says_as_much(ours, theirs) or (may_have_more and _has_more(theirs, ours))
            for address, theirs in other._objects.items()
            if (ours := self._objects.get(address)) is not None
        )


def _has_more(ours: Thing, theirs: Thing) -> bool:
    """Whether the names of a function say the same, but for some that the other lacks."""
    return (
        isinstance(ours, Namespace)
        and isinstance(theirs, Namespace)
        and ours.outer is not None
        and ours.is_open == theirs.is_open
        and all(
            name in ours.names and is_same(ours.names[name], value) for name, value in theirs.names.items()
        )
    )


def _says_as_much(ours: Thing, theirs: Thing) -> bool:
    slots = [name for kind in type(ours).__mro__ for name in getattr(kind, "__slots__", ())]
    return all(_equal(getattr(ours, name), getattr(theirs, name)) for name in slots)


def _equal(one: Any, two: Any) -> bool:
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(_equal, one, two))
    if isinstance(one, dict) and isinstance(two, dict):
        return list(one) == list(two) and all(map(_equal, one.values(), two.values()))
    return is_same(one, two)
