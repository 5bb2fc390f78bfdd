"""One round of fixing one file: the best allowed rewrite of every reported use, all made at once."""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from mindport.checking.engine import Engine
from mindport.checking.findings import findings_about
from mindport.checking.fixed_shapes import shape_fixes
from mindport.checking.half_converted import whole_calls_only
from mindport.checking.reporter import reported
from mindport.checking.suppression import apply_suppressions, find_suppressions
from mindport.checking.training import whole_steps
from mindport.config.rule_filter import RuleFilter
from mindport.model.span import Edit, Span
from mindport.model.target import Mode
from mindport.model.verdict import Applicability
from mindport.registry.torch import torch_facts
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose
from mindport.rewrite.feature_tests import asks_for_features
from mindport.rewrite.flags_left_out import without_gradient_flag_in
from mindport.rewrite.helper_module import helper_places
from mindport.rewrite.in_place_chains import chained_statements, in_place_chains
from mindport.rewrite.pieces import Rewrite
from mindport.rewrite.propose import propose
from mindport.rewrite.training.recorded import (
    is_written_by_recording,
    met_by_recording,
    recorded_leaf,
    recorded_optimizer,
    recorded_parameter,
)
from mindport.rewrite.training.recorded_writes import recorded_write
from mindport.rewrite.training.rewrites import TrainingRewrite, training_rewrites
from mindport.source.lines import LineIndex
from mindport.source.text import SourceText
from mindport.usage.api_use import ApiUse, FileUsage, Form, ResultUse
from mindport.usage.gradient_flags import without_gradient_flag
from mindport.usage.project_signs import GRADIENTS

_ANY = (Applicability.SAFE, Applicability.UNSAFE)


class Fixer(msgspec.Struct, frozen=True):
    """What decides which fixes are made; `lines`, where set, are the only ones whose uses are fixed. `records`: whether
    training steps stay as they stand, and the program is recorded for their gradients."""

    engine: Engine
    rules: RuleFilter
    unsafe: bool = False
    lines: range | None = None
    records: bool = False

    @property
    def allowed(self) -> tuple[Applicability, ...]:
        """The fixes that may be applied; those that are only shown never are."""
        return _ANY if self.unsafe else (Applicability.SAFE,)


class Round(msgspec.Struct, frozen=True):
    """A text after one round of `count` fixes; the places in FileUsage.uses of what was fixed or is gone, of what went
    with training steps and of what stays as it is because the program is recorded, and where code got a fixed shape."""

    text: str
    count: int
    fixed_uses: frozenset[int]
    uses_of_steps: frozenset[int]
    uses_of_recording: frozenset[int]
    fixed_shapes: frozenset[Span]


def fix_once(
    path: str, source: SourceText, usage: FileUsage, fixer: Fixer, taken: frozenset[str] = frozenset()
) -> Round | None:
    """Make all fixes at once; None if nothing changes. The result parses, or nothing is changed. Other files
    import the names in `taken` from this one."""
    indexes = reported_uses(path, source.text, usage, fixer)
    training = wanted_training(indexes, source.text, usage, fixer)
    in_steps = {(one.rewrite.span, one.rewrite.api) for one in training}
    wanted = wanted_rewrites(indexes, source.text, usage, fixer)
    rewrites = {index: one for index, one in wanted.items() if (one.span, one.api) not in in_steps}
    shapes = wanted_shapes(path, source.text, usage, fixer)
    chains = wanted_chains(indexes, source.text, usage, fixer)
    is_whole = fixer.lines is None
    if not rewrites and not training and not shapes and not (is_whole and asks_for_features(source.text)):
        return None
    # What is written with a fixed shape or line by line comes first: of two rewrites of one call the next round makes
    # the other.
    every = [*shapes.values(), *chains, *rewrites.values(), *(one.rewrite for one in training)]
    edits = compose(source.text, every, usage, path, taken, is_whole=is_whole)
    text = apply_edits(source.text, edits, source.newline)
    if text == source.text:
        return None
    made = touched(rewrites, edits) | written_inside(rewrites, edits, source.text)
    of_steps = _replaced(training, usage, edits)
    of_recording = met_by_recording(usage, LineIndex(source.text)) if fixer.records else frozenset[int]()
    of_recording -= made | of_steps
    fixed = made | of_steps | of_recording
    shaped = touched(shapes, edits)
    gone = frozenset(_written_over([shapes[span] for span in shaped], usage))
    split = [chains[place] for place in touched(dict(enumerate(chains)), edits)]
    dropped = _dropped([*(rewrites[index] for index in made), *split], source.text, usage)
    count = len(fixed - gone) + len(shaped)
    return Round(text, count, fixed | gone | dropped, of_steps, of_recording, shaped)


