"""Facts of older versions, stored as what sets them apart from a newer one: most names never change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from framework_facts.output import write_facts

Sections = Mapping[str, Any]
_COMPARED = ("names", "classes", "cpu")


def release(version: str) -> tuple[int, ...]:
    """A version as numbers, to be put in order."""
    return tuple(int(part) for part in version.split("."))


def collected(folder: Path, framework: str) -> dict[str, Path]:
    """Version -> file, oldest first."""
    found = {path.stem.partition("-")[2]: path for path in folder.glob(f"{framework}-*.json")}
    return dict(sorted(found.items(), key=lambda item: release(item[0])))


def read_version(folder: Path, framework: str, version: str) -> dict[str, Any]:
    """The whole facts of a stored version. Raises OSError where there are none."""
    stored = json.loads((folder / f"{framework}-{version}.json").read_text(encoding="utf-8"))
    base = stored.pop("base", None)
    if base is None:
        return dict(stored)
    newer = read_version(folder, framework, base)
    lacking = stored.pop("lacking")
    for section in _COMPARED:
        kept = {name: entry for name, entry in newer[section].items() if name not in lacking[section]}
        stored[section] = kept | stored[section]
    return dict(stored)


def write_version(folder: Path, facts: Sections) -> Path:
    """Store the facts of one version; in full if there is no newer one. Those that are stored as what sets them apart
    from it, or were the newest until now, still say what they said."""
    framework, version = facts["framework"], facts["version"]
    others = {name: path for name, path in collected(folder, framework).items() if name != version}
    newer = [name for name in others if release(name) > release(version)]
    older = [name for name in others if release(name) < release(version)]
    leaning = [
        read_version(folder, framework, name)
        for name in older
        if _base_of(others[name]) == version or (not newer and name == older[-1])
    ]
    path = folder / f"{framework}-{version}.json"
    write_facts(path, difference(facts, read_version(folder, framework, newer[0])) if newer else facts)
    for whole in leaning:
        write_facts(others[whole["version"]], difference(whole, facts))
    return path


def _base_of(path: Path) -> str | None:
    """The version that a stored one is told apart from."""
    base: str | None = json.loads(path.read_text(encoding="utf-8")).get("base")
    return base


def difference(facts: Sections, newer: Sections) -> dict[str, Any]:
    """What to store of `facts` beside `newer`: entries that are other or only here, and the names not here."""
    stored = {key: value for key, value in facts.items() if key not in _COMPARED}
    stored["base"] = newer["version"]
    stored["lacking"] = {}
    for section in _COMPARED:
        here, there = facts[section], newer[section]
        stored[section] = {name: entry for name, entry in here.items() if there.get(name) != entry}
        stored["lacking"][section] = sorted(set(there) - set(here))
    return stored
