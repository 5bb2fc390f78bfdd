"""Reads mapping files, and keeps what runs of the oracle showed of them in the file of a MindSpore version."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from pathlib import Path

import msgspec
from ruamel.yaml import YAML

from mindport.mapping.names import listed_names
from mindport.mapping.schema import UNNUMBERED, Evidence, Mapping
from mindport.mapping.shared_evidence import (
    SharedRow,
    as_text,
    evidence_for,
    merged,
    read_shared,
    shared_rows,
)
from mindport.registry.data_version import LAST_RUN


def load_mapping(path: Path) -> Mapping:
    """Read one file; raises msgspec.ValidationError or a YAML error."""
    return msgspec.convert(YAML(typ="safe").load(path.read_text(encoding="utf-8")), Mapping)


def with_times_of(rows: tuple[Evidence, ...], old: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """`rows` with the times of `old`, and without any where it has none: a busy machine must not set them by the
    way."""
    timed = {row.case: (row.time_ratio, row.time_elements) for row in old}
    pairs = ((row, timed.get(row.case, (None, None))) for row in rows)
    return tuple(
        msgspec.structs.replace(row, time_ratio=ratio, time_elements=elements)
        for row, (ratio, elements) in pairs
    )


def write_rows(path: Path, rows: Iterable[SharedRow]) -> None:
    """Write a file of `mappings/_evidence`, and where that changes it the day, which `mindport --version` tells."""
    text = as_text(tuple(rows))
    if path.is_file() and path.read_text("utf-8") == text:
        return
    path.write_text(text, encoding="utf-8", newline="")
    note_run(path.parent)


def note_run(folder: Path) -> None:
    """Say that today both frameworks were run for what the folder holds."""
    (folder / LAST_RUN).write_text(f"{datetime.date.today()}\n", "ascii")


class EvidenceFile:
    """What was seen with one version and mode of MindSpore, by the content of cases."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows = read_shared(path) if path.is_file() else ()

    def of(self, mapping: Mapping) -> tuple[Evidence, ...]:
        """What is known of the cases of a mapping as they are, in their order."""
        return tuple(sorted(evidence_for(mapping, self._of_names(mapping)), key=lambda row: row.case))

    def says(self, mapping: Mapping, rows: Iterable[Evidence]) -> bool:
        """Whether it has just what `rows` say of a mapping; the last digits of an error are noise, and so is how long a
        call took. Cases that differ in their devices only share what was seen."""
        return _essences(self._of_names(mapping)) == _essences(shared_rows(mapping, rows))

    def replace(self, mapping: Mapping, rows: Iterable[Evidence]) -> None:
        """Let `rows` be all that is known of a mapping."""
        names = {name for name, _ in listed_names(mapping.torch)}
        kept = [row for row in self._rows if row.api not in names]
        self._rows = merged(kept, shared_rows(mapping, rows))

    def rows_of(self, mappings: Iterable[Mapping]) -> tuple[SharedRow, ...]:
        """The rows that the file has of mappings, in its order."""
        return merged((), [row for mapping in mappings for row in self._of_names(mapping)])

    def take(self, rows: Iterable[SharedRow]) -> None:
        """Let `rows` be all that it has."""
        self._rows = merged((), rows)

    def keep_names(self, names: Iterable[str]) -> None:
        """Forget what no mapping lists any more."""
        known = frozenset(names)
        self._rows = tuple(row for row in self._rows if row.api in known)

    def write(self) -> None:
        """Write the file."""
        self._path.parent.mkdir(exist_ok=True)
        write_rows(self._path, self._rows)

    def _of_names(self, mapping: Mapping) -> list[SharedRow]:
        names = {name for name, _ in listed_names(mapping.torch)}
        return [row for row in self._rows if row.api in names]


def _essences(rows: Iterable[SharedRow]) -> dict[str, Evidence]:
    return {
        row.content: msgspec.structs.replace(
            row.evidence, case=UNNUMBERED, max_abs=None, time_ratio=None, time_elements=None
        )
        for row in rows
    }
