"""All mutants of the catalogue that a run could catch: those of cases that are written as safe, of the helpers that
come with these, and of the conditions that keep other calls from them."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from mindport.mapping.helper_source import helper_source, needed_helpers
from mindport.mapping.schema import Mapping
from mindport.model.target import Target
from mutation.case_mutants import case_mutants
from mutation.code_mutants import CodeMutant, code_mutants

_WORD = re.compile(r"\b[A-Za-z_]\w*")


class Mutant(NamedTuple):
    """One change in the catalogue. Of a case `mapping` is the changed one and `case` its number, of a helper `code`
    makes its changed text."""

    kind: str
    place: str  # the file, and the case or the helper in it
    change: str
    files: tuple[str, ...]  # of the mappings whose examples may tell
    mapping: Mapping | None = None
    case: int = -1
    helper: str = ""
    code: CodeMutant | None = None

    @property
    def order(self) -> str:
        """A word that puts mutants into an order that has nothing to do with where they are."""
        return hashlib.sha256(
            f"{self.place} {self.kind} {self.change} {self.code and self.code.number}".encode()
        ).hexdigest()


def population(mappings: dict[str, Mapping], target: Target) -> list[Mutant]:
    """All mutants of some mappings and of the helpers that their examples write."""
    return [*_of_cases(mappings, target), *_of_helpers(mappings, target)]


def part_of(mutants: Iterable[Mutant], size: int, seed: int) -> tuple[list[Mutant], int]:
    """About `size` of the mutants, with the share of each kind as in all of them, and in how many parts that cuts them:
    consecutive seeds give every part."""
    by_kind: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_kind[mutant.kind].append(mutant)
    total = sum(map(len, by_kind.values()))
    parts = max(1, -(-total // size)) if size else 1
    chosen = []
    passed = 0  # so that kinds with fewer mutants than there are parts come into different ones
    for kind in sorted(by_kind):
        ordered = sorted(by_kind[kind], key=lambda mutant: mutant.order)
        chosen += [one for place, one in enumerate(ordered, passed) if place % parts == seed % parts]
        passed += len(ordered)
    return sorted(chosen, key=lambda mutant: mutant.order), parts


def _of_cases(mappings: dict[str, Mapping], target: Target) -> Iterable[Mutant]:
    targets = sorted({case.call for mapping in mappings.values() for case in mapping.cases if case.call})
    for file, mapping in mappings.items():
        proved = proved_cases(mapping, target)
        for number, case in enumerate(mapping.cases):
            if not case.is_for(target):
                continue
            if number not in proved and not any(later > number for later in proved):
                continue
            for kind, change, new in case_mutants(case, targets):
                # Of a case that is no proved one its conditions alone matter: they let calls through to the others.
                if number not in proved and kind != "case: condition negated":
                    continue
                cases = [*mapping.cases[:number], new, *mapping.cases[number + 1 :]]
                changed = msgspec.structs.replace(mapping, cases=cases)
                yield Mutant(kind, f"{file}[{number}]", change, (file,), changed, number)


def _of_helpers(mappings: dict[str, Mapping], target: Target) -> Iterable[Mutant]:
    users: dict[str, dict[str, None]] = defaultdict(dict)
    for file, mapping in mappings.items():
        if not proved_cases(mapping, target):
            continue
        for name in helpers_of([example.after for example in mapping.examples if example.compare != "none"]):
            users[name][file] = None
    for name, files in users.items():
        for code in code_mutants(helper_source(name)):
            place = f"_helpers/{name}.py"
            yield Mutant(f"helper: {code.kind}", place, code.change, tuple(files), helper=name, code=code)


def helpers_of(texts: Sequence[str]) -> set[str]:
    """The helpers that texts name, and those that these need."""
    words = {word for text in texts for word in _WORD.findall(text)}
    return {one for word in words if helper_source(word) for one in needed_helpers(word)}


def proved_cases(mapping: Mapping, target: Target) -> set[int]:
    """The cases that are safe on the target, and not in words only."""
    seen = {
        row.case
        for row in mapping.evidence
        if row.is_proof
        and (row.device, row.mode) == (target.device.value, target.mode.value)
        and row.mindspore == str(target.version)
    }
    return {number for number, case in enumerate(mapping.cases) if case.fix == "safe" and number in seen}
