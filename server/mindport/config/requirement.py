"""The MindSpore that a project says it needs, read from its requirement files with the line it stands in."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from packaging.specifiers import SpecifierSet

from mindport.config.regular_file import read_regular
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


class Requirement(msgspec.Struct, frozen=True):
    """What one line allows. `place` is such as `requirements.txt:3`, `bounds` are specifiers as pip writes them, and
    `named` the versions that stand in them."""

    place: str
    bounds: str
    named: tuple[Version, ...] = ()

    @property
    def exact(self) -> Version | None:
        """The one version that the line pins; None where it allows several."""
        return self.named[0] if self.bounds.startswith("==") and "," not in self.bounds else None

    @property
    def has_lower_bound(self) -> bool:
        """Whether some versions are too old."""
        return any(bound.startswith((">", "~=", "==")) for bound in self.bounds.split(","))

    def allows(self, version: Version) -> bool:
        """Whether a version lies within the bounds."""
        return SpecifierSet(self.bounds).contains(str(version))


def required_mindspore(root: Path) -> Requirement | None:
    """The first requirement on MindSpore in the project's files; None where there is none that names a
    version."""
    for path in _requirement_files(root):
        try:
            text = read_regular(path).decode("utf-8", "replace")
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
    bounds: list[str] = []
    named: list[Version] = []
    for bound in _BOUND.finditer(match["bounds"]):
        version = _parsed(bound["version"])
        if version is not None:
            bounds += _as_specifiers(bound["sign"], bound["version"].rstrip(".*"), version)
            named.append(version)
    if all(bound.startswith("!=") for bound in bounds):
        return None  # names no version that is wanted
    return Requirement(place, ",".join(bounds), tuple(named))


def _as_specifiers(sign: str, written: str, version: Version) -> list[str]:
    """A bound of pip, Poetry or conda as specifiers of pip."""
    if sign in ("==", "===", "="):
        return [f"=={version}"]
    if sign == "^":
        return [f">={version}", f"<{version.major + 1}"]
    if sign == "~":
        return [f">={version}", f"<{version.major}.{version.minor + 1}"]
    if sign == "~=" and "." not in written:
        return [f">={version}"]
    return [f"{sign}{written if sign == '~=' else version}"]


def _parsed(text: str) -> Version | None:
    numbers = re.match(r"\d+(?:\.\d+)*", text)
    if numbers is None:
        return None
    parts = numbers[0].split(".")[:3]
    try:
        return Version.parse(".".join(parts if len(parts) > 1 else [*parts, "0"]))
    except ValueError:
        return None