def reported_uses(path: str, text: str, usage: FileUsage, fixer: Fixer) -> tuple[int, ...]:
    """The places in FileUsage.uses of all uses with a finding that neither rules nor suppression comments leave out.
    Helpers, which earlier rounds wrote, are MindSpore's code."""
    helpers = helper_places(text)
    raw = [
        msgspec.structs.replace(finding, use_index=index)
        for index, use in enumerate(usage.uses)
        if not any(place.encloses(use.span) for place in helpers)
        for finding in findings_about(use, fixer.engine)
    ]
    raw.sort(
        key=lambda finding: (finding.span, finding.rule)
    )  # of two rewrites of one place the first is made
    left = apply_suppressions(raw, find_suppressions(text), fixer.engine.today)
    kept = reported(left.findings, fixer.rules, path)
    return tuple(dict.fromkeys(finding.use_index for finding in kept if finding.use_index >= 0))


def wanted_training(
    indexes: Collection[int], text: str, usage: FileUsage, fixer: Fixer
) -> tuple[TrainingRewrite, ...]:
    """The allowed rewrites of training steps, as far as every use in them that there is a finding for is among
    `indexes`."""
    found = training_rewrites(text, usage, fixer.engine.target, recorded=fixer.records).rewrites
    return tuple(
        one
        for one in whole_steps(found, frozenset(indexes), usage, fixer.engine)
        if one.rewrite.applicability in fixer.allowed
        and (fixer.lines is None or all(place.line in fixer.lines for place in one.statements))
    )


def wanted_rewrites(indexes: Iterable[int], text: str, usage: FileUsage, fixer: Fixer) -> dict[int, Rewrite]:
    """The best allowed rewrite of each of the uses at `indexes` in FileUsage.uses, by that place."""
    lines = LineIndex(text)
    found: dict[int, Rewrite] = {}
    for index in indexes:
        use = usage.uses[index]
        if fixer.lines is not None and use.span.line not in fixer.lines:
            continue
        rewrite = _best_rewrite(use, lines, fixer)
        if rewrite is not None:
            found[index] = rewrite
    return whole_calls_only(found, usage.uses, fixer.engine)


def wanted_chains(indexes: Iterable[int], text: str, usage: FileUsage, fixer: Fixer) -> tuple[Rewrite, ...]:
    """The statements that call several in-place methods and can have each in a line of its own, by allowed rewrites of
    uses at `indexes`."""
    in_place = (use for index in indexes if (use := usage.uses[index]).api.endswith("_"))
    methods = {use.call.span: use for use in in_place if use.call is not None and use.receiver is not None}
    if len(methods) < 2:
        return ()
    lines = LineIndex(text)
    found = []
    for chain in in_place_chains(text, lines):
        if fixer.lines is not None and chain.span.line not in fixer.lines:
            continue
        rewrites = [
            _best_rewrite(
                msgspec.structs.replace(methods[call], result=ResultUse.DISCARDED, receiver=chain.name),
                lines,
                fixer,
            )
            for call in chain.calls
            if call in methods
        ]
        written = [rewrite for rewrite in rewrites if rewrite is not None]
        whole = chained_statements(chain, written, lines) if len(written) == len(chain.calls) else None
        if whole is not None:
            found.append(whole)
    return tuple(found)


def _best_rewrite(use: ApiUse, lines: LineIndex, fixer: Fixer) -> Rewrite | None:
    engine = fixer.engine
    asked = use
    # recorded_leaf asks for the gradients, or nothing does
    if use.call is not None and (fixer.records or _is_flag_idle(use, fixer)):
        use = msgspec.structs.replace(use, call=without_gradient_flag(use.api, use.call))
    assessment = engine.assess(use)
    if assessment.fix not in fixer.allowed or (fixer.records and is_written_by_recording(use)):
        return None
    proposed = propose(use, assessment.judgement, lines, engine.torch, engine.mindspore)
    best = next((one for one in proposed if one.applicability in fixer.allowed), None)
    if best is not None and use is not asked and asked.call is not None:
        best = without_gradient_flag_in(best, asked.api, asked.call)
    if best is None:
        return None
    if use.form is not Form.CALL:
        is_eager = engine.target.mode is Mode.PYNATIVE
        best = recorded_write(best, use, lines, recorded=fixer.records, eager=is_eager)
    if not fixer.records:
        return best if use == asked else _as_unsafe(best)
    if torch_facts().is_optimizer_class(use.api) and use.form in (Form.CALL, Form.VALUE, Form.BASE_CLASS):
        return recorded_optimizer(best, is_base=use.form is Form.BASE_CLASS)
    if use.api == "torch.nn.Parameter":
        return recorded_parameter(best, asked, lines)
    return recorded_leaf(best, asked)


def _is_flag_idle(use: ApiUse, fixer: Fixer) -> bool:
    """Whether nobody in the project reads the gradient that a tensor is made with `requires_grad` for. An optimizer
    that gets the tensor has the program recorded."""
    return Applicability.UNSAFE in fixer.allowed and GRADIENTS not in use.signs


