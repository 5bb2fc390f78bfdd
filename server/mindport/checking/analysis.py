"""From paths to typed uses: reads the files of a run, finds what else of the project they import, and asks
for the usage of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from mindport.checking.callers import files_that_use
from mindport.checking.configured_names import configured_words
from mindport.checking.failure import failure_of
from mindport.checking.neighbours import follow_imports
from mindport.checking.project_trace import seen_files
from mindport.checking.training import TrainingSteps, training_steps
from mindport.config.settings import Settings
from mindport.model.target import Mode, Target
from mindport.source.discovery import full_path
from mindport.source.problem import Problem
from mindport.source.text import YAML_SUFFIXES, SourceText, read_source
from mindport.usage.api_use import FileUsage
from mindport.usage.config_text import config_uses
from mindport.usage.places import CalledPlace
from mindport.usage.project import Project
from mindport.usage.regions.link import ChainLink
from mindport.usage.seen.run import SeenFile

NO_USAGE = FileUsage((), (), frozenset())


class Analysed(msgspec.Struct, frozen=True):
    """One file of a run: its text, or what kept it from being read, and what is found in it."""

    path: str
    source: SourceText | Problem
    usage: FileUsage = NO_USAGE
    problems: tuple[Problem, ...] = ()  # the parts that did not parse
    links: tuple[ChainLink, ...] = ()  # the APIs in it that a gradient of a gradient goes through
    called: tuple[CalledPlace, ...] = ()  # what matters in a graph, in functions that compiled ones call
    training: TrainingSteps = TrainingSteps()
    data: frozenset[str] = frozenset()  # the functions and classes in it that only prepare data


class Sources(msgspec.Struct, frozen=True):
    """The texts of a run in its order, those of the files that they import besides, by full path, which file leads to
    which, the words that configuration has for names that they look up, and what a run showed of them."""

    files: tuple[tuple[str, SourceText | Problem], ...]
    neighbours: dict[str, str]
    edges: dict[str, frozenset[str]] = {}
    configured: frozenset[str] = frozenset()
    seen: dict[str, SeenFile] = {}  # what a run showed of the files, by full path
    looks_up: bool = False  # whether any of the files asks configuration for names


def read_sources(
    files: Sequence[str], settings: Settings, root: str, overlay: Mapping[str, SourceText]
) -> Sources:
    """Read all files, those of the project that they import, and those that use them in a gradient of a gradient."""
    texts = tuple(
        (path, overlay[path] if path in overlay else read_source(path, settings.max_file_bytes))
        for path in files
    )
    python = {
        full_path(path): source.text
        for path, source in texts
        if isinstance(source, SourceText) and not is_config(path)
    }
    users = files_that_use(python, full_path(root), settings) if python else {}
    imports = follow_imports({**python, **users}, full_path(root), settings.max_file_bytes)
    seen = seen_files(settings, root)
    return Sources(texts, {**users, **imports.found}, imports.edges, configured_words(python), seen)


def project_of(sources: Sources, root: str) -> Project:
    """The project that the texts make up. Files are added in the order of their paths."""
    project = Project(full_path(root))
    project.configure(sources.configured)
    texts = dict(sources.neighbours)
    for path, source in sources.files:
        if isinstance(source, SourceText) and not is_config(path):
            texts[full_path(path)] = source.text
    project.add_all({path: texts[path] for path in sorted(texts)})
    if sources.seen:
        project.see(sources.seen)
    return project


def analyse(
    path: str,
    source: SourceText | Problem,
    project: Project,
    target: Target,
    links_of: Callable[[str], tuple[ChainLink, ...]] | None = None,
    steps_of: Callable[[str, FileUsage], TrainingSteps] | None = None,
) -> Analysed:
    """What is found in one file of the project. An error inside mindport becomes a problem of that file. `links_of` and
    `steps_of` give the links and training steps of the file at a full path where they are known already, or looking for
    them now would take too long."""
    if isinstance(source, Problem):
        return Analysed(path, source)
    if is_config(path):
        return Analysed(path, source, FileUsage(config_uses(source.text), (), frozenset()))
    full = full_path(path)
    try:
        links = (links_of or project.second_order_links)(full)
        usage = project.usage(full)
        called = project.called_places(full, networks=target.mode is Mode.GRAPH)
        steps = training_steps(source.text, usage, target) if steps_of is None else steps_of(full, usage)
        data = project.data_code().functions(full)
        return Analysed(path, source, usage, project.problems(full), links, called, steps, data)
    except Exception as error:  # noqa: BLE001  a defect in one file must not lose the others
        project.start_over()
        return Analysed(path, source, NO_USAGE, (failure_of(error, path),))


def uses_of_files(
    files: Sequence[str], settings: Settings, root: str, overlay: Mapping[str, SourceText], target: Target
) -> Iterator[Analysed]:
    """Every file in its order, without its links and training steps."""
    sources = read_sources(files, settings, root, overlay)
    project = project_of(sources, root)
    for path, source in sources.files:
        yield analyse(path, source, project, target, lambda _: (), lambda *_: TrainingSteps())


def is_config(path: str) -> bool:
    """Whether the file is read as configuration and not as Python."""
    return path.endswith(YAML_SUFFIXES)
