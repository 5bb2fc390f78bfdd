"""All that a report needs of a project's files in one pass: findings, references, and the texts with their uses, from
which the checklist is made."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import msgspec

from mindport.check.analysis import NO_USAGE, analyse_files, is_config
from mindport.check.engine import Engine
from mindport.check.file_report import check_usage, unreadable_report
from mindport.check.inventory import references
from mindport.check.outcome import FileReport, Reference
from mindport.check.project_evidence import project_index
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.target import Target
from mindport.source.problem import Problem
from mindport.source.text import SourceText
from mindport.usage.api_use import FileUsage


class FileSurvey(msgspec.Struct, frozen=True):
    """One file: its findings, its references to torch, its text (empty where it could not be read), its uses."""

    path: str
    report: FileReport
    references: tuple[Reference, ...] = ()
    text: str = ""
    usage: FileUsage = NO_USAGE

    @property
    def is_python(self) -> bool:
        """Whether the file is code, not configuration."""
        return not is_config(self.path)


def survey_paths(
    files: Sequence[str],
    settings: Settings,
    target: Target,
    root: str = ".",
    overlay: dict[str, SourceText] | None = None,
) -> Iterator[FileSurvey]:
    """The survey of each file, in the order of `files`. Never raises for what the files hold."""
    engine = Engine(target, project_index(settings, root))
    rules = RuleFilter(settings, root)
    given = {os.path.abspath(path).replace(os.sep, "/"): path for path in files}  # noqa: PTH100
    for file in analyse_files(files, settings, root, overlay or {}):
        if isinstance(file.source, Problem):
            yield FileSurvey(file.path, unreadable_report(file.path, file.source, rules))
            continue
        text = file.source.text
        report = check_usage(
            file.usage, text, engine, rules, file.path, file.problems, file.links, lambda one: given.get(one, one)
        )
        yield FileSurvey(file.path, report, references(file.usage.uses, text, engine), text, file.usage)
