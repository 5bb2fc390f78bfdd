"""Which modules the instances of module classes hold, as attributes and at the places of a Sequential."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any


def held_modules(
    instances: Iterable[Any], name_of: Callable[[type], str | None]
) -> dict[str, dict[str, str]]:
    """Class -> attribute (`fc`; `classifier.6` for a place) -> the class of what it holds, where that is the same for
    all `instances` of the class. `name_of` gives the public name of a class, None where it has none."""
    found: dict[str, dict[str, str]] = {}
    for instance in instances:
        owner = name_of(type(instance))
        if owner is not None:
            held = {path: name for path, one in _in_sight(instance) if (name := name_of(type(one)))}
            known = found.get(owner, held)
            found[owner] = {path: name for path, name in known.items() if held.get(path) == name}
    return {owner: held for owner, held in sorted(found.items()) if held}


def _in_sight(instance: Any) -> Iterator[tuple[str, Any]]:
    for name, child in instance.named_children():
        yield name, child
        if type(child).__name__ == "Sequential":
            yield from ((f"{name}.{place}", part) for place, part in child.named_children())
