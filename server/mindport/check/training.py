"""What a report says of training steps: why some cannot be converted, and which uses go with those that can."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from mindport.check.engine import Engine
from mindport.model.finding import Finding
from mindport.model.target import Mode
from mindport.model.verdict import Applicability
from mindport.rewrite.training.rewrites import Refusal, TrainingRewrite, training_rewrites
from mindport.rules.training_step import RULE, message
from mindport.usage.api_use import FileUsage


class TrainingSteps(msgspec.Struct, frozen=True):
    """The findings about the steps of a file that stay, and the rewrites of the others."""

    findings: tuple[Finding, ...] = ()
    rewrites: tuple[TrainingRewrite, ...] = ()


def training_steps(text: str, usage: FileUsage, engine: Engine, *, recorded: bool = False) -> TrainingSteps:
    """The training steps of a file, in a program that is `recorded` or not. There is one finding for each function with
    a step that stays, at the statement that keeps it from being converted."""
    found = training_rewrites(text, usage, engine.target, recorded=recorded)
    return TrainingSteps(tuple(_finding(one, engine) for one in found.refusals), found.rewrites)


def has_steps_left(
    steps: TrainingSteps,
    usage: FileUsage,
    allowed: Collection[Applicability],
    recorded: bool,
    fixed: Collection[int],
) -> bool:
    """Whether training steps of a file stay torch's where only `allowed` fixes are made: because they cannot be
    followed, or their fix is not allowed; where the program is `recorded`, because a call of `backward` is not among
    the `fixed` uses."""
    is_left = bool(steps.findings) or any(one.rewrite.applicability not in allowed for one in steps.rewrites)
    return is_left or (
        recorded
        and any(
            use.api == "torch.Tensor.backward" and index not in fixed for index, use in enumerate(usage.uses)
        )
    )


def needs_recording(files: Iterable[tuple[str, FileUsage]], engine: Engine) -> bool:
    """Whether files that belong together, each with its text and usage, have a training step that cannot be followed
    through one function. Then all their steps stay as they stand, because they may share optimizers."""
    if engine.target.mode is not Mode.PYNATIVE:
        return False
    return any(
        refusal.is_step
        for text, usage in files
        for refusal in training_rewrites(text, usage, engine.target).refusals
    )


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


def fixed_with_steps(
    rewrites: Collection[TrainingRewrite], usage: FileUsage, engine: Engine
) -> dict[int, Applicability]:
    """The uses that go with the steps, with what their fix is."""
    found: dict[int, Applicability] = {}
    for one in rewrites:
        for index, use in enumerate(usage.uses):
            if one.replaces(use.span):
                found[index] = one.rewrite.applicability
    return found


def _finding(refusal: Refusal, engine: Engine) -> Finding:
    target = engine.target
    with engine.speaking():
        text = message(refusal.reason, target)
    return Finding(RULE.code, RULE.severity_in(target.mode), refusal.span, text)
