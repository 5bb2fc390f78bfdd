"""What a report says of training steps: why some cannot be converted, and which uses go with those that can."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from mindport.checking.engine import Engine
from mindport.model.span import Span
from mindport.model.target import Mode, Target
from mindport.model.verdict import Applicability
from mindport.rewrite.training.rewrites import StepText, TrainingRewrite, TrainingRewrites, training_rewrites
from mindport.source.syntax import shared_trees
from mindport.usage.api_use import ApiUse, FileUsage
from mindport.usage.project import Project

_BACKWARDS = ("torch.Tensor.backward", "torch.autograd.backward")


class StepLeft(msgspec.Struct, frozen=True):
    """A training step that is not written as a function, and why; `is_recorded` where the program is recorded for its
    gradients by fixes that are not safe."""

    span: Span
    reason: str
    is_recorded: bool = False

    def shifted(self, lines: int) -> StepLeft:
        """The same step, further down."""
        return msgspec.structs.replace(self, span=self.span.shifted(lines))


class TrainingSteps(msgspec.Struct, frozen=True):
    """The steps of a file that stay, and the rewrites of the others."""

    left: tuple[StepLeft, ...] = ()
    rewrites: tuple[TrainingRewrite, ...] = ()


def training_steps(text: str, usage: FileUsage, target: Target, *, recorded: bool = False) -> TrainingSteps:
    """The training steps of a file: one that stays for each function, at the statement that keeps it from being written
    as one. In a program that is `recorded` only those stay that recording does not help."""
    return _FileSteps(text, usage, target).steps(recorded=recorded)


class _FileSteps:
    """The training steps of a file, recorded or not. What is found in either way is kept, as why steps of the one stay
    is told by the other; the tree is not."""

    def __init__(self, text: str, usage: FileUsage, target: Target) -> None:
        self._text = text
        self._usage = usage
        self._target = target
        self._rewrites: dict[bool, TrainingRewrites] = {}

    def steps(self, *, recorded: bool) -> TrainingSteps:
        """The steps that stay, and the rewrites of the others."""
        source = StepText(self._text)
        found = self._found(source, recorded)
        is_eager = self._target.mode is Mode.PYNATIVE
        can_record = not recorded and is_eager and any(one.is_step for one in found.refusals)
        not_recorded = self._not_recorded(source) if can_record else ()
        left = tuple(
            StepLeft(
                one.span,
                one.reason,
                can_record and one.is_step and not any(map(one.span.overlaps, not_recorded)),
            )
            for one in found.refusals
        )
        return TrainingSteps(left, found.rewrites)

    def _not_recorded(self, source: StepText) -> tuple[Span, ...]:
        """The places of the recorded program that stay torch's all the same."""
        found = self._found(source, recorded=True)
        uses = self._usage.uses
        kept = (use.span for use in uses if use.api in _BACKWARDS and not _is_replaced(use, found.rewrites))
        return (*(one.span for one in found.refusals), *kept)

    def _found(self, source: StepText, recorded: bool) -> TrainingRewrites:
        found = self._rewrites.get(recorded)
        if found is None:
            found = training_rewrites(source, self._usage, self._target, recorded=recorded)
            self._rewrites[recorded] = found
        return found


class ProjectSteps:
    """The training steps of the files of a project that does not change any more: each file is read once."""

    def __init__(self, project: Project, target: Target) -> None:
        self._project = project
        self._target = target
        self._files: dict[str, _FileSteps] = {}
        self._found: dict[tuple[str, bool], TrainingSteps] = {}

    def of(self, path: str, *, recorded: bool = False) -> TrainingSteps:
        """The steps of the file at a full path, as `training_steps` gives them."""
        found = self._found.get((path, recorded))
        if found is None:
            file = self._files.get(path)
            if file is None:
                text, usage = self._project.text(path), self._project.usage(path)
                file = self._files[path] = _FileSteps(text, usage, self._target)
            with shared_trees():  # the tree of a file is asked for from several sides
                found = self._found[path, recorded] = file.steps(recorded=recorded)
        return found


def _is_replaced(use: ApiUse, rewrites: Collection[TrainingRewrite]) -> bool:
    return any(one.replaces(use.span) for one in rewrites)


def has_steps_left(
    steps: TrainingSteps,
    usage: FileUsage,
    allowed: Collection[Applicability],
    recorded: bool = False,
    fixed: Collection[int] = (),
) -> bool:
    """Whether training steps of a file stay torch's where only `allowed` fixes are made: because they cannot be
    followed, or their fix is not allowed; where the program is `recorded`, because a call of `backward` is not among
    the `fixed` uses."""
    is_left = bool(steps.left) or any(one.rewrite.applicability not in allowed for one in steps.rewrites)
    return is_left or (
        recorded and any(use.api in _BACKWARDS and index not in fixed for index, use in enumerate(usage.uses))
    )


def needs_recording(steps: Iterable[TrainingSteps]) -> bool:
    """Whether files that belong together, of which these are the steps, have one that cannot be followed through one
    function. Then all their steps stay as they stand where the program may be recorded, because they may share
    optimizers."""
    return any(step.is_recorded for one in steps for step in one.left)


def whole_steps(
    rewrites: Collection[TrainingRewrite], reported: Collection[int], usage: FileUsage, engine: Engine
) -> tuple[TrainingRewrite, ...]:
    """The rewrites of which every use that there is a finding for is `reported`; those of a step that comments or
    settings leave out a part of are not made. Uses are given by their places in FileUsage.uses."""
    if not rewrites:
        return ()
    left_out = [
        use.span for index, use in enumerate(usage.uses) if index not in reported and engine.assess(use).notes
    ]
    return tuple(one for one in rewrites if not any(map(one.replaces, left_out)))


def fixed_with_steps(rewrites: Collection[TrainingRewrite], usage: FileUsage) -> dict[int, Applicability]:
    """The uses that go with the steps, with what their fix is."""
    found: dict[int, Applicability] = {}
    for one in rewrites:
        for index, use in enumerate(usage.uses):
            if one.replaces(use.span):
                found[index] = one.rewrite.applicability
    return found
