"""The compiled index of all mappings: found by torch name in microseconds, each mapping decoded when first
asked for.

The YAML files are the source, with the runs in `_evidence` and the helpers that cases write. In a checkout the index is
brought up to date when a file is newer, reading only the mappings that changed; an installed package ships it ready
made.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from mindport.mapping.files import FileState, mapping_states, states_beside
from mindport.mapping.names import listed_names
from mindport.mapping.problem import MappingProblem
from mindport.mapping.schema import Forms, Mapping
from mindport.mapping.shared_evidence import SharedRow, evidence_for, shared_rows, shipped_rows, with_shipped
from mindport.registry.location import mappings_folder
from mindport.source.writing import keep_file

INDEX_FORMAT = 2


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    """One file: where it is, how it looked when it was read, its names and its mapping, still packed."""

    file: str
    modified: int
    size: int
    names: tuple[tuple[str, Forms], ...]
    mapping: msgspec.Raw


class _IndexFile(msgspec.Struct, frozen=True, array_like=True):
    format: int
    entries: tuple[_Entry, ...]
    problems: tuple[MappingProblem, ...]
    beside: tuple[FileState, ...]  # how the helpers and the evidence looked


_DECODER = msgspec.msgpack.Decoder(_IndexFile)
_MAPPING_DECODER = msgspec.msgpack.Decoder(Mapping)
_ENCODER = msgspec.msgpack.Encoder()


class MappingIndex:
    """All mappings by torch name. `problems` holds what was wrong with files that are therefore not in it."""

    __slots__ = ("_decoded", "_entries", "_places", "_shared", "plans", "problems")

    def __init__(
        self,
        entries: Iterable[_Entry],
        problems: tuple[MappingProblem, ...] = (),
        shared: Sequence[SharedRow] = (),
    ) -> None:
        self._entries = tuple(entries)
        self._decoded: dict[int, Mapping] = {}
        self._places: dict[str, tuple[int, Forms]] = {}
        for number, entry in enumerate(self._entries):
            for name, form in entry.names:
                self._places.setdefault(name, (number, form))
        self._shared: dict[int, list[SharedRow]] = {}
        for row in shared:
            if row.api in self._places:
                self._shared.setdefault(self._places[row.api][0], []).append(row)
        self.problems = problems
        # Filled by judge: what depends on name and target only.
        self.plans: dict[tuple[object, ...], object] = {}

    @classmethod
    def of(cls, mappings: Iterable[Mapping]) -> MappingIndex:
        """An index of mappings in memory."""
        return cls(_packed(mapping, "", 0, 0) for mapping in mappings)

    def with_mapping(self, mapping: Mapping) -> MappingIndex:
        """The same mappings with another one in place of that which lists its names."""
        own = listed_names(mapping.torch)
        new = _packed(mapping, self.file(own[0][0]), 0, 0)
        entries = (new if entry.names == own else entry for entry in self._entries)
        return MappingIndex(entries, self.problems)

    def with_evidence(self, rows: Sequence[SharedRow]) -> MappingIndex:
        """The same mappings with evidence that a team has made besides."""
        return MappingIndex(self._entries, self.problems, rows)

    def with_team(self, mappings: Sequence[tuple[str, Mapping]]) -> MappingIndex:
        """The same mappings and those of a team, each with its file, which count before them. What runs of the shipped
        ones showed counts for them where they write the same."""
        own = []
        for file, mapping in mappings:
            names = [name for name, _ in listed_names(mapping.torch)]
            known = with_shipped(mapping, {name: self._seen_of(name) for name in names})
            own.append(_packed(known, file, 0, 0))
        return MappingIndex((*own, *self._entries), self.problems)

    def _seen_of(self, api: str) -> Sequence[SharedRow]:
        shipped = self.find(api)
        return (
            ()
            if shipped is None
            else [msgspec.structs.replace(row, api=api) for row in shared_rows(shipped, shipped.evidence)]
        )

    def find(self, api: str) -> Mapping | None:
        """The mapping that lists `api`, or None."""
        place = self._places.get(api)
        return None if place is None else self._mapping(place[0])

    def form(self, api: str) -> Forms | None:
        """The form under which `api` is listed, or None."""
        place = self._places.get(api)
        return None if place is None else place[1]

    def file(self, api: str) -> str:
        """The file that lists `api`, relative to the folder of the mappings; empty where there is none."""
        place = self._places.get(api)
        return "" if place is None else self._entries[place[0]].file

    def names(self) -> Iterable[str]:
        """Every torch name that some mapping lists."""
        return self._places.keys()

    def mappings(self) -> Iterable[tuple[str, Mapping]]:
        """Every mapping with its file, in a fixed order."""
        return ((entry.file, self._mapping(number)) for number, entry in enumerate(self._entries))

    def _mapping(self, number: int) -> Mapping:
        mapping = self._decoded.get(number)
        if mapping is None:
            mapping = _MAPPING_DECODER.decode(self._entries[number].mapping)
            rows = self._shared.get(number)
            if rows:
                evidence = [*mapping.evidence, *evidence_for(mapping, rows)]
                mapping = msgspec.structs.replace(mapping, evidence=evidence)
            self._decoded[number] = mapping
        return mapping


@functools.lru_cache(maxsize=4)
def load_index(root: Path | None = None) -> MappingIndex:
    """The index of the mappings under `root` (default: the ones that ship), read once per process. A file
    that is no valid mapping is left out and named in `problems`."""
    folder = root or mappings_folder()
    compiled = folder / "_compiled" / "index.msgpack"
    stored = _read(compiled)
    if stored is not None and folder.name == "_mappings":
        return MappingIndex(stored.entries, stored.problems)  # installed: nobody edits the files
    current = bring_up_to_date(folder, stored)
    if current is not stored:
        keep_file(compiled, _ENCODER.encode(current))
    return MappingIndex(current.entries, current.problems)


def compile_index(root: Path) -> int:
    """Build `_compiled/index.msgpack` under `root` from nothing, for a wheel; how many files it holds. It says nothing
    of the times of the files, so that two of the same mappings are the same; a checkout makes its own."""
    current = bring_up_to_date(root, None)
    entries = tuple(msgspec.structs.replace(entry, modified=0) for entry in current.entries)
    current = msgspec.structs.replace(current, entries=entries, beside=())
    keep_file(root / "_compiled" / "index.msgpack", _ENCODER.encode(current))
    return len(current.entries)


def bring_up_to_date(folder: Path, stored: _IndexFile | None) -> _IndexFile:
    """`stored` itself where no file changed since, else a new one that reads only the changed mappings. Raises
    ConfigurationError where the evidence cannot be read."""
    known = {} if stored is None else {entry.file: entry for entry in stored.entries}
    beside = states_beside(folder)
    rows: dict[str, list[SharedRow]] | None = None
    entries: list[_Entry] = []
    problems: list[MappingProblem] = []
    changed = stored is None or bool(stored.problems)
    is_beside_new = stored is None or stored.beside != beside
    for file, modified, size in mapping_states(folder):
        entry = known.pop(file, None)
        is_new = entry is None or entry.modified != modified or entry.size != size
        if entry is None or is_new or is_beside_new:
            # Here, because the YAML reader takes longer than all the rest.
            from mindport.mapping.load import read_mapping_file

            changed = True
            mapping = (
                read_mapping_file(folder / file, f"mappings/{file}")
                if entry is None or is_new
                else _MAPPING_DECODER.decode(entry.mapping)
            )
            if isinstance(mapping, tuple):
                problems += mapping
                continue
            rows = shipped_rows(folder / "_evidence") if rows is None else rows
            entry = _packed(with_shipped(mapping, rows), file, modified, size)
        entries.append(entry)
    if stored is not None and not changed and not known:
        return stored
    return _IndexFile(INDEX_FORMAT, tuple(entries), tuple(problems), beside)


def _packed(mapping: Mapping, file: str, modified: int, size: int) -> _Entry:
    raw = msgspec.Raw(_ENCODER.encode(mapping))
    return _Entry(file, modified, size, listed_names(mapping.torch), raw)


def _read(path: Path) -> _IndexFile | None:
    try:
        stored = _DECODER.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError):  # missing, or of another format: it is built again
        return None
    return stored if stored.format == INDEX_FORMAT else None
