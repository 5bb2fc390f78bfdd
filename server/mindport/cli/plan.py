"""From paths and options to what a run has to do: which files, with which settings, for which target."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import msgspec

from mindport.checking.files_by_settings import FilesBySettings
from mindport.cli.language import speak_as, terminal_language, texts_of
from mindport.config.load import LoadedSettings, SettingsFinder
from mindport.config.target import resolve_target
from mindport.model.language import speaking, spoken
from mindport.model.target import Target
from mindport.report.rows import TargetRow
from mindport.source.discovery import discover
from mindport.source.problem import Problem, ProblemKind
from mindport.source.text import SourceText, decode_source

STANDARD_INPUT = "-"


class Group(msgspec.Struct, frozen=True):
    """Files that share their settings, and so their target."""

    loaded: LoadedSettings
    target: Target
    reasons: tuple[str, ...]
    files: tuple[str, ...]
    overlay: dict[str, SourceText] = {}  # texts that are not on the disk: standard input

    @property
    def target_row(self) -> TargetRow:
        """The target as the outputs name it."""
        return TargetRow.of(self.loaded.root, self.target, self.reasons)


class RunPlan(msgspec.Struct, frozen=True):
    """All that a run has to do, and what could not be found or walked."""

    groups: tuple[Group, ...]
    problems: tuple[Problem, ...]

    @property
    def file_count(self) -> int:
        """How many files there are in all."""
        return sum(len(group.files) for group in self.groups)

    @property
    def missing(self) -> tuple[Problem, ...]:
        """The paths that were named and are not there."""
        return tuple(problem for problem in self.problems if problem.kind is ProblemKind.MISSING)

    @property
    def unreadable(self) -> tuple[Problem, ...]:
        """What is there but could not be walked or decoded."""
        return tuple(problem for problem in self.problems if problem.kind is not ProblemKind.MISSING)


def plan_run(
    paths: Sequence[str],
    overrides: dict[str, object],
    config_file: str | None = None,
    stdin_filename: str | None = None,
) -> RunPlan:
    """Find the files under `paths` (the current directory if there are none) and the settings of each. The
    path `-` is standard input, called `stdin_filename`. From then on the command speaks the language of
    the settings. Raises ConfigurationError."""
    finder = SettingsFinder(overrides, "command line", config_file, terminal_language())
    sorted_files = FilesBySettings(finder)
    overlay: dict[str, SourceText] = {}
    problems: list[Problem] = []
    for path in paths or (".",):
        if path == STANDARD_INPUT:
            source = decode_source(sys.stdin.buffer.read(), stdin_filename or "stdin.py")
            if isinstance(source, Problem):
                problems.append(source)
            else:
                overlay[source.path] = source
                sorted_files.add(source.path)
            continue
        directory = path if os.path.isdir(path) else os.path.dirname(path) or "."  # noqa: PTH112, PTH120
        loaded = finder.for_directory(directory)
        settings = loaded.settings
        discovery = discover(
            [path],
            settings.all_excludes,
            loaded.root,
            settings.respect_gitignore,
            settings.force_exclude,
        )
        problems += discovery.problems
        for name in (*discovery.python_files, *discovery.config_files):
            sorted_files.add(name, loaded)
    plan = RunPlan(tuple(_group(*group, overlay) for group in sorted_files.groups()), tuple(problems))
    if plan.groups:
        speak_as(plan.groups[0].loaded.settings)
    return plan


def target_of(directory: str, overrides: dict[str, object], config_file: str | None = None) -> TargetRow:
    """The target of a directory, also where it has no files. Raises ConfigurationError."""
    loaded = SettingsFinder(overrides, "command line", config_file, terminal_language()).for_directory(
        directory
    )
    return _group(loaded, [], {}).target_row


def _group(loaded: LoadedSettings, files: list[str], overlay: dict[str, SourceText]) -> Group:
    with speaking(texts_of(spoken(loaded.settings.locale))):
        target, reasons = resolve_target(loaded.settings, loaded.root)
    texts = {name: overlay[name] for name in files if name in overlay}
    return Group(loaded, target, reasons, tuple(files), texts)
