"""What `mindport try` found, as a document for programs, as lines for people, and as a bundle for an issue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from mindport.config.schema import with_even_descriptions
from mindport.model.language import say
from mindport.prove.trial_outcome import (
    FORMAT,
    Attempt,
    FileLine,
    StageCount,
    Status,
    TracebackCall,
    TrialOutcome,
    TrialStage,
)
from mindport.report.program_rows import PlaceRow
from mindport.report.rows import FindingRow, TargetRow
from mindport.report.text import Painter, one_line

_NAMES_SHOWN = 3

StageWord = Literal["import", "build", "forward", "train"]
Findings = Mapping[FileLine, FindingRow]


class CallRow(msgspec.Struct, frozen=True, kw_only=True):
    """A call on the way to a failure, from outside in; the path is relative where the file lies in the port."""

    file: str
    line: int
    name: str


class AttemptRow(msgspec.Struct, frozen=True, kw_only=True):
    """One file that was imported (`kind` is import), or one entry that was run. `status` says whether it runs, fails,
    or needs what the port does not bring; `reached` are the stages that went well, `stage` is the one that it stopped
    at, `reason` the sentence for the user, `error` the last line as Python prints it. `port` and `original` are the
    place of a failure in both, `finding` what mindport says of that line of the original."""

    name: str
    file: str
    kind: Literal["import", "entry"]
    status: Literal["runs", "fails", "needs"]
    reached: tuple[StageWord, ...]
    stage: StageWord | None
    reason: str
    error: str
    port: PlaceRow | None
    original: PlaceRow | None
    finding: FindingRow | None
    calls: tuple[CallRow, ...]
    printed: str
    seconds: float


class CountRow(msgspec.Struct, frozen=True, kw_only=True):
    """How many reached a stage, of those that count for it."""

    reached: int
    wanted: int


class TrialOutput(msgspec.Struct, frozen=True, kw_only=True):
    """The whole of `mindport try --json`. `problem` is not empty where nothing could be tried."""

    format: int
    mindport: str
    python: str
    mindspore: str
    target: TargetRow
    counts: dict[StageWord, CountRow]
    attempts: tuple[AttemptRow, ...]
    problem: str


def trial_output(
    outcome: TrialOutcome, findings: Findings, target: TargetRow, mindport_version: str
) -> TrialOutput:
    """The document of an outcome; `findings` has what is said of lines of the original."""
    return TrialOutput(
        format=FORMAT,
        mindport=mindport_version,
        python=outcome.python,
        mindspore=outcome.mindspore,
        target=target,
        counts={stage.value: _count_row(outcome.count(stage)) for stage in TrialStage},
        attempts=tuple(_row(attempt, findings) for attempt in outcome.attempts),
        problem=outcome.problem,
    )


def trial_schema() -> Any:
    """The JSON schema of the document."""
    return with_even_descriptions(msgspec.json.schema(TrialOutput))


def trial_lines(
    outcome: TrialOutcome, findings: Findings, painter: Painter, has_original: bool
) -> Iterator[str]:
    """The counts, then each failure once, then what could not be tried and why."""
    counts = {stage: outcome.count(stage) for stage in TrialStage}
    yield painter.bold(
        say(
            "imports {imports}, builds {builds}, forward {forward}, trains {trains}",
            imports=_words(counts[TrialStage.IMPORT]),
            builds=_words(counts[TrialStage.BUILD]),
            forward=_words(counts[TrialStage.FORWARD]),
            trains=_words(counts[TrialStage.TRAIN]),
        )
    )
    for attempt, number in outcome.distinct_failures():
        yield from _failure_lines(attempt, number, findings, painter, has_original)
    needy: dict[str, dict[str, None]] = {}
    for attempt in outcome.attempts:
        if attempt.status is Status.NEEDS:
            needy.setdefault(attempt.reason, {})[attempt.name] = None
    for reason, names in needy.items():
        yield f"{painter.severity('?', 'warning')} {_listed(list(names))}: {one_line(reason)}"
    entries = [attempt for attempt in outcome.attempts if attempt.is_entry]
    for attempt in entries:
        if attempt.status is Status.RUNS and TrialStage.TRAIN not in attempt.reached:
            yield painter.dim(f"  {attempt.name}: {_end_of(attempt)}")
    if not entries:
        yield say("no script to run was found: name one with --entry")


def _failure_lines(
    attempt: Attempt, number: int, findings: Findings, painter: Painter, has_original: bool
) -> Iterator[str]:
    assert attempt.stage is not None
    place = attempt.original or attempt.port
    where = f"{place}: " if place is not None else ""
    text = _reason(attempt)
    yield f"{painter.severity(_stage_words(attempt.stage), 'error')} {attempt.name}: {painter.bold(where)}{text}"
    if number > 1:
        yield "  " + say("and {number} more at the same place", number=number - 1)
    if attempt.original is None or attempt.port is None:
        return
    if (attempt.original.file, attempt.original.line) != (attempt.port.file, attempt.port.line):
        yield "  " + say("in the port: {place}", place=attempt.port)
    finding = findings.get(attempt.original)
    if finding is not None:
        yield f"  {finding.code}: {one_line(finding.message)}"
    elif has_original:
        yield "  " + say("no finding: please report (--bundle FILE writes what an issue needs)")


def failure_text(attempt: Attempt) -> str:
    """A failure in one line, for who shows its place in another way."""
    assert attempt.stage is not None
    return f"{attempt.name} {_stage_words(attempt.stage)}: {_reason(attempt)}"


def _reason(attempt: Attempt) -> str:
    text = one_line(attempt.reason or attempt.error)
    if attempt.reason and attempt.error != attempt.reason:
        return f"{text}: {one_line(attempt.error)}"
    return text


def _stage_words(stage: TrialStage) -> str:
    return {
        TrialStage.IMPORT: say("does not import"),
        TrialStage.BUILD: say("does not build"),
        TrialStage.FORWARD: say("fails in the forward pass"),
        TrialStage.TRAIN: say("fails in training"),
    }[stage]


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:_NAMES_SHOWN])
    if len(names) <= _NAMES_SHOWN:
        return shown
    return say("{names} and {number} more", names=shown, number=len(names) - _NAMES_SHOWN)


def _end_of(attempt: Attempt) -> str:
    if TrialStage.FORWARD in attempt.reached:
        return say("ran to its end; no step of an optimizer was seen")
    if TrialStage.BUILD in attempt.reached:
        return say("ran to its end; no network was called (give --input with an expression)")
    return say("ran to its end; it built no network")


def _words(count: StageCount) -> str:
    return f"{count.reached}/{count.wanted}"


def _row(attempt: Attempt, findings: Findings) -> AttemptRow:
    return AttemptRow(
        name=attempt.name,
        file=attempt.file,
        kind="entry" if attempt.is_entry else "import",
        status=attempt.status.value,
        reached=tuple(stage.value for stage in attempt.reached),
        stage=attempt.stage.value if attempt.stage is not None else None,
        reason=attempt.reason,
        error=attempt.error,
        port=_place_row(attempt.port),
        original=_place_row(attempt.original),
        finding=findings.get(attempt.original) if attempt.original is not None else None,
        calls=tuple(_call_row(call) for call in attempt.calls),
        printed=attempt.printed,
        seconds=attempt.seconds,
    )


def _place_row(place: FileLine | None) -> PlaceRow | None:
    return PlaceRow(file=place.file, line=place.line) if place is not None else None


def _call_row(call: TracebackCall) -> CallRow:
    return CallRow(file=call.file, line=call.line, name=call.name)


def _count_row(count: StageCount) -> CountRow:
    return CountRow(reached=count.reached, wanted=count.wanted)
