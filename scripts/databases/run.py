"""Runs the databases: makes the samples, rewrites them, runs both versions, and sorts what became of them."""

from __future__ import annotations

import hashlib
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from databases import modules, operators, optimizers
from databases.call_source import Sample, Unwritten
from databases.rewriting import Rewritten, rewritten
from databases.verdicts import Judged, Verdict, verdict_of
from mindport.prove.workers import Outcome, Worker, run_all

DATABASES = {"opinfo": operators, "moduleinfo": modules, "optimizerinfo": optimizers}
SECONDS_PER_SAMPLE = 20.0
SLACK = 4.0  # layers of several steps add up what one kernel is off by: MindSpore's tanh on CPU by 6e-5
_DOUBTED = (Verdict.VALUE, Verdict.GRADIENT, Verdict.STRUCTURE, Verdict.RAISES, Verdict.GRADIENT_RAISES)

Progress = Callable[[int, int], None]


def make_samples(
    databases: Iterable[str], is_wanted: Callable[[str], bool], most: int
) -> list[Sample | Unwritten]:
    """The samples of the wanted labels; at most `most` of each form of an entry (0: all)."""
    warnings.simplefilter("ignore")
    found: list[Sample | Unwritten] = []
    for name in databases:
        database = DATABASES[name]
        for entry in database.entries():
            if is_wanted(database.label_of(entry)):
                found += database.samples_of(entry, most)
    return found


def drawn(samples: list[Sample | Unwritten], share: float) -> list[Sample | Unwritten]:
    """A fixed part of the samples, drawn by a hash of what they are."""
    return [one for one in samples if _place(one) < share]


def judge_samples(
    samples: list[Sample | Unwritten], jobs: int, progress: Progress = lambda done, total: None
) -> list[Judged]:
    """Every sample with its class. What fails is run a second time before it counts.

    A kernel of MindSpore that refused a sample may refuse later ones that it takes otherwise: on CPU `maximum`
    refuses tensors without dimensions once it was given one without elements. So what a kernel refuses has, the second
    time, a process of its own, and where it agrees there it must agree once more."""
    judged: list[Judged | None] = [None] * len(samples)
    waiting: list[tuple[int, Sample, Rewritten]] = []
    for index, sample in enumerate(samples):
        if isinstance(sample, Unwritten):
            judged[index] = Judged(
                sample.database,
                sample.label,
                sample.form,
                sample.number,
                Verdict.UNWRITTEN,
                reason=sample.reason,
            )
            continue
        waiting.append((index, sample, rewritten(sample.source)))
    first = _outcomes([(sample, new) for _, sample, new in waiting], jobs, progress)
    refused = [i for i, outcome in enumerate(first) if _is_refused_by_kernel(outcome)]
    alone = dict(zip(refused, _outcomes([waiting[i][1:] for i in refused], jobs, is_alone=True), strict=True))
    mended = [i for i, outcome in alone.items() if verdict_of(outcome) is Verdict.EQUAL]
    for i, outcome in zip(
        mended, _outcomes([waiting[i][1:] for i in mended], jobs, is_alone=True), strict=True
    ):
        if verdict_of(outcome) is Verdict.EQUAL:
            first[i] = outcome
    doubted = [i for i, outcome in enumerate(first) if i not in alone and verdict_of(outcome) in _DOUBTED]
    second = _outcomes([waiting[i][1:] for i in doubted], jobs, progress)
    again = alone | dict(zip(doubted, second, strict=True))
    for place, (index, sample, new) in enumerate(waiting):
        judged[index] = _judged(sample, new, first[place], again.get(place, first[place]))
    return [one for one in judged if one is not None]


def _judged(sample: Sample, new: Rewritten, first: Outcome, second: Outcome) -> Judged:
    verdict, reason = verdict_of(first), first.get("message", "")
    if verdict_of(second) is not verdict:
        verdict, reason = Verdict.UNSTABLE, f"{reason}; then: {second.get('message', '')}"
    if new.grade == "refused" and verdict is not Verdict.TORCH:
        verdict, reason = Verdict.REFUSED, new.reason
    return Judged(
        sample.database,
        sample.label,
        sample.form,
        sample.number,
        verdict,
        new.grade,
        new.place,
        reason,
        new.text,
        all(0 not in array["shape"] for array in sample.arrays.values()),
    )


def _outcomes(
    pairs: list[tuple[Sample, Rewritten]],
    jobs: int,
    progress: Progress = lambda done, total: None,
    *,
    is_alone: bool = False,
) -> list[Outcome]:
    """The outcomes of samples; if `is_alone`, each in a process in which no other ran."""
    found: list[Outcome] = [{} for _ in pairs]
    finished = 0

    def done(index: int, outcomes: list[Outcome], _versions: dict[str, str]) -> None:
        nonlocal finished
        found[index] = outcomes[0]
        finished += 1
        progress(finished, len(pairs))

    def start() -> Worker:
        return Worker(Path(sys.executable))

    if pairs:
        tasks = [[_request(sample, new)] for sample, new in pairs]
        run_all(tasks, done, start, jobs, SECONDS_PER_SAMPLE, is_repeated=False, is_alone=is_alone)
    return found


def _is_refused_by_kernel(outcome: Outcome) -> bool:
    """Whether a kernel raised, not a check of the arguments before it."""
    is_raised = verdict_of(outcome) in (Verdict.RAISES, Verdict.GRADIENT_RAISES)
    return is_raised and "RuntimeError: " in outcome.get("message", "")


def _request(sample: Sample, new: Rewritten) -> dict[str, Any]:
    """The run of a sample. One that is refused runs in torch only, to know whether torch takes it."""
    is_call = sample.compare != "effect"
    call = f"y = call({', '.join(sample.arrays)})\n" if is_call else ""
    return {
        "example": {
            "before": sample.source + call,
            "after": None if new.grade == "refused" else new.text + call,
            "inputs": {},
            "observe": "y",
            "compare": sample.compare,
        },
        "seed": 1,
        "slack": SLACK,
        "arrays": sample.arrays,
        "gradient_of": list(sample.gradient_of),
    }


def _place(sample: Sample | Unwritten) -> float:
    """A number from 0 to 1 that depends on nothing but which sample it is."""
    name = f"{sample.database} {sample.label} {sample.form} {sample.number}"
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") / 2**32


def print_progress() -> Progress:
    """Says now and then how far a run is."""
    started = time.monotonic()

    def progress(done: int, total: int) -> None:
        if done % 1000 == 0 or done == total:
            print(f"{done}/{total} samples, {time.monotonic() - started:.0f} s", file=sys.stderr)

    return progress
