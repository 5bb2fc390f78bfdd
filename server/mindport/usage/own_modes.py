"""The classes of a project that may meet a `train` of its own when they are switched: those that have one,
`def train(self, mode=True)`, those that they derive from, and those that derive from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mindport.usage.overrides import takes_calls_of
from mindport.usage.variables import FunctionRecord

NAMES = ("train", "set_train")


def with_own_modes(
    methods: Iterable[FunctionRecord],
    bases: Callable[[str], Iterable[str]],
    heirs: Callable[[str], Iterable[str]],
) -> frozenset[str]:
    """The keys of these classes. `methods` are those of the project that are called as one of `NAMES`; `bases` and
    `heirs` give the keys of the classes of the project next to one."""
    owners = {method.class_key for method in methods if takes_calls_of(method, "torch.nn.Module.train")}
    return frozenset(_reached(owners, bases) | _reached(owners, heirs))


def _reached(start: Iterable[str], next_to: Callable[[str], Iterable[str]]) -> set[str]:
    found = set(start)
    waiting = list(found)
    for key in waiting:  # those behind it, too
        more = set(next_to(key)) - found
        found |= more
        waiting += more
    return found
