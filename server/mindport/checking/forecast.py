"""Predicts of each program of a project how far it comes after a port with all fixes: whether its files are imported,
its networks built and run, and the program trains. Read from the code alone, before anything is changed."""

from __future__ import annotations

import functools
import logging
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping

from mindport.checking.engine import Engine
from mindport.checking.left_behind import Left, LeftUses
from mindport.checking.program_forecast import RANK, Answer, Cause, ProgramForecast, StageForecast
from mindport.checking.training import ProjectSteps
from mindport.model.language import say
from mindport.source.discovery import shown_path
from mindport.usage.programs.reach import EntryProgram, Programs, Reached, Stage
from mindport.usage.programs.steps import Doing
from mindport.usage.project import Project

_LOG = logging.getLogger(__name__)

# What nobody starts to train or to use a network.
_NO_PROGRAM = re.compile(
    r"(^|/)(tests?|testing|docs?|\.github)/|(^|/)(setup|conftest|noxfile|test_\w+|\w+_test)\.py$|\.ipynb$"
)

_OF_GPUS = ("torch.cuda.", "torch.nn.parallel.", "torch.nn.DataParallel.", "apex.")


class Forecasts:
    """The forecasts of the programs of a project with these training steps."""

    def __init__(self, project: Project, engine: Engine, steps: ProjectSteps) -> None:
        self._project = project
        self._engine = engine
        self._steps = steps
        self._is_about_torch = any("torch" in project.text(path) for path in project.paths())

    def of(self, files: Mapping[str, str]) -> dict[str, ProgramForecast]:
        """The forecast of every program among files that are ported together (full path -> path as the user knows it),
        by the latter; where there is none, of every package among them. What mindport fails on has none."""
        known = [
            path
            for path in files
            if path in self._paths and not _NO_PROGRAM.search(path.removeprefix(self._project.root))
        ]
        if not self._is_about_torch or not known:
            return {}
        left = LeftUses(self._project, self._engine, self._steps, self._paths.intersection(files))
        found: dict[str, ProgramForecast] = {}
        with self._engine.speaking():
            for path in known:
                try:
                    one = self._programs.follow(path) if self._programs.is_program(path) else None
                    self._add(one, left, files, found)
                except Exception:  # noqa: BLE001  a forecast is an extra: the findings of the file stand without it
                    self._give_up(path)
            for path in _packages(known) if not found else ():
                try:
                    folder = posixpath.dirname(path)
                    below = [one for one in known if one.startswith(f"{folder}/")]
                    self._add(self._programs.follow_package(path, below), left, files, found)
                except Exception:  # noqa: BLE001
                    self._give_up(path)
        return found

    def _add(
        self,
        one: EntryProgram | None,
        left: LeftUses,
        files: Mapping[str, str],
        found: dict[str, ProgramForecast],
    ) -> None:
        forecast = _forecast(one, files[one.path], left, files) if one is not None else None
        if forecast is not None:
            found[forecast.path] = forecast

    def _give_up(self, path: str) -> None:
        _LOG.exception("no forecast of %s", path)
        self._project.start_over()

    @functools.cached_property
    def _programs(self) -> Programs:
        return self._project.programs()

    @functools.cached_property
    def _paths(self) -> frozenset[str]:
        return frozenset(self._project.paths())


def _packages(files: Collection[str]) -> Iterator[str]:
    """The files that make the outermost packages."""
    folders = {posixpath.dirname(path): path for path in files if path.endswith("/__init__.py")}
    return (path for folder, path in folders.items() if posixpath.dirname(folder) not in folders)


def _forecast(
    program: EntryProgram, path: str, left: LeftUses, names: Mapping[str, str]
) -> ProgramForecast | None:
    """The forecast of one program; None for one that has nothing of torch."""
    if not any(one.step.doing is Doing.USE for one in program.reached):
        return None
    obstacles = list(_obstacles(program, left, names))
    last = Stage.TRAIN if program.trains else Stage.FORWARD
    stages: list[StageForecast] = []
    reached = Answer.EXPECTED
    cause: Cause | None = None
    for stage in Stage:
        if stage > last:
            break
        here = [(answer, one) for at, answer, one in obstacles if min(at, last) is stage]
        for answer in (Answer.UNKNOWN, Answer.WILL_NOT):
            first = next((one for found, one in here if found is answer), None)
            if first is not None and RANK[answer] > RANK[reached]:
                reached, cause = answer, first
        stages.append(StageForecast(stage, reached, cause))
    return ProgramForecast(path, tuple(stages))


def _obstacles(
    program: EntryProgram, left: LeftUses, names: Mapping[str, str]
) -> Iterator[tuple[Stage, Answer, Cause]]:
    """What may keep the program from going on, in the order in which it comes to it."""
    for path in program.files:
        for answer, at_import in (
            (Answer.WILL_NOT, left.kept_import(path)),
            (Answer.UNKNOWN, left.imported_library(path)),
        ):
            if at_import is not None:
                span, what, why = at_import
                cause = Cause(names.get(path) or shown_path(path), span.line, what, why)
                yield Stage.IMPORT, answer, cause
    for one in program.reached:
        if left.is_for_cpu and (one.step.needs_gpu or _asks_for_gpus(one, left)):
            continue
        found = _obstacle(one, left)
        if found is not None:
            answer, what, why = found
            stage = one.stage
            if (
                not one.is_inside
                and one.step.doing is Doing.USE
                and left.is_mention(one.path, one.step.index)
            ):
                stage = max(stage, Stage.BUILD)  # a stand-in takes its place when the file is imported
                if one.step.derived and not program.may_make(one.path, one.step.derived):
                    continue
            yield stage, answer, Cause(names.get(one.path) or shown_path(one.path), one.span.line, what, why)


def _asks_for_gpus(one: Reached, left: LeftUses) -> bool:
    """Whether a step that the program may pass by is of what torch can do on GPUs alone: the program that ran on a CPU
    has passed by."""
    if one.is_certain or one.step.doing is not Doing.USE:
        return False
    _, api, _ = left.state(one.path, one.step.index)
    return api.startswith(_OF_GPUS)


def _obstacle(one: Reached, left: LeftUses) -> tuple[Answer, str, str] | None:
    step = one.step
    if step.doing is Doing.BY_NAME:
        return Answer.UNKNOWN, step.name, say("what it runs is found by its name when the program runs")
    if step.doing is Doing.METHOD:
        if left.is_method_of_torch_alone(step.name):
            return (
                Answer.UNKNOWN,
                f".{step.name}()",
                say("a method of torch's tensors, of a value of unknown type"),
            )
        return None
    state, what, why = left.state(one.path, step.index)
    if state is Left.READY:
        return None
    if state is Left.STAYS and one.is_certain and (one.is_inside or one.stage is not Stage.IMPORT):
        return Answer.WILL_NOT, what, why
    return Answer.UNKNOWN, what, why
