"""What becomes of files that are converted together: one decision about training steps for all of them, as they may
share networks and optimizers."""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence

from mindport.checking.analysis import Analysed
from mindport.checking.engine import Engine
from mindport.checking.held_back import files_of_steps
from mindport.checking.training import (
    ProjectSteps,
    fixed_with_steps,
    has_steps_left,
    needs_recording,
    training_steps,
    whole_steps,
)
from mindport.model.finding import Finding
from mindport.model.verdict import Applicability
from mindport.rewrite.training.recorded import met_by_recording
from mindport.rules.training_step import RULE
from mindport.source.discovery import full_path
from mindport.source.lines import LineIndex
from mindport.usage.project import Project

_SAFE = (Applicability.SAFE,)


class Conversion:
    """The conversion of the files of one part of a project. Without the project, files are converted one by one; where
    its `steps` have been looked for, they are not looked for again."""

    def __init__(
        self, files: Sequence[Analysed], project: Project | None = None, steps: ProjectSteps | None = None
    ) -> None:
        self._files = files
        self._project = project
        self._steps = steps

    @functools.cached_property
    def records(self) -> bool:
        """Whether fixes that are not safe leave training steps as they stand, and record the program."""
        return needs_recording(file.training for file in self._files)

    def fix(self, path: str, fix: Applicability | None) -> Applicability | None:
        """What the fix of a finding in a file is: safe ones are not made around a step that no safe fix converts."""
        return Applicability.UNSAFE if fix is Applicability.SAFE and self.holds_back(path) else fix

    def holds_back(self, path: str) -> bool:
        """Whether safe fixes leave a file whole, because a training step that belongs to it stays."""
        return path in self._held_back

    def fix_of_step(self, finding: Finding, file: Analysed) -> Applicability | None:
        """The fix of a finding about a training step; None of any other."""
        is_recorded = any(step.is_recorded and step.span == finding.span for step in file.training.left)
        return Applicability.UNSAFE if is_recorded and finding.rule == RULE.code else None

    def fixed_with_steps(
        self, file: Analysed, text: str, reported: Collection[int], engine: Engine
    ) -> dict[int, Applicability]:
        """The uses of a file that become something else with its training steps, by their places in FileUsage.uses, and
        what that fix is; `reported` are those with a finding."""
        usage = file.usage
        if not self.records:
            steps = whole_steps(file.training.rewrites, reported, usage, engine)
            return fixed_with_steps(steps, usage)
        if self._steps is not None:
            recorded = self._steps.of(full_path(file.path), recorded=True)
        else:
            recorded = training_steps(text, usage, engine.target, recorded=True)
        found = fixed_with_steps(whole_steps(recorded.rewrites, reported, usage, engine), usage)
        return found | dict.fromkeys(met_by_recording(usage, LineIndex(text)), Applicability.UNSAFE)

    @functools.cached_property
    def _held_back(self) -> frozenset[str]:
        """The files that safe fixes leave whole, because a training step that belongs to them stays."""
        steps = [
            full_path(file.path) for file in self._files if has_steps_left(file.training, file.usage, _SAFE)
        ]
        if not steps or self._project is None:
            return frozenset()
        group = files_of_steps(self._project, steps)
        return frozenset(file.path for file in self._files if full_path(file.path) in group)
