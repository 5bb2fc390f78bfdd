"""What MindSpore's documentation names for a torch API, and how much public code uses that API.

Documented is not verified: these rows are hints for names that nobody has judged yet."""

from __future__ import annotations

import functools
import sys

import msgspec

from mindport.model.target import Version
from mindport.registry.location import frameworks_folder


class DocumentedTarget(msgspec.Struct, frozen=True, array_like=True):
    """One row of the documentation's tables.

    `label`: `consistent`, `differs` or `unstated`; `first` and `last` are the versions of the documentation
    that have the row, such as `2.6.0`, or `master` for the one after 2.6."""

    mindspore: str
    label: str
    first: str
    last: str


class UsageCount(msgspec.Struct, frozen=True, array_like=True):
    """How often an API is used in the measured public code, and in how many packages."""

    uses: int
    packages: int


class _Documented(msgspec.Struct, frozen=True):
    names: dict[str, tuple[DocumentedTarget, ...]]


class _Usage(msgspec.Struct, frozen=True):
    names: dict[str, UsageCount]


def documented_targets(torch_name: str) -> tuple[DocumentedTarget, ...]:
    """What the documentation names for a torch API, newest documentation first; empty if nothing."""
    return _documented().get(torch_name, ())


def documented_at(torch_name: str, version: Version) -> DocumentedTarget | None:
    """What the documentation of one MindSpore version names for a torch API; None where its tables have no row."""
    wanted = Version(version.major, version.minor)
    for row in documented_targets(torch_name):
        if _minor(row.first) <= wanted <= _minor(row.last):
            return row
    return None


def documented_since(mindspore_name: str) -> Version | None:
    """The first version whose tables name a MindSpore API, to the minor number; None where none does. It may
    be older: the tables tell what is documented as a counterpart of torch."""
    return _first_versions().get(mindspore_name)


def torch_usage() -> dict[str, UsageCount]:
    """Canonical torch name -> how much it is used."""
    return _usage()


def _minor(text: str) -> Version:
    """A version of the tables, to the minor number; `master` is newer than all."""
    if not text[:1].isdigit():
        return Version(sys.maxsize, 0)
    version = Version.parse(text)
    return Version(version.major, version.minor)


@functools.cache
def _documented() -> dict[str, tuple[DocumentedTarget, ...]]:
    content = (frameworks_folder() / "official_tables.json").read_bytes()
    return msgspec.json.decode(content, type=_Documented).names


@functools.cache
def _first_versions() -> dict[str, Version]:
    found: dict[str, Version] = {}
    for rows in _documented().values():
        for row in rows:
            if row.first[:1].isdigit():
                version = _minor(row.first)
                found[row.mindspore] = min(version, found.get(row.mindspore, version))
    return found


@functools.cache
def _usage() -> dict[str, UsageCount]:
    return msgspec.json.decode((frameworks_folder() / "torch_usage.json").read_bytes(), type=_Usage).names
