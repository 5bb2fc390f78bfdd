"""Writing facts: JSON with one entry per line, sorted, so that what a new framework version changes can be
read in a diff."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def facts_text(sections: Mapping[str, Any]) -> str:
    """The file's text. A section that is a dict gets one line per entry, any other value one line."""
    parts: list[str] = []
    for name, section in sections.items():
        if isinstance(section, dict):
            rows = ",\n".join(f"{_json(key)}: {_json(section[key])}" for key in sorted(section))
            parts.append(f"{_json(name)}: {{\n{rows}\n}}")
        else:
            parts.append(f"{_json(name)}: {_json(section)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write_facts(path: Path, sections: Mapping[str, Any]) -> None:
    """Write the file, creating its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(facts_text(sections), encoding="utf-8")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
