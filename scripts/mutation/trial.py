"""Runs the evidence against mutants: what each writes for the examples is run as `run_oracles.py` runs it, until a
sample gives another outcome than the catalogue as it is."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mindport.mapping.index import MappingIndex
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Example, Mapping
from mindport.model.target import Target
from mindport.prove.attacks import attacks_on
from mindport.prove.proof import Planned, plan
from mindport.prove.samples import OWN
from mindport.prove.workers import Line, Outcome, Worker
from mindport.registry.torch import torch_facts
from mutation.population import Mutant
from mutation.writing import Writer, Written

# What becomes of a mutant: caught by the evidence or, where that does not tell, by samples that attack. A refused one
# writes nothing for an example that the catalogue writes; one that is nowhere written changes the text of no sample;
# of an unknown one the samples cannot tell whether it is wrong.
CAUGHT, ATTACKED, REFUSED = "caught", "by attack", "refused"
SURVIVED, UNWRITTEN, UNKNOWN = "survived", "nowhere written", "unknown"
_AGAINST = ("differ", "failed", "crashed")
_MOST_ATTACKED = 8  # examples


class Sample(NamedTuple):
    """One sample with both texts, of the catalogue and of a mutant; None where one refuses the call. `is_evidence`
    where it is one of those that the case is proved by."""

    name: str
    request: dict[str, Any]
    usual: Written | None
    mutated: Written | None
    is_evidence: bool = False


class Judged(NamedTuple):
    """What became of a mutant, and how it was seen."""

    mutant: Mutant
    fate: str
    how: str = ""


class Trial:
    """Judges mutants of `mappings`, which are those of `index`, in processes of an interpreter with both frameworks."""

    def __init__(
        self,
        mappings: dict[str, Mapping],
        index: MappingIndex,
        target: Target,
        interpreter: Path,
        seconds: float,
    ) -> None:
        self._mappings = mappings
        self._target = target
        self._interpreter = interpreter
        self._seconds = seconds
        self._writer = Writer(mappings, index, target)
        self._plans: dict[str, list[Planned]] = {}
        self._lock = threading.Lock()  # of all that is planned and written

    def run(self, mutants: Sequence[Mutant], jobs: int, done: Callable[[Judged], None]) -> None:
        """Judge every mutant; `done` is called for one at a time."""
        waiting: queue.SimpleQueue[Mutant] = queue.SimpleQueue()
        for mutant in mutants:
            waiting.put(mutant)
        failures: list[BaseException] = []
        report = threading.Lock()

        def serve() -> None:
            line = Line(lambda: Worker(self._interpreter), self._seconds, is_repeated=False)
            try:
                while not failures:
                    try:
                        mutant = waiting.get_nowait()
                    except queue.Empty:
                        break
                    judged = self.judge(mutant, line)
                    with report:
                        done(judged)
            except BaseException as error:  # noqa: BLE001  it is raised again where somebody sees it
                failures.append(error)
            finally:
                line.stop()

        threads = [threading.Thread(target=serve, daemon=True) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def judge(self, mutant: Mutant, line: Line) -> Judged:
        """What becomes of one mutant: first by the samples behind the evidence, then by those that attack."""
        is_written = is_own = is_compared = False
        for sample in self._samples(mutant):
            if sample.mutated is None:
                if sample.is_evidence:
                    return Judged(mutant, REFUSED, f"{sample.name} is not written any more")
                continue
            is_written = True
            is_own = is_own or mutant.code is not None or sample.mutated.case == mutant.case
            is_compared = is_compared or sample.request["example"]["compare"] in ("value", "effect", "drawn")
            how = _difference(sample, line)
            if how:
                return Judged(mutant, CAUGHT if sample.is_evidence else ATTACKED, f"{sample.name}: {how}")
        if not is_written:
            return Judged(mutant, UNWRITTEN)
        if not is_own:
            return Judged(mutant, UNKNOWN, "what other cases write instead agrees")
        return Judged(mutant, *((SURVIVED,) if is_compared else (UNKNOWN, "all results are drawn at random")))

    def _samples(self, mutant: Mutant) -> Iterator[Sample]:
        """The samples for which the mutant writes another text than the catalogue."""
        attacked: list[tuple[str, Example]] = []
        for file in mutant.files:
            for planned in self._plans_of(file):
                example = self._mappings[file].examples[planned.example]
                usual, new = self._both(mutant, file, example)
                if usual is None and mutant.code is not None:  # what is proved may be more than its own code
                    usual = Written(planned.requests[0]["example"]["after"], planned.case)
                    new = self._writer.mutated(mutant, example, usual)
                if usual is None:
                    continue
                if new == usual:
                    attacked.append((file, example))
                    continue
                attacked.insert(0, (file, example))  # those first that the mutant is about
                for request in planned.requests:
                    name = f"example {planned.example}, {request['variant']}"
                    yield Sample(name, request, usual, new, is_evidence=True)
        for file, example in attacked[:_MOST_ATTACKED]:
            apis = [name for name, _ in listed_names(self._mappings[file].torch)]
            signatures = [one for name in apis for one in torch_facts().signatures(name)]
            for attack in attacks_on(example, apis, signatures):
                usual, new = self._both(mutant, file, attack.example)
                if new != usual:
                    yield Sample(f"attack: {attack.name}", attack.request(""), usual, new)

    def _both(self, mutant: Mutant, file: str, example: Example) -> tuple[Written | None, Written | None]:
        """What the catalogue writes for an example, and what the mutant does."""
        with self._lock:
            usual = self._writer.usual(file, example)
            return usual, self._writer.mutated(mutant, example, usual)

    def _plans_of(self, file: str) -> list[Planned]:
        with self._lock:
            if file not in self._plans:
                self._plans[file] = plan({file: self._mappings[file]}, self._target)
            return self._plans[file]


def _difference(sample: Sample, line: Line) -> str:
    """How the outcome of a sample speaks against the mutant and not against the catalogue; empty if it does not."""

    def outcome(written: Written) -> Outcome:
        example = {**sample.request["example"], "after": written.text}
        return line.ask({**sample.request, "example": example})

    assert sample.mutated is not None
    seen = outcome(sample.mutated)
    is_against = seen["status"] in _AGAINST
    if sample.usual is None:  # the catalogue refuses such a call
        return _told(seen) if is_against else ""
    if not is_against and not seen.get("remarks"):
        return ""
    usual = outcome(sample.usual)
    if usual["status"] in _AGAINST and sample.is_evidence and sample.request["variant"] == OWN:
        line.doubt()  # an earlier sample left the process in a bad state
        usual, seen = outcome(sample.usual), outcome(sample.mutated)
    if usual["status"] in _AGAINST:
        return ""  # it is not what the case is proved by
    if seen["status"] in _AGAINST:
        return _told(seen)
    return "; ".join(sorted(set(seen.get("remarks", ())) - set(usual.get("remarks", ()))))


def _told(outcome: Outcome) -> str:
    return f"{outcome['status']} {outcome.get('message', '')}".strip()
