"""Who asked for what: the units that looked at a name, a member or a parameter, so that an edit reaches those only."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mindport.usage.variables import UnitSummary

Key = tuple[object, ...]


class Dependencies:
    """Readers of keys. A key can stand for others: a name that a module imports stands on the name where it is made."""

    def __init__(self) -> None:
        self._readers: dict[Key, set[UnitSummary]] = {}
        self._reads: dict[UnitSummary, set[Key]] = {}
        self._derived: dict[Key, set[Key]] = {}

    def clear(self) -> None:
        """Forget everything."""
        self._readers.clear()
        self._reads.clear()
        self._derived.clear()

    def note(self, key: Key, unit: UnitSummary) -> None:
        """The unit asked for the key."""
        readers = self._readers.get(key)
        if readers is None:
            readers = self._readers[key] = set()
        elif unit in readers:
            return
        readers.add(unit)
        reads = self._reads.get(unit)
        if reads is None:
            reads = self._reads[unit] = set()
        reads.add(key)

    def derive(self, key: Key, derived: Key) -> None:
        """What `derived` is hangs on what `key` is."""
        self._derived.setdefault(key, set()).add(derived)

    def drop(self, unit: UnitSummary) -> None:
        """The unit is no more, or has to ask again."""
        for key in self._reads.pop(unit, ()):
            readers = self._readers.get(key)
            if readers is not None:
                readers.discard(unit)

    def reached(
        self, keys: Iterable[Key], defined_by: Callable[[UnitSummary], Iterable[Key]]
    ) -> tuple[set[Key], set[UnitSummary]]:
        """All keys and units that changes of the keys may reach, through what units define."""
        seen: set[Key] = set()
        units: set[UnitSummary] = set()
        pending = list(keys)
        while pending:
            key = pending.pop()
            if key in seen:
                continue
            seen.add(key)
            pending.extend(self._derived.get(key, ()))
            for unit in self._readers.get(key, ()):
                if unit not in units:
                    units.add(unit)
                    pending.extend(defined_by(unit))
        return seen, units
