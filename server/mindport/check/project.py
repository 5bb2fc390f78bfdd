"""Checks the files of a project: reads them, takes the answer from the cache where nothing changed, and
else judges every use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mindport.check.analysis import analyse, project_of, read_sources
from mindport.check.cache import ResultCache, run_key
from mindport.check.engine import Engine
from mindport.check.file_report import check_usage, unreadable_report
from mindport.check.outcome import FileReport
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.target import Target
from mindport.source.problem import Problem
from mindport.source.text import SourceText


def check_paths(
    files: Sequence[str],
    settings: Settings,
    target: Target,
    root: str = ".",
    use_cache: bool = True,
    overlay: dict[str, SourceText] | None = None,
) -> Iterator[FileReport]:
    """The report of each file, in the order of `files`. `overlay` has the texts of files that are not on
    the disk.

    Never raises for what the files hold."""
    sources = read_sources(files, settings, root, overlay or {})
    cache = ResultCache(root, settings)
    key = run_key(sources.files, sources.neighbours, settings, target, root) if use_cache else ""
    stored = cache.load(key) if use_cache else None
    if stored is not None and len(stored) == len(sources.files):
        yield from stored
        return
    engine = Engine(target)
    rules = RuleFilter(settings, root)
    project = project_of(sources, root)
    reports = []
    for path, source in sources.files:
        if isinstance(source, Problem):
            report = unreadable_report(path, source, rules)
        else:
            file = analyse(path, source, project)
            report = check_usage(file.usage, source.text, engine, rules, path, file.problems)
        reports.append(report)
        yield report
    if use_cache:
        cache.store(key, reports)