def _as_unsafe(rewrite: Rewrite) -> Rewrite:
    return msgspec.structs.replace(rewrite, applicability=Applicability.UNSAFE)


def wanted_shapes(path: str, text: str, usage: FileUsage, fixer: Fixer) -> dict[Span, Rewrite]:
    """The allowed rewrites of places that come to have a fixed shape, by the spans of their findings."""
    engine = fixer.engine
    found = {
        span: one
        for span, one in shape_fixes(text, usage, engine).items()
        if one.rewrite.applicability in fixer.allowed and (fixer.lines is None or span.line in fixer.lines)
    }
    if not found:
        return {}
    raw = [finding for one in found.values() for finding in findings_about(one.place, engine)]
    left = apply_suppressions(raw, find_suppressions(text), fixer.engine.today)
    kept = reported(left.findings, fixer.rules, path)
    return {finding.span: found[finding.span].rewrite for finding in kept}


def _written_over(rewrites: Iterable[Rewrite], usage: FileUsage) -> dict[int, Rewrite]:
    """The places of the uses that are no more after the rewrites, those in them but not in their holes, each with the
    rewrite."""
    in_order = sorted(range(len(usage.uses)), key=lambda index: usage.uses[index].span.start)
    starts = [usage.uses[index].span.start for index in in_order]
    found: dict[int, Rewrite] = {}
    for rewrite in rewrites:
        first = bisect.bisect_left(starts, rewrite.span.start)
        for index in in_order[first : bisect.bisect_right(starts, rewrite.span.end)]:
            span = usage.uses[index].span
            if rewrite.span.encloses(span) and not any(hole.encloses(span) for hole in rewrite.holes):
                found[index] = rewrite
    return found


def _dropped(rewrites: Iterable[Rewrite], text: str, usage: FileUsage) -> frozenset[int]:
    """The uses in arguments that the rewrites leave out: nothing of what is written names them."""
    lines = LineIndex(text)
    return frozenset(
        index
        for index, rewrite in _written_over(rewrites, usage).items()
        if not any(
            lines.slice(usage.uses[index].span) in piece for piece in rewrite.pieces if isinstance(piece, str)
        )
    )


def _replaced(training: Iterable[TrainingRewrite], usage: FileUsage, edits: Sequence[Edit]) -> frozenset[int]:
    """The uses in the statements that rewritten training steps do away with."""
    found = set()
    for one in training:
        if all(any(edit.span.overlaps(gone) for edit in edits) for gone in one.statements):
            found |= {index for index, use in enumerate(usage.uses) if one.replaces(use.span)}
    return frozenset(found)


_Key = TypeVar("_Key")


def written_inside(rewrites: Mapping[_Key, Rewrite], edits: Sequence[Edit], text: str) -> frozenset[_Key]:
    """The keys of the rewrites that stand as they are written in an edit of what is around them: `labels[index, ...]`
    in a statement that is written anew as a whole."""
    lines = LineIndex(text)
    in_order = sorted(edits, key=lambda edit: edit.span.start)
    found = set()
    for key, rewrite in rewrites.items():
        # Edits do not overlap: only the last one that begins before the rewrite can be around it.
        place = bisect.bisect_right(in_order, rewrite.span.start, key=lambda edit: edit.span.start)
        around = in_order[place - 1] if place else None
        if around is None or not around.span.encloses(rewrite.span):
            continue
        if not all(isinstance(piece, (str, Span)) for piece in rewrite.pieces):
            continue
        written = "".join(
            lines.slice(piece) if isinstance(piece, Span) else str(piece) for piece in rewrite.pieces
        )
        before = lines.slice(rewrite.span)
        if written in around.text and (before in written or before not in around.text):
            found.add(key)
    return frozenset(found)


def _is_within(span: Span, hole: Span) -> bool:
    """Whether an edit changes what is in a hole; what is put in at its border is not."""
    return hole.encloses(span) and span.start != span.end


def touched(rewrites: Mapping[_Key, Rewrite], edits: Sequence[Edit]) -> frozenset[_Key]:
    """The keys of the rewrites that an edit lies in, and not in a hole of theirs, where another rewrite may have made
    it. What compose left out keeps its text."""
    spans = sorted(edit.span for edit in edits)
    found = set()
    for key, rewrite in rewrites.items():
        holes = [piece for piece in rewrite.pieces if isinstance(piece, Span)]
        # Edits do not overlap: if the first one behind the start ends behind the end, none is inside.
        place = bisect.bisect_left(spans, rewrite.span.start, key=lambda span: span.start)
        while place < len(spans) and spans[place].end <= rewrite.span.end:
            if not any(_is_within(spans[place], hole) for hole in holes):
                found.add(key)
                break
            place += 1
    return frozenset(found)
