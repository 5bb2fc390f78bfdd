"""A text after its fixes, and what is left to say of it."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from mindport.checking.engine import Engine
from mindport.checking.fixed_shapes import is_about_shape
from mindport.checking.outcome import FileReport
from mindport.model.finding import Finding, Severity
from mindport.model.language import say
from mindport.model.span import Span
from mindport.model.verdict import Applicability
from mindport.registry.torch import TorchKind, torch_facts
from mindport.rewrite.learning_rates import READERS, places_of_rates
from mindport.source.comments import without_comments
from mindport.source.lines import LineIndex


class FixedText(msgspec.Struct, frozen=True):
    """A text after its fixes, how many were applied; of those that were fixed in the text as it was the places in
    FileUsage.uses, those that went with training steps, those that stay as they are as the program is recorded, and
    where code got a fixed shape."""

    text: str
    applied: int = 0
    fixed_uses: frozenset[int] = frozenset()
    uses_of_steps: frozenset[int] = frozenset()
    uses_of_recording: frozenset[int] = frozenset()
    fixed_shapes: frozenset[Span] = frozenset()


def what_is_left(
    report: FileReport, before: str, result: FixedText, engine: Engine, still_used: Collection[str]
) -> FileReport:
    """The findings of the text `before` that were not fixed; `still_used` names what of torch the text after the fixes
    uses. Taken from the first look at the file: once a part of it is MindSpore code, a second look knows less of the
    values that flow through it."""
    lines = LineIndex(before)
    code = without_comments(result.text)  # which may show how it was
    pairs = [
        (finding, fix)
        for finding, fix in zip(report.findings, report.fixes, strict=True)
        if finding.use_index not in result.fixed_uses
        and not (finding.span in result.fixed_shapes and is_about_shape(finding, engine))
        # Where a later round fixed what an earlier one had moved, or made possible, its words are gone.
        and (
            (fix is None and not _is_of_a_module(finding))
            or not result.applied
            or lines.slice(finding.span) in code
            # What stands in its arguments may have been fixed, and itself not.
            or (finding.api in still_used and _is_of_a_module(finding))
        )
    ]
    return msgspec.structs.replace(
        report,
        findings=tuple(finding for finding, _ in pairs),
        fixes=tuple(fix for _, fix in pairs),
    )


def without_rates_made_numbers(report: FileReport, before: str, result: FixedText) -> FileReport:
    """A report on the text `before` without what it says of rates that are tensors where the text after the fixes reads
    them as numbers."""
    readings = [one for one in report.findings if one.api.rpartition(".")[2] in READERS]
    if not readings or not result.applied:
        return report
    lines, places = LineIndex(before), places_of_rates(before)
    met = {
        id(one)
        for one in readings
        if any(start <= lines.offset(one.span.start) < end for start, end in places)
    }
    pairs = [pair for pair in zip(report.findings, report.fixes, strict=True) if id(pair[0]) not in met]
    return msgspec.structs.replace(
        report, findings=tuple(one for one, _ in pairs), fixes=tuple(fix for _, fix in pairs)
    )


def _is_of_a_module(finding: Finding) -> bool:
    """Whether a finding is about a name in a module of torch: those words are nobody's receiver, which other fixes
    change."""
    if finding.use_index < 0:
        return False
    return torch_facts().kind(finding.api.rpartition(".")[0]) is TorchKind.MODULE


def met_by_unsafe_fixes(report: FileReport, left: FileReport, result: FixedText) -> tuple[Finding, ...]:
    """The findings that are no longer left and were met by more than a safe fix of their own: by an unsafe one, or as a
    part of a training step. The uses of steps all say that the step is what to look at; what stays as it is written,
    because a recorded program has it, too, needs no look."""
    kept = set(map(id, left.findings))
    return tuple(
        _about_the_step(finding) if finding.use_index in result.uses_of_steps else finding
        for finding, fix in zip(report.findings, report.fixes, strict=True)
        if id(finding) not in kept
        and finding.use_index not in result.uses_of_recording
        and (fix is Applicability.UNSAFE or (fix is None and finding.severity > Severity.HINT))
    )


def _about_the_step(finding: Finding) -> Finding:
    message = say("a part of a training step, which was written anew: compare the step as a whole")
    return msgspec.structs.replace(finding, message=message)
