"""Which MindSpore names may answer a torch name: what the official tables name, and what is called the same."""

from __future__ import annotations

from typing import NamedTuple

from mindport.mapping.schema import Forms
from mindport.model.target import Device
from mindport.registry.mindspore import MindSporeFacts
from mindport.registry.tables import documented_targets

# Where MindSpore keeps what torch has in one of these forms, nearest first.
_PLACES: dict[Forms, tuple[str, ...]] = {
    "function": ("mint", "mint.nn.functional", "mint.linalg", "mint.special", "ops", "Tensor", ""),
    "method": ("Tensor", "mint", "ops"),
    "module": ("mint.nn", "nn"),
    "attribute": ("Tensor",),
    "class": ("mint.optim", "experimental.optim", "nn", ""),
    "value": ("",),
}

# What is known of a name on a device. Only simple functions were run, so a documented name ranks no lower.
_RANKS = {
    "has run there": 0,
    "documented there": 0,
    "devices unknown": 1,
    "not documented there": 2,
    "has no kernel there": 3,
}


class Counterpart(NamedTuple):
    """A MindSpore name that may answer: why it is proposed, and what is known of it on the device."""

    name: str
    source: str
    standing: str


def counterparts(name: str, form: Forms, device: Device, mindspore: MindSporeFacts) -> list[Counterpart]:
    """The candidates for a torch name, those that the device has first; none of them is judged."""
    sources = {
        row.mindspore: f"{row.label} in the official tables of {row.last}"
        for row in reversed(documented_targets(name))
    }
    ranked = list(reversed(sources))
    simple = name.rpartition(".")[2]
    for place in _PLACES[form]:
        same = ".".join(part for part in ("mindspore", place, simple) if part)
        sources.setdefault(same, "the same name")
        ranked.append(same)
    found = [
        Counterpart(one, sources[one], _standing(one, device, mindspore))
        for one in dict.fromkeys(ranked)
        if mindspore.has(one)
    ]
    return sorted(found, key=lambda one: _RANKS[one.standing])


def _standing(name: str, device: Device, mindspore: MindSporeFacts) -> str:
    measured, documented = mindspore.has_kernel(name, device), mindspore.devices(name)
    if measured is not None:
        return "has run there" if measured else "has no kernel there"
    if documented is None:
        return "devices unknown"
    return "documented there" if device in documented else "not documented there"
