"""Reads mapping files and writes `evidence:` rows into them without touching the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from ruamel.yaml import YAML

from mindport.mapping.schema import Evidence, Mapping

HEADER = "# Written by scripts/run_oracles.py; do not edit.\n"


def load_mapping(path: Path) -> Mapping:
    """Read one file; raises msgspec.ValidationError or a YAML error."""
    return msgspec.convert(YAML(typ="safe").load(path.read_text(encoding="utf-8")), Mapping)


def same_claim(first: tuple[Evidence, ...], second: tuple[Evidence, ...]) -> bool:
    """Whether two sets of rows say the same; the last digits of an error are noise, and so is how long a call took."""

    def essence(row: Evidence) -> Evidence:
        return msgspec.structs.replace(row, max_abs=None, time_ratio=None, time_elements=None)

    return [essence(row) for row in first] == [essence(row) for row in second]


def of_other_targets(rows: Iterable[Evidence], version: str) -> tuple[Evidence, ...]:
    """The rows that a run on the CPU with this version of MindSpore says nothing about."""
    return tuple(row for row in rows if (row.device, row.mindspore) != ("CPU", version))


def with_times_of(rows: tuple[Evidence, ...], old: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """`rows` with the times of `old`, and without any where it has none: a busy machine must not set them by the
    way."""
    timed = {row.case: (row.time_ratio, row.time_elements) for row in old}
    pairs = ((row, timed.get(row.case, (None, None))) for row in rows)
    return tuple(
        msgspec.structs.replace(row, time_ratio=ratio, time_elements=elements)
        for row, (ratio, elements) in pairs
    )


def with_evidence(text: str, rows: tuple[Evidence, ...]) -> str:
    """The text of a mapping file with its `evidence:` replaced; every other byte stays.

    The block is replaced as text and not through a YAML writer, which would re-wrap what the author laid
    out."""
    lines = text.splitlines(keepends=True)
    kept: list[str] = []
    inside = False
    for line in lines:
        if line == HEADER:
            continue
        if line.startswith("evidence:"):
            inside = True
            continue
        if inside and (line[:1] in " -#" or not line.strip()):
            continue
        inside = False
        kept.append(line)
    body = "".join(kept).rstrip("\n") + "\n"
    if not rows:
        return body
    return body + HEADER + "evidence:\n" + "".join(f"  - {_flow(row)}\n" for row in rows)


def _flow(row: Evidence) -> str:
    values = msgspec.to_builtins(row)
    return "{" + ", ".join(f"{key}: {_scalar(value)}" for key, value in values.items()) + "}"


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value >= 0.1:
        return f"{value:g}" if value % 1 else f"{value:.1f}"
    if isinstance(value, float):
        text = f"{value:.0e}"
        return f"{text[0]}.0{text[1:]}"  # `1e-07` would be a string to a YAML 1.2 reader without a point
    if isinstance(value, int) or re.fullmatch(r"[A-Za-z][\w-]*", value):
        return str(value)
    return msgspec.json.encode(value).decode()
