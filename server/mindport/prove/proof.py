"""Runs the examples of mappings in one interpreter on one device and says what was seen of each case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Mapping as Dict
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Mapping
from mindport.model.target import Device, Mode, Target, Version
from mindport.prove.graph_mode import EXAMPLES_OF_A_CASE, is_compiled
from mindport.prove.outcomes import ExampleOutcome
from mindport.prove.rewritten import attempt
from mindport.prove.samples import NARROW, requests_of
from mindport.prove.workers import Outcome, Worker, run_all
from mindport.registry import torch_usage

SECONDS_PER_SAMPLE = 30.0
MUCH_USED = 15  # packages of those whose code was counted
Key = TypeVar("Key")


class Proof(msgspec.Struct, frozen=True):
    """What was seen: the outcomes of the examples by mapping, and the versions of the frameworks that ran."""

    outcomes: dict[Any, list[ExampleOutcome]]
    versions: dict[str, str]


class Planned(msgspec.Struct, frozen=True):
    """The samples of one example that are to be run on a target: its mapping, its number there, and the case that it
    shows there."""

    key: Any
    example: int
    case: int
    requests: tuple[dict[str, Any], ...]

    @property
    def variants(self) -> list[str]:
        """What each sample is, in order."""
        return [request["variant"] for request in self.requests]


def plan(
    mappings: Dict[Key, Mapping],
    target: Target,
    *,
    is_timed: bool = False,
    catalogue: MappingIndex | None = None,
) -> list[Planned]:
    """All samples of all examples whose case is for the device and mode of `target`; in graph mode no more than two
    examples of a case. `catalogue` has the other names that they use; without it, what ships."""
    catalogue = catalogue or load_index()
    found: list[Planned] = []
    for key, mapping in mappings.items():
        narrowed: set[int] = set()
        ran: Counter[int] = Counter()
        for index, example in enumerate(mapping.examples):
            wanted = attempt(mapping, example, target, catalogue)
            if wanted is None:
                continue
            ran[wanted.case] += 1
            if target.mode is Mode.GRAPH:
                if ran[wanted.case] <= EXAMPLES_OF_A_CASE:
                    in_graph = is_compiled(mapping, wanted.example)
                    requests = requests_of(wanted.example, mode=target.mode, is_compiled=in_graph)
                    found.append(Planned(key, index, wanted.case, tuple(requests)))
                continue
            # One example of each case tells what half precision does, where models are likely to use it.
            is_narrowed = wanted.case not in narrowed and is_much_used(mapping)
            requests = requests_of(wanted.example, is_narrowed=is_narrowed, is_timed=is_timed)
            if any(request["variant"] in NARROW for request in requests):
                narrowed.add(wanted.case)
            found.append(Planned(key, index, wanted.case, tuple(requests)))
    return found


def outcome_of(planned: Planned, results: Sequence[Outcome]) -> ExampleOutcome:
    """What became of an example; after a crash the rest of its samples was not run."""
    return ExampleOutcome(planned.example, planned.case, tuple(zip(planned.variants, results, strict=False)))


def prove(
    mappings: Dict[Key, Mapping],
    target: Target,
    interpreter: Path,
    *,
    jobs: int = 1,
    seconds: float = SECONDS_PER_SAMPLE,
    progress: Callable[[int, int], None] = lambda done, total: None,
    is_timed: bool = True,
    catalogue: MappingIndex | None = None,
) -> Proof:
    """Run what `plan` says. `mindspore` in the versions may be another than the target's: the interpreter decides.
    Raises CannotRun where the interpreter cannot run any."""
    planned = plan(mappings, target, is_timed=is_timed, catalogue=catalogue)
    outcomes: dict[Any, list[ExampleOutcome]] = {key: [] for key in mappings}
    versions: dict[str, str] = {}
    finished = 0

    def done(index: int, results: list[Outcome], found: dict[str, str]) -> None:
        nonlocal finished
        outcomes[planned[index].key].append(outcome_of(planned[index], results))
        versions.update(found)
        finished += 1
        progress(finished, len(planned))

    def start() -> Worker:
        return Worker(interpreter, target.device.value)

    # What cannot be compiled is the same in a fresh process; that is started for a crash only.
    tasks = [list(one.requests) for one in planned]
    run_all(tasks, done, start, jobs, seconds, is_repeated=target.mode is not Mode.GRAPH)
    for found in outcomes.values():
        found.sort(key=lambda outcome: outcome.example)
    return Proof(outcomes, versions)


def target_of(version: str, device: str) -> Target:
    """The target that an interpreter with MindSpore `version` proves; raises ValueError for no version."""
    return Target(Version.parse(version), Device(device))


def is_much_used(mapping: Mapping) -> bool:
    """Whether many packages use one of the names of a mapping."""
    counts = (torch_usage().get(name) for name, _ in listed_names(mapping.torch))
    return any(count is not None and count.packages >= MUCH_USED for count in counts)
