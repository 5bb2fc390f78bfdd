"""What runs of both frameworks showed of the cases of mappings: the files that ship, one for each version and mode of
MindSpore, and those that a team made on its own machines with `mindport prove`.

A row names a torch name and the content of a case, not the number of it in a file: it stays true when cases are added
around it, and says nothing any more when what the case writes has changed, down to the helpers in it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as Table
from pathlib import Path

import msgspec

from mindport.config.problem import ConfigurationError
from mindport.config.regular_file import read_regular
from mindport.mapping.helper_source import helper_source, needed_helpers
from mindport.mapping.names import listed_names
from mindport.mapping.schema import UNNUMBERED, Case, Evidence, Mapping
from mindport.model.language import say
from mindport.model.shares import missing_shares
from mindport.model.target import Mode, Version
from mindport.registry.location import evidence_folder

MOST_BYTES = 50_000_000
DEFAULT_FILE = "mindport-evidence.json"
FORMAT = 1
_WORD = re.compile(r"\b[A-Za-z_]\w*")


class SharedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one machine saw of one case. `api` is a torch name of the mapping, `content` tells the case, and its number
    is left out. `machine` says which one, where the results of a bundle tell it."""

    api: str
    content: str
    evidence: Evidence
    machine: str = ""


class EvidenceShare(msgspec.Struct, frozen=True, kw_only=True):
    """Which share of a run a file has the rows of: the `number`th of `count`. The shares of one run were `asked` for
    the same names, all of the catalogue where there are none, and ran on the same target."""

    number: int
    count: int
    asked: tuple[str, ...]
    target: str


class _File(msgspec.Struct, frozen=True):
    format: int
    rows: tuple[SharedRow, ...]
    share: EvidenceShare | None = None


def content_of(case: Case) -> str:
    """A word for all of a case that decides what is written, and when, with the text of the helpers in it.
    Explanations, versions and devices are not part of it: they do not change what was run."""
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
    text = msgspec.json.encode(written, order="deterministic")
    named = (case.helper or "", *_WORD.findall(text.decode()))
    helpers = {one for name in named if helper_source(name) for one in needed_helpers(name)}
    sources = "".join(helper_source(name) for name in sorted(helpers))
    return hashlib.blake2b(text + sources.encode(), digest_size=10).hexdigest()


def contents_of(mapping: Mapping) -> Sequence[str]:
    """The words for the cases of a mapping; of the index they are known."""
    return mapping.contents or [content_of(case) for case in mapping.cases]


def shared_rows(mapping: Mapping, evidence: Iterable[Evidence]) -> tuple[SharedRow, ...]:
    """The rows to share of what was seen of the cases of a mapping."""
    api = listed_names(mapping.torch)[0][0]
    contents = contents_of(mapping)
    return tuple(
        SharedRow(api, contents[row.case], msgspec.structs.replace(row, case=UNNUMBERED)) for row in evidence
    )


def evidence_for(mapping: Mapping, rows: Sequence[SharedRow]) -> list[Evidence]:
    """The rows that speak of cases which the mapping has today, with their present numbers."""
    contents = contents_of(mapping)
    return [
        msgspec.structs.replace(row.evidence, case=number)
        for row in rows
        for number, content in enumerate(contents)
        if content == row.content
    ]


def evidence_file(version: Version, mode: Mode) -> Path:
    """The file that ships of a version and mode, which need not exist."""
    return evidence_folder() / f"mindspore-{version}{'-graph' if mode is Mode.GRAPH else ''}.json"


def shipped_rows(folder: Path) -> dict[str, list[SharedRow]]:
    """What the files of a folder have of every torch name. Raises ConfigurationError."""
    found: dict[str, list[SharedRow]] = {}
    for path in sorted(folder.glob("*.json")):
        for row in read_shared(path):
            found.setdefault(row.api, []).append(row)
    return found


def with_shipped(mapping: Mapping, rows: Table[str, Sequence[SharedRow]]) -> Mapping:
    """A mapping with the words for its cases and what ships of them."""
    known = msgspec.structs.replace(mapping, contents=[content_of(case) for case in mapping.cases])
    mine = [row for name, _ in listed_names(mapping.torch) for row in rows.get(name, ())]
    return msgspec.structs.replace(known, evidence=evidence_for(known, mine))


def read_shared(path: Path) -> tuple[SharedRow, ...]:
    """The rows of a file. Raises ConfigurationError that names the file and what is wrong with it."""
    return _read(path).rows


def read_shares(paths: Sequence[Path]) -> tuple[EvidenceShare, tuple[SharedRow, ...]]:
    """One of the shares of a run, and the rows of all of them. Raises ConfigurationError where the files are not all
    the shares of one run."""
    files = {path: _read(path) for path in paths}
    shares = {path: file.share for path, file in files.items() if file.share is not None}
    problems = [say("{file}: is no share of a run", file=path) for path in paths if path not in shares]
    if problems:
        raise ConfigurationError(problems)
    first = shares[paths[0]]
    problems = [
        say("{file}: is not of the same run as {first}", file=path, first=paths[0])
        for path, share in shares.items()
        if msgspec.structs.replace(share, number=first.number) != first
    ]
    numbers = [share.number for share in shares.values()]
    problems = problems or missing_shares(numbers, first.count)
    if problems:
        raise ConfigurationError(problems)
    return first, tuple(row for file in files.values() for row in file.rows)


def _read(path: Path) -> _File:
    try:
        found = msgspec.json.decode(read_regular(path, MOST_BYTES), type=_File)
    except OSError as error:
        raise ConfigurationError([f"{path}: cannot be read: {error.strerror or error}"]) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError([f"{path}: no evidence file of `mindport prove`: {error}"]) from None
    if found.format != FORMAT:
        raise ConfigurationError([f"{path}: format {found.format} is not known to this mindport"])
    return found


def merged(old: Iterable[SharedRow], new: Iterable[SharedRow]) -> tuple[SharedRow, ...]:
    """Both, in a fixed order; what was seen again of the same case on the same target replaces what was."""
    rows = {_key(row): _unnumbered(row) for row in old}
    rows.update((_key(row), _unnumbered(row)) for row in new)
    return tuple(rows[key] for key in sorted(rows))


def as_text(rows: Iterable[SharedRow], share: EvidenceShare | None = None) -> str:
    """The text of a file: a line for each row, so that it merges well."""
    lines = ",\n  ".join(msgspec.json.encode(row).decode() for row in rows)
    said = "" if share is None else f'"share": {msgspec.json.encode(share).decode()}, '
    start = f'{{"format": {FORMAT}, {said}"rows": ['
    return f"{start}\n  {lines}\n]}}\n" if lines else f"{start}]}}\n"


def _unnumbered(row: SharedRow) -> SharedRow:
    return msgspec.structs.replace(row, evidence=msgspec.structs.replace(row.evidence, case=UNNUMBERED))


def _key(row: SharedRow) -> tuple[str, ...]:
    seen = row.evidence
    return (row.api, row.content, seen.device, seen.mode, seen.mindspore, seen.torch)
