"""The error of a configuration that cannot be used: it names the file, the key path and the nearest right
word."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from mindport.model.language import say


class ConfigurationError(ValueError):
    """Raised where settings are read; `problems` has one line for each thing that is wrong. A run stops with
    it, an editor shows it and keeps the last good settings."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def nearest(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` for the known word nearest to `word`; nothing where none is near."""
    by_lower_case = {candidate.lower(): candidate for candidate in known}
    near = difflib.get_close_matches(word.lower(), list(by_lower_case), n=1, cutoff=0.6)
    return say(" (did you mean {word!r}?)", word=by_lower_case[near[0]]) if near else ""
