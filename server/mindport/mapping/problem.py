"""What is wrong with a mapping file, with the key path of the place, so that its author finds it at once."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import msgspec


class MappingProblem(msgspec.Struct, frozen=True, order=True):
    """One thing that is wrong in one mapping file; `key_path` is such as `cases[0].verdict`."""

    file: str
    key_path: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.key_path, self.message) if part)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` for the nearest known word, or nothing where none is near."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" (did you mean {near[0]!r}?)" if near else ""
