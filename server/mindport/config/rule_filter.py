"""Which rules speak for which file, and how loudly: the settings' select, ignore, per-file-ignores and
severity."""

from __future__ import annotations

import os
from collections.abc import Iterable

from pathspec import GitIgnoreSpec

from mindport.config.settings import Settings, severity_of
from mindport.model.finding import Severity

# Findings about the tool itself (MP9) belong to every preset: a file that cannot be read is never silent.
PRESET_CODES = {
    "all": ("ALL",),
    "silent-only": (
        "MP101",
        "MP202",
        "MP203",
        "MP402",
        "MP403",
        "MP404",
        "MP405",
        "MP501",
        "MP503",
        "MP505",
        "MP9",
    ),
}


class RuleFilter:
    """Answers for one settings object; `root` is the directory that file patterns are relative to."""

    def __init__(self, settings: Settings, root: str | os.PathLike[str] = ".") -> None:
        self._root = os.path.abspath(root)  # noqa: PTH100
        self._selected = settings.select or PRESET_CODES[settings.preset]
        self._ignored = settings.ignore
        self._levels = settings.severity
        self._lowest = settings.lowest_severity
        self._per_file = [
            (GitIgnoreSpec.from_lines([pattern]), codes)
            for pattern, codes in settings.per_file_ignores.items()
        ]

    def severity(self, code: str, usual: Severity) -> Severity:
        """The severity of a code: the one that the settings give it, or the usual one."""
        best = max((key for key in self._levels if _begins(code, key)), key=_weight, default=None)
        return usual if best is None else severity_of(self._levels[best])

    def is_reported(self, code: str, severity: Severity, path: str = "") -> bool:
        """Whether a finding of this code and severity in this file is to be reported."""
        if severity < self._lowest:
            return False
        selected = _longest(code, self._selected)
        ignored = max(_longest(code, self._ignored), self._longest_per_file(code, path))
        return selected > ignored

    def _longest_per_file(self, code: str, path: str) -> int:
        if not self._per_file or not path:
            return -1
        relative = os.path.relpath(os.path.abspath(path), self._root)  # noqa: PTH100
        return max(
            (_longest(code, codes) for spec, codes in self._per_file if spec.match_file(relative)), default=-1
        )


def _weight(prefix: str) -> int:
    return 0 if prefix == "ALL" else len(prefix)


def _begins(code: str, prefix: str) -> bool:
    return prefix == "ALL" or code.startswith(prefix)


def _longest(code: str, prefixes: Iterable[str]) -> int:
    """The length of the longest of `prefixes` that `code` begins with; -1 for none. Of two equally long ones
    in select and ignore, ignore decides."""
    return max((_weight(prefix) for prefix in prefixes if _begins(code, prefix)), default=-1)
