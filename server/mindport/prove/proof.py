"""Runs the examples of mappings in one interpreter on one device and says what was seen of each case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Mapping as Dict
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from mindport.mapping.index import load_index
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Mapping
from mindport.model.target import Device, Mode, Target, Version
from mindport.prove.graph_mode import EXAMPLES_OF_A_CASE, is_compiled
from mindport.prove.outcomes import ExampleOutcome
from mindport.prove.rewritten import attempt
from mindport.prove.samples import NARROW, OWN, requests_of
from mindport.prove.workers import Outcome, Worker, run_all
from mindport.registry import torch_usage

SECONDS_PER_SAMPLE = 30.0
MUCH_USED = 15  # packages of those whose code was counted
Key = TypeVar("Key")


class Proof(msgspec.Struct, frozen=True):
    """What was seen: the outcomes of the examples by mapping, and the versions of the frameworks that ran."""

    outcomes: dict[Any, list[ExampleOutcome]]
    versions: dict[str, str]


def prove(
    mappings: Dict[Key, Mapping],
    target: Target,
    interpreter: Path,
    *,
    jobs: int = 1,
    seconds: float = SECONDS_PER_SAMPLE,
    progress: Callable[[int, int], None] = lambda done, total: None,
    is_timed: bool = True,
) -> Proof:
    """Run all samples of all examples whose case is for the device and mode of `target`; in graph mode no more than two
    examples of a case. `mindspore` in the versions may be another than the target's: the interpreter decides. Raises
    CannotRun where the interpreter cannot run any."""
    catalogue = load_index()
    owners: list[tuple[Key, int, int, list[str]]] = []
    tasks: list[list[dict[str, Any]]] = []
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
                    owners.append((key, index, wanted.case, [OWN]))
                    tasks.append(requests_of(wanted.example, mode=target.mode, is_compiled=in_graph))
                continue
            # One example of each case tells what half precision does, where models are likely to use it.
            is_narrowed = wanted.case not in narrowed and is_much_used(mapping)
            requests = requests_of(wanted.example, is_narrowed=is_narrowed, is_timed=is_timed)
            if any(request["variant"] in NARROW for request in requests):
                narrowed.add(wanted.case)
            owners.append((key, index, wanted.case, [request["variant"] for request in requests]))
            tasks.append(requests)
    outcomes: dict[Any, list[ExampleOutcome]] = {key: [] for key in mappings}
    versions: dict[str, str] = {}
    finished = 0

    def done(index: int, results: list[Outcome], found: dict[str, str]) -> None:
        nonlocal finished
        key, example, case, variants = owners[index]
        samples = tuple(zip(variants, results, strict=False))  # after a crash the rest was not run
        outcomes[key].append(ExampleOutcome(example, case, samples))
        versions.update(found)
        finished += 1
        progress(finished, len(tasks))

    def start() -> Worker:
        return Worker(interpreter, target.device.value)

    # What cannot be compiled is the same in a fresh process; that is started for a crash only.
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
