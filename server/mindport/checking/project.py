"""Checks the files of a project part by part: takes the answer from the cache where nothing changed, and else
judges every use, in several processes where there is much to do."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import BaseContext
from typing import TYPE_CHECKING

import msgspec

from mindport.checking.analysis import Analysed, Sources, analyse, project_of, read_sources
from mindport.checking.cache import ResultCache
from mindport.checking.choice import PartChoice, size_of
from mindport.checking.components import components
from mindport.checking.conversion import Conversion
from mindport.checking.engine import Engine
from mindport.checking.failure import failure_of
from mindport.checking.file_report import check_file, unreadable_report
from mindport.checking.findings import PathOf
from mindport.checking.forecast import Forecasts
from mindport.checking.outcome import FileReport
from mindport.checking.project_evidence import project_index
from mindport.checking.training import ProjectSteps
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.mapping.index import MappingIndex
from mindport.model.language import Language, later, spoken
from mindport.model.target import Target
from mindport.source.discovery import full_path, names_of
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.text import SourceText

if TYPE_CHECKING:
    from mindport.checking.written_fixes import WrittenFixes

# Below this a second process costs more than it saves: about three seconds of work.
CHARACTERS_FOR_PROCESSES = 3_000_000
START_METHOD = "fork" if sys.platform == "linux" else "spawn"
_OBJECTS_BEFORE_A_LOOK = 200_000
# What a project knows of itself goes round in circles, and takes a hundred times the space of its text. Beside this
# much of it the look costs nothing.
_CHARACTERS_BEFORE_A_LOOK = 500_000
_Work = tuple[Settings, Target, str, bool]  # settings, target, root, whether fixes are written out
_DIED = later("the process that analysed this file ended before it was done")


def check_paths(
    files: Sequence[str],
    settings: Settings,
    target: Target,
    root: str = ".",
    use_cache: bool = True,
    overlay: dict[str, SourceText] | None = None,
    choice: PartChoice | None = None,
    with_edits: bool = False,
) -> Iterator[FileReport]:
    """The report of each file, in the order of `files`; with a `choice`, of those in the parts that it makes. `overlay`
    has the texts of files that are not on the disk; `with_edits` has fixes written out.

    Never raises for what the files hold; ConfigurationError where the evidence of the settings cannot be used."""
    project_index(settings, root)
    sources = read_sources(files, settings, root, overlay or {})
    parts = components(sources)
    if choice is not None:
        parts = [parts[index] for index in sorted(choice.of(parts))]
    part_of = {path: index for index, part in enumerate(parts) for path, _ in part.files}
    order = [path for path, _ in sources.files if path in part_of]
    del sources
    cache = ResultCache(root, settings, target, with_edits) if use_cache else None
    keys = [cache.key(part) for part in parts] if cache is not None else []
    stored = [cache.find(key) for key in keys] if cache is not None else [None] * len(parts)
    missing = [index for index, reports in enumerate(stored) if reports is None]
    streams: dict[int, Iterator[FileReport]] = {
        index: iter(reports) for index, reports in enumerate(stored) if reports is not None
    }
    work = (settings, target, root, with_edits)
    with _Workers([parts[index] for index in missing], work) as workers:
        for place, index in enumerate(missing):
            streams[index] = workers.reports(place)
        collected: dict[int, list[FileReport]] = {index: [] for index in missing} if cache is not None else {}
        left = Counter(part_of.values())
        unjudged = set(missing)
        done = 0  # characters
        for path in order:
            index = part_of[path]
            report = next(streams[index])
            if index in collected:
                collected[index].append(report)
            left[index] -= 1
            if not left[index]:
                del streams[index]  # it holds all that was found out about the part
                if index in unjudged:
                    unjudged.remove(index)
                    done += size_of(parts[index])
                # The room is for the next part; behind the last one the process ends.
                if unjudged and done > _CHARACTERS_BEFORE_A_LOOK:
                    done = 0
                    gc.collect()
                reports = collected.pop(index, None)
                # What a process died of may be gone the next time.
                if cache is not None and reports and all(one.is_readable for one in reports):
                    cache.keep(keys[index], tuple(reports))
            yield report
    if cache is not None:
        cache.write()


@contextlib.contextmanager
def _away_from_the_user() -> Iterator[None]:
    """Be in Python's own folder while processes are spawned: until they know our path they look for modules where they
    are started, and those of the user must not be run. They come back by themselves; forked ones look for nothing."""
    if START_METHOD == "fork":
        yield
        return
    before = os.getcwd()  # noqa: PTH109
    os.chdir(os.path.dirname(os.__file__))  # noqa: PTH120
    try:
        yield
    finally:
        os.chdir(before)


class _Workers:
    """Checks parts: here, one file when it is asked for, or in processes, the largest parts first."""

    def __init__(self, parts: Sequence[Sources], work: _Work) -> None:
        self._parts = parts
        self._work = work
        self._pool: ProcessPoolExecutor | None = None
        self._lone: ProcessPoolExecutor | None = None  # once a process of the pool has died
        self._futures: dict[int, Future[list[FileReport]]] = {}
        self._engine: Engine | None = None

    def __enter__(self) -> _Workers:
        sizes = [size_of(part) for part in self._parts]
        settings = self._work[0]
        jobs = min(settings.jobs or _processors(), len(self._parts))
        if jobs > 1 and sum(sizes) - max(sizes) > CHARACTERS_FOR_PROCESSES // 2:
            with _away_from_the_user():
                self._pool = ProcessPoolExecutor(jobs, _context(), _start_process)
                for index in sorted(range(len(sizes)), key=lambda index: -sizes[index]):
                    self._futures[index] = self._pool.submit(_check_part, self._parts[index], *self._work)
        return self

    def __exit__(self, *_: object) -> None:
        for pool in (self._pool, self._lone):
            if pool is not None:
                pool.shutdown(cancel_futures=True)

    def reports(self, index: int) -> Iterator[FileReport]:
        """The reports of one part in the order of its files."""
        if index in self._futures:
            future = self._futures.pop(index)
            try:
                yield from future.result()
            except BrokenProcessPool:
                yield from self._again(self._parts[index])
            return
        if self._engine is None:
            self._engine = _engine(self._work)
        yield from _reports(self._parts[index], self._work, self._engine)

    def _again(self, part: Sources) -> Iterator[FileReport]:
        """The reports of a part whose process died, or that waited for one that did. If it dies again, the files go one
        by one, and those that end their process are reported as such."""
        whole = self._apart(part)
        if whole is not None:
            yield from whole
            return
        settings, _, root, _ = self._work
        for path, _ in part.files:
            alone = self._apart(part, path)
            if alone is not None:
                yield from alone
                continue
            problem = Problem(ProblemKind.INTERNAL, _DIED, FILE_START, path)
            self._engine = self._engine or _engine(self._work)
            yield unreadable_report(path, problem, RuleFilter(settings, root), self._engine)

    def _apart(self, part: Sources, only: str | None = None) -> list[FileReport] | None:
        """The reports of a part, or of one of its files, from a process that does nothing else; None where it dies."""
        if self._lone is None:
            self._lone = ProcessPoolExecutor(1, _context(), _start_process)
        try:
            with _away_from_the_user():
                done = self._lone.submit(_check_part, part, *self._work, only)
            return done.result()
        except BrokenProcessPool:
            self._lone = None
            return None


def _context() -> BaseContext:
    return multiprocessing.get_context(START_METHOD)


def _engine(work: _Work) -> Engine:
    settings, target, root, _ = work
    return Engine(target, project_index(settings, root), language=spoken(settings.locale))


_process_engines: dict[tuple[Target, MappingIndex, Language], Engine] = {}


def _start_process() -> None:
    """Results live as long as the process, so looking for garbage among them is lost time."""
    gc.freeze()
    gc.set_threshold(_OBJECTS_BEFORE_A_LOOK, 20, 100)


def _check_part(
    part: Sources, settings: Settings, target: Target, root: str, with_edits: bool, only: str | None = None
) -> list[FileReport]:
    """The reports of the files of a part, or of one of them."""
    index = project_index(settings, root)
    language = spoken(settings.locale)
    engine = _process_engines.get((target, index, language))
    if engine is None:
        engine = _process_engines[target, index, language] = Engine(target, index, language=language)
    return list(_reports(part, (settings, target, root, with_edits), engine, only))


def _reports(part: Sources, work: _Work, engine: Engine, only: str | None = None) -> Iterator[FileReport]:
    settings, _, root, with_edits = work
    rules = RuleFilter(settings, root)
    project = project_of(part, root)
    given = {full_path(path): path for path, _ in part.files}
    name_of = names_of(given.values())
    steps = ProjectSteps(project, engine.target)
    programs = {} if only is not None else Forecasts(project, engine, steps).of(given)
    files = [
        analyse(path, source, project, engine.target, steps_of=lambda path, _: steps.of(path))
        for path, source in part.files
        if only in (None, path)
    ]
    conversion = Conversion(files, project, steps)
    fixes: WrittenFixes | None = None
    if with_edits:
        from mindport.checking import written_fixes  # with all that rewrites; few runs need it

        fixes = written_fixes.WrittenFixes(project, engine, rules, conversion, settings.helper_module)
    for file in files:
        report = _report(file, rules, engine, name_of, conversion, fixes)
        yield msgspec.structs.replace(report, program=programs.get(file.path))


def _report(
    file: Analysed,
    rules: RuleFilter,
    engine: Engine,
    name_of: PathOf,
    conversion: Conversion,
    fixes: WrittenFixes | None,
) -> FileReport:
    """The report of one file. `name_of` gives the name under which the user knows a file; `fixes` writes them out."""
    if isinstance(file.source, Problem):
        return unreadable_report(file.path, file.source, rules, engine)
    try:
        report = check_file(file, file.source.text, engine, rules, name_of, conversion)
        return report if fixes is None else msgspec.structs.replace(report, written=fixes.of(file, report))
    except Exception as error:  # noqa: BLE001  a defect in one file must not lose the others
        return unreadable_report(file.path, failure_of(error, file.path), rules, engine)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
