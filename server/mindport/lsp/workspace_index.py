"""What a check of the whole workspace found, by file, for clients that pull it or get it pushed."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable

import msgspec

from mindport.lsp.workspace_check import CheckedFile


class IndexedFile(msgspec.Struct, frozen=True):
    """The diagnostics of one file as a JSON list, their name, and how many are errors and warnings."""

    diagnostics: str
    result: str
    errors: int = 0
    warnings: int = 0


def result_name(diagnostics: str) -> str:
    """A name for diagnostics: equal ones have equal names, whatever lies between."""
    return f"{hash(diagnostics) & 0xFFFFFFFFFFFF:x}"


_CLEAN = IndexedFile("[]", result_name("[]"))


class WorkspaceIndex:
    """The files of all folders by URI. `is_complete` once every file was checked."""

    def __init__(self) -> None:
        self._entries: dict[str, IndexedFile] = {}
        self.is_complete = False

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, uri: str) -> IndexedFile:
        """The entry of a file; a clean one for a file that is not known."""
        return self._entries.get(uri, _CLEAN)

    def take(self, checked: CheckedFile) -> bool:
        """Keep what was found in a file; says whether it is new."""
        diagnostics = bytes(checked.diagnostics).decode()
        entry = IndexedFile(diagnostics, result_name(diagnostics), checked.errors, checked.warnings)
        is_new = self[checked.uri] != entry
        self._entries[checked.uri] = entry
        return is_new

    def keep_only(self, uris: Collection[str]) -> list[str]:
        """Every file was checked, and these are all: forget the others; those of them that had diagnostics."""
        gone = [uri for uri in self._entries if uri not in uris]
        self.is_complete = True
        return [uri for uri in gone if self._entries.pop(uri).result != _CLEAN.result]

    def totals(self) -> tuple[int, int, int]:
        """How many files, errors and warnings there are."""
        entries = self._entries.values()
        return len(entries), sum(one.errors for one in entries), sum(one.warnings for one in entries)

    def news(
        self, known: dict[str, str], is_open: Callable[[str], bool], notebooks: Collection[str] = ()
    ) -> list[str]:
        """The reports, as JSON, of the files whose diagnostics a client does not have; `known` has the names of those
        that it has, and is brought up to date. A clean file that it never heard of is no news, nor is an open one; of
        open `notebooks` the cells have the diagnostics, and the file has none."""
        # A file that is not known was deleted, or has not had its turn.
        candidates: Iterable[str] = [*self._entries, *known] if self.is_complete else list(self._entries)
        found = []
        for uri in dict.fromkeys(candidates):
            entry = _CLEAN if uri in notebooks else self[uri]
            # Document diagnostics are named by version too.
            if entry.result == known.get(uri, _CLEAN.result).rpartition("-")[2] or is_open(uri):
                continue
            known[uri] = entry.result
            found.append(
                f'{{"kind":"full","uri":{json.dumps(uri)},"version":null,"resultId":"{entry.result}",'
                f'"items":{entry.diagnostics}}}'
            )
        return found
