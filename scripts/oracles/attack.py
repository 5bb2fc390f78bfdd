"""Attacks what the catalogue writes with samples that nobody chose for it (`mindport.prove.attacks`), and tells which
differ."""

from __future__ import annotations

import fnmatch
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mindport.mapping.index import load_index
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Mapping
from mindport.model.target import Target
from mindport.prove.attacks import attacks_on
from mindport.prove.rewritten import rewritten
from mindport.prove.workers import Outcome, Worker, run_all
from mindport.registry.torch import torch_facts

_AGAINST = ("differ", "failed", "crashed")


class Attacked(NamedTuple):
    """A safe case, the attack, the torch code, and what of the outcome speaks against what was written for it."""

    place: str
    attack: str
    before: str
    outcome: str


def attack(
    mappings: dict[str, Mapping],
    target: Target,
    names: Sequence[str],
    jobs: int,
    seconds: float,
    tell: Callable[[Attacked], None],
) -> int:
    """How many samples of the attacks whose names match one of `names` torch takes; `tell` is called for each that
    differs."""
    planned = list(_planned(mappings, target, names))
    ran = 0

    def done(index: int, outcomes: list[Outcome], _versions: dict[str, str]) -> None:
        nonlocal ran
        (outcome,) = outcomes
        ran += outcome["status"] != "illegal"
        if outcome["status"] in _AGAINST:
            said = f"{outcome['status']}: {outcome.get('message', '')}"
            tell(planned[index][0]._replace(outcome=said))

    tasks = [[request] for _, request in planned]
    run_all(tasks, done, lambda: Worker(Path(sys.executable)), jobs, seconds, is_repeated=False)
    return ran


def _planned(
    mappings: dict[str, Mapping], target: Target, names: Sequence[str]
) -> Iterator[tuple[Attacked, dict[str, Any]]]:
    index = load_index()
    for file, mapping in mappings.items():
        apis = [name for name, _ in listed_names(mapping.torch)]
        signatures = [one for name in apis for one in torch_facts().signatures(name)]
        seen: set[tuple[str, str]] = set()
        for example in mapping.examples:
            if example.compare not in ("value", "structure"):
                continue
            for one in attacks_on(example, apis, signatures):
                if not any(fnmatch.fnmatchcase(one.name, name) for name in names):
                    continue
                written = rewritten(mapping, one.example, target, index)
                if written is None or mapping.cases[written[0]].fix != "safe":
                    continue
                if (key := (one.name, f"{one.example.before} {one.example.inputs}")) in seen:
                    continue
                seen.add(key)
                place = f"{file}[{written[0]}]"
                yield Attacked(place, one.name, one.example.before, ""), one.request(written[1])
