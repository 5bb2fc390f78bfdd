"""One round of fixing one file: the best allowed rewrite of every reported use, all made at once."""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence

import msgspec

from mindport.check.engine import Engine
from mindport.check.file_report import raw_findings, reported
from mindport.check.half_converted import whole_calls_only
from mindport.check.suppression import apply_suppressions, find_suppressions
from mindport.config.rule_filter import RuleFilter
from mindport.model.span import Edit
from mindport.model.verdict import Applicability
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose
from mindport.rewrite.pieces import Rewrite
from mindport.rewrite.propose import propose
from mindport.source.lines import LineIndex
from mindport.source.text import SourceText
from mindport.usage.api_use import FileUsage


class Fixer(msgspec.Struct, frozen=True):
    """What decides which fixes are made; `lines`, where set, are the only ones whose uses are fixed."""

    engine: Engine
    rules: RuleFilter
    unsafe: bool = False
    lines: range | None = None

    @property
    def allowed(self) -> tuple[Applicability, ...]:
        """The fixes that may be applied; those that are only shown never are."""
        return (Applicability.SAFE, Applicability.UNSAFE) if self.unsafe else (Applicability.SAFE,)


class Round(msgspec.Struct, frozen=True):
    """A text after one round, and the places in FileUsage.uses of what was fixed."""

    text: str
    fixed_uses: frozenset[int]


def fix_once(
    path: str, source: SourceText, usage: FileUsage, fixer: Fixer, taken: frozenset[str] = frozenset()
) -> Round | None:
    """Make all fixes at once; None if nothing changes. The result parses, or nothing is changed. Other files
    import the names in `taken` from this one."""
    rewrites = wanted_rewrites(path, source.text, usage, fixer)
    if not rewrites:
        return None
    edits = compose(source.text, rewrites.values(), usage, path, taken)
    text = apply_edits(source.text, edits, source.newline)
    return None if text == source.text else Round(text, _touched(rewrites, edits))


def wanted_rewrites(path: str, text: str, usage: FileUsage, fixer: Fixer) -> dict[int, Rewrite]:
    """The best allowed rewrite of each use with a reported finding, by its place in FileUsage.uses. What
    rules or suppression comments leave out is not fixed."""
    engine = fixer.engine
    left = apply_suppressions(raw_findings(usage, engine), find_suppressions(text))
    indexes = dict.fromkeys(
        finding.use_index for finding in reported(left.findings, fixer.rules, path) if finding.use_index >= 0
    )
    lines = LineIndex(text)
    found: dict[int, Rewrite] = {}
    for index in indexes:
        use = usage.uses[index]
        if fixer.lines is not None and use.span.line not in fixer.lines:
            continue
        assessment = engine.assess(use)
        if assessment.fix not in fixer.allowed:
            continue
        for rewrite in propose(use, assessment.judgement, lines, engine.torch, engine.mindspore):
            if rewrite.applicability in fixer.allowed:
                found[index] = rewrite
                break
    return whole_calls_only(found, usage.uses, engine)


def _touched(rewrites: Mapping[int, Rewrite], edits: Sequence[Edit]) -> frozenset[int]:
    """The uses that an edit lies in. What compose left out keeps its text."""
    spans = sorted(edit.span for edit in edits)
    touched = set()
    for index, rewrite in rewrites.items():
        # Edits do not overlap: if the first one behind the start ends behind the end, none is inside.
        place = bisect.bisect_left(spans, rewrite.span.start, key=lambda span: span.start)
        if place < len(spans) and spans[place].end <= rewrite.span.end:
            touched.add(index)
    return frozenset(touched)
