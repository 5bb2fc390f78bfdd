"""The MindSpore that a project says it needs, read from its requirement files with the line it stands in."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from mindport.model.target import Version

# As glob patterns below the root. requirements-dev.txt and the like come after requirements.txt; lock files and other
# tools' tables are plain text too, because one pattern reads `mindspore==2.3.0`, `mindspore = "^2.3"` and
# `- mindspore=2.3.0`.
REQUIREMENT_FILES = (
    "requirements.txt",
    "requirements*.txt",
    "requirements/*.txt",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "environment.yml",
    "environment.yaml",
)
_SIGN = r"(?:===?|~=|!=|>=|<=|<|>|=|\^|~)"
_ONE_BOUND = rf"{_SIGN}[ \t]*(?:\{{[ \t]*version[ \t]*=[ \t]*)?[\"']?[ \t]*{_SIGN}?[ \t]*\d[\w.*]*"
_NAME = re.compile(
    r"(?<![\w.-])mindspore(?:[-_](?:gpu|ascend|cpu))?[ \t]*(?:\[[^\]]*\])?[\"']?[ \t]*\(?[ \t]*"
    rf"(?P<bounds>{_ONE_BOUND}(?:[ \t]*,[ \t]*{_ONE_BOUND})*)",
    re.IGNORECASE,
)
_BOUND = re.compile(rf"(?P<sign>{_SIGN})[^\d=<>~^!]*(?P<version>\d[\w.*]*)")
_LONGEST_FILE = 1_000_000


class Requirement(msgspec.Struct, frozen=True):
    """What one line allows. `place` is such as `requirements.txt:3`."""

    place: str
    exact: Version | None = None
    at_least: Version | None = None
    at_most: Version | None = None
    below: Version | None = None

    def allows(self, version: Version) -> bool:
        """Whether a version lies within the bounds."""
        return (
            (self.exact is None or version == self.exact)
            and (self.at_least is None or version >= self.at_least)
            and (self.at_most is None or version <= self.at_most)
            and (self.below is None or version < self.below)
        )


def required_mindspore(root: Path) -> Requirement | None:
    """The first requirement on MindSpore in the project's files; None where there is none that names a
    version."""
    for path in _requirement_files(root):
        try:
            if path.stat().st_size > _LONGEST_FILE:
                continue
            text = path.read_text("utf-8", errors="replace")
        except OSError:
            continue
        if "mindspore" not in text.lower():
            continue
        for number, line in enumerate(text.splitlines(), 1):
            found = _in_line(line, f"{os.path.relpath(path, root)}:{number}")
            if found is not None:
                return found
    return None


def _requirement_files(root: Path) -> Iterator[Path]:
    seen: set[Path] = set()
    for pattern in REQUIREMENT_FILES:
        for path in sorted(root.glob(pattern)):
            if path not in seen and path.is_file():
                seen.add(path)
                yield path


def _in_line(line: str, place: str) -> Requirement | None:
    code = line.split("#", 1)[0]
    match = _NAME.search(code)
    if match is None:
        return None
    bounds: dict[str, Version] = {}
    for bound in _BOUND.finditer(match["bounds"]):
        sign = bound["sign"]
        version = _parsed(bound["version"])
        if version is None:
            continue
        if sign in ("==", "===", "="):
            bounds["exact"] = version
        elif sign in ("~=", "~", "^", ">=", ">"):
            bounds["at_least"] = version
        elif sign == "<=":
            bounds["at_most"] = version
        elif sign == "<":
            bounds["below"] = version
    return Requirement(place, **bounds) if bounds else None


def _parsed(text: str) -> Version | None:
    numbers = re.match(r"\d+(?:\.\d+)*", text)
    if numbers is None:
        return None
    parts = numbers[0].split(".")[:3]
    try:
        return Version.parse(".".join(parts if len(parts) > 1 else [*parts, "0"]))
    except ValueError:
        return None
