"""Evidence that a team made on its own machines with `mindport prove`: a JSON file that counts like the evidence that
ships.

A row names a torch name and the content of a case, not the number of it in a file: it stays true when cases are added
around it, and says nothing any more when what the case writes has changed."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from mindport.config.problem import ConfigurationError
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Case, Evidence, Mapping
from mindport.model.target import Mode, Target, Version
from mindport.registry.location import evidence_folder

DEFAULT_FILE = "mindport-evidence.json"
FORMAT = 1


class SharedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one machine saw of one case. `api` is a torch name of the mapping, `content` tells the case."""

    api: str
    content: str
    evidence: Evidence


class _File(msgspec.Struct, frozen=True):
    format: int
    rows: tuple[SharedRow, ...]


def content_of(case: Case) -> str:
    """A word for all of a case that decides what is written, and when. Explanations, versions and devices are not part
    of it: they do not change what was run."""
    written = (
        case.verdict,
        case.when,
        case.forms,
        case.call,
        case.args,
        case.add,
        case.rewrite,
        case.imports,
    )
    return hashlib.blake2b(msgspec.json.encode(written, order="deterministic"), digest_size=10).hexdigest()


def shared_rows(mapping: Mapping, evidence: Iterable[Evidence]) -> tuple[SharedRow, ...]:
    """The rows to share of what was seen of the cases of a mapping."""
    api = listed_names(mapping.torch)[0][0]
    return tuple(SharedRow(api, content_of(mapping.cases[row.case]), row) for row in evidence)


def evidence_for(mapping: Mapping, rows: Sequence[SharedRow]) -> list[Evidence]:
    """The rows that speak of cases which the mapping has today, with their present numbers."""
    contents = [content_of(case) for case in mapping.cases]
    return [
        msgspec.structs.replace(row.evidence, case=number)
        for row in rows
        for number, content in enumerate(contents)
        if content == row.content
    ]


def shipped_evidence(mapping: Mapping, target: Target) -> list[Evidence]:
    """What stands in files of their own of the cases that the mapping has today: runs with an older MindSpore, and in
    graph mode. What the newest version was seen to do in PyNative stands in the mapping itself."""
    found = _shipped(target.version, target.mode)
    if not found:
        return []
    return evidence_for(
        mapping, [row for name, _ in listed_names(mapping.torch) for row in found.get(name, ())]
    )


def evidence_file(version: Version, mode: Mode) -> Path:
    """The file that ships of a version and mode, which need not exist."""
    return evidence_folder() / f"mindspore-{version}{'-graph' if mode is Mode.GRAPH else ''}.json"


@functools.cache
def _shipped(version: Version, mode: Mode) -> dict[str, list[SharedRow]]:
    path = evidence_file(version, mode)
    found: dict[str, list[SharedRow]] = {}
    for row in read_shared(path) if path.is_file() else ():
        found.setdefault(row.api, []).append(row)
    return found


def read_shared(path: Path) -> tuple[SharedRow, ...]:
    """The rows of a file. Raises ConfigurationError that names the file and what is wrong with it."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=_File)
    except OSError as error:
        raise ConfigurationError([f"{path}: cannot be read: {error.strerror or error}"]) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError([f"{path}: no evidence file of `mindport prove`: {error}"]) from None
    if found.format != FORMAT:
        raise ConfigurationError([f"{path}: format {found.format} is not known to this mindport"])
    return found.rows


def merged(old: Iterable[SharedRow], new: Iterable[SharedRow]) -> tuple[SharedRow, ...]:
    """Both, in a fixed order; what was seen again of the same case on the same target replaces what was."""
    rows = {_key(row): row for row in old}
    rows.update((_key(row), row) for row in new)
    return tuple(rows[key] for key in sorted(rows))


def as_text(rows: Iterable[SharedRow]) -> str:
    """The text of a file: a line for each row, so that it merges well."""
    lines = ",\n  ".join(msgspec.json.encode(row).decode() for row in rows)
    return (
        f'{{"format": {FORMAT}, "rows": [\n  {lines}\n]}}\n'
        if lines
        else f'{{"format": {FORMAT}, "rows": []}}\n'
    )


def _key(row: SharedRow) -> tuple[str, ...]:
    seen = row.evidence
    return (row.api, row.content, seen.device, seen.mode, seen.mindspore, seen.torch)
