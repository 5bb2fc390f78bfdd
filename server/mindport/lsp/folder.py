"""One project as the server sees it: its settings, its target, and the analysis of its open documents."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec

from mindport.checking.analysis import NO_USAGE, is_config
from mindport.checking.analysis import analyse as analyse_text
from mindport.checking.configured_names import configured_words
from mindport.checking.engine import Engine
from mindport.checking.file_report import unreadable_report
from mindport.checking.project_evidence import evidence_files, mapping_files_of, project_index
from mindport.checking.project_trace import seen_files, trace_file
from mindport.checking.reporter import Reporter
from mindport.checking.suppression import Idle
from mindport.checking.training import TrainingSteps, training_steps
from mindport.config.load import LoadedSettings, load_settings
from mindport.config.problem import ConfigurationError
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.config.target import resolve_target
from mindport.lsp.document import Document
from mindport.lsp.editor_settings import EditorSettings
from mindport.lsp.kept_links import KeptLinks
from mindport.lsp.kept_steps import KeptSteps
from mindport.lsp.neighbours import Loading, read_neighbours
from mindport.model.finding import Finding
from mindport.model.language import Language, spoken
from mindport.model.target import Mode
from mindport.source.discovery import full_path
from mindport.source.text import SourceText, read_source, too_large
from mindport.usage.api_use import FileUsage
from mindport.usage.places import CalledPlace
from mindport.usage.project import Project
from mindport.usage.regions.link import ChainLink

# What takes longer than this, links or training steps, is put off until the user rests.
_SHORT_SECONDS = 0.001


class Analysis(msgspec.Struct, frozen=True):
    """What is known of a document at one moment: of the project and its revision, of the document and its."""

    moment: tuple[Project, int, Document, int]
    usage: FileUsage
    findings: tuple[Finding, ...]
    links: tuple[ChainLink, ...] = ()  # the APIs that a gradient of a gradient goes through
    called: tuple[CalledPlace, ...] = ()  # what matters in a graph, in functions that compiled ones call
    steps: TrainingSteps = TrainingSteps()
    idle: tuple[Idle, ...] = ()  # the suppression comments that suppress nothing


class Folder:
    """A project directory with everything that its documents share."""

    def __init__(self, loaded: LoadedSettings) -> None:
        self.loaded = loaded
        self.settings = loaded.settings
        self.target, self.reasons = resolve_target(loaded.settings, loaded.root)
        self.engine = Engine(
            self.target,
            project_index(loaded.settings, loaded.root),
            language=spoken(loaded.settings.locale),
        )
        self.rules = RuleFilter(loaded.settings, loaded.root)
        self.root = full_path(loaded.root)
        self.project = Project(self.root)
        self._seen = seen_files(loaded.settings, loaded.root)  # what a run showed; read, and never run here
        self.project.see(self._seen)
        self._source = loaded.source
        self._settings_times = self._read_times()
        self._analyses: dict[str, Analysis] = {}
        self._reporters: dict[str, Reporter] = {}
        self._links: dict[str, KeptLinks] = {}
        self._steps: dict[str, KeptSteps] = {}
        self.is_typed_in = False
        self._is_search_long = False
        self.is_behind = False  # something was put off
        self._imports: dict[str, frozenset[tuple[str, str]]] = {}
        self._neighbours: dict[str, str] = {}
        self._configured = frozenset[str]()
        self._paths: frozenset[str] = frozenset()  # the files that `project` was made for

    def analyse(self, document: Document) -> Analysis:
        """The analysis of the document's present text; what did not change since the last one is reused."""
        text = document.text
        # Counted in characters: a byte count of every version would cost more than it is worth.
        if len(text) > self.settings.max_file_bytes:
            problem = too_large(len(text), self.settings.max_file_bytes, document.path)
            report = unreadable_report(document.path, problem, self.rules, self.engine)
            return Analysis(
                (self.project, self.project.revision, document, document.revision), NO_USAGE, report.findings
            )
        if not is_config(document.path):
            self.project.add(document.path, text)
            self._paths = self._paths or frozenset((document.path,))
        moment = (self.project, self.project.revision, document, document.revision)
        known = self._analyses.get(document.uri)
        if (
            known is not None
            and known.moment == moment
            and known.links == self._links_of(document)
            and known.called == self._called_of(document)
            and known.steps == self._steps_of(document, known.usage)
        ):
            return known
        source = SourceText(document.path, text)
        file = analyse_text(
            document.path,
            source,
            self.project,
            self.target,
            lambda _: self._links_of(document),
            lambda _, usage: self._steps_of(document, usage),
        )
        reporter = self._reporters.get(document.uri)
        if reporter is None:
            reporter = self._reporters[document.uri] = Reporter(self.engine, self.rules, document.path)
        done = reporter.report(file, text)
        # Looking at a file for the first time may itself let the project conclude more.
        moment = (self.project, self.project.revision, document, document.revision)
        analysis = self._analyses[document.uri] = Analysis(
            moment, file.usage, done.findings, file.links, file.called, file.training, done.idle
        )
        return analysis

    def knows(self, document: Document) -> bool:
        """Whether the project has the file of a document."""
        return document.path in self.project.paths() or is_config(document.path)

    def take_up(self, documents: Iterable[Document]) -> None:
        """Give the project all open documents at once: each that comes alone makes it look at all others again."""
        limit = self.settings.max_file_bytes
        texts = {one.path: one.text for one in documents if not is_config(one.path)}
        self.project.add_all({path: text for path, text in texts.items() if len(text) <= limit})

    def begin_typing(self) -> None:
        """From now on, until `rest`, links and training steps may be those of an earlier version where looking for them
        takes long."""
        self.is_typed_in = True

    def rest(self) -> bool:
        """The user has stopped typing: analyses are exact again. Says whether one was not."""
        was_behind = self.is_behind
        self.is_typed_in = self.is_behind = False
        return was_behind

    def _called_of(self, document: Document) -> tuple[CalledPlace, ...]:
        """What matters in a graph, in functions of a document: it may change with any file of the project."""
        if is_config(document.path):
            return ()
        return self.project.called_places(document.path, networks=self.target.mode is Mode.GRAPH)

    def _links_of(self, document: Document) -> tuple[ChainLink, ...]:
        """The links in a document: they may change with any file of the project."""
        if is_config(document.path):
            return ()
        kept = self._links.get(document.uri)
        if not self.project.has_current_links:
            if self.is_typed_in and self._is_search_long:
                self.is_behind = True
                return kept.moved(document) if kept is not None else ()
            started = time.perf_counter()
            self.project.search_links()
            self._is_search_long = time.perf_counter() - started > _SHORT_SECONDS
        links = self.project.second_order_links(document.path)
        if kept is None or not kept.is_of(document, links):
            self._links[document.uri] = KeptLinks(document, links)
        return links

    def _steps_of(self, document: Document, usage: FileUsage) -> TrainingSteps:
        """The training steps in a document; while the user types those of an earlier version, where looking for them
        takes long."""
        kept = self._steps.get(document.uri)
        if kept is not None and kept.is_of(document, usage):
            return kept.steps
        if kept is not None and self.is_typed_in and kept.seconds > _SHORT_SECONDS:
            self.is_behind = True
            return kept.moved(document)
        started = time.perf_counter()
        steps = training_steps(document.text, usage, self.target)
        self._steps[document.uri] = KeptSteps(document, usage, steps, time.perf_counter() - started)
        return steps

    def close(self, document: Document) -> None:
        """Forget a document that the editor closed; the file on the disk counts again."""
        self._analyses.pop(document.uri, None)
        self._reporters.pop(document.uri, None)
        self._links.pop(document.uri, None)
        self._steps.pop(document.uri, None)
        self._imports.pop(document.uri, None)
        source = read_source(document.path, self.settings.max_file_bytes)
        if isinstance(source, SourceText) and document.path in self._paths:
            self.project.add(document.path, source.text)
            self._neighbours[document.path] = source.text
        else:
            self.project.remove(document.path)

    def settings_changed(self) -> bool:
        """Whether the file that the settings are from, evidence or a trace, was written since they were read."""
        return self._read_times() != self._settings_times

    def _read_times(self) -> list[int]:
        files = (
            *evidence_files(self.settings, self.root),
            *self._mapping_files(),
            trace_file(self.settings, self.root),
        )
        return [_time_of(self._source), *(_time_of(str(path)) for path in files if path is not None)]

    def _mapping_files(self) -> tuple[Path, ...]:
        try:
            return mapping_files_of(self.settings, self.root)
        except ConfigurationError:  # a folder is gone; the settings are read again, and that is said
            return ()

    def imports_changed(self, document: Document) -> bool:
        """Whether the document imports other things than when this was last asked; the first time it does not."""
        usage = self.analyse(document).usage
        present = frozenset((one.module, one.name) for one in usage.imports)
        before = self._imports.get(document.uri, present)
        self._imports[document.uri] = present
        return before != present

    def loading(self, documents: Iterable[Document]) -> Loading | None:
        """The work of making known what the open documents of this project import; None where it is known."""
        limit = self.settings.max_file_bytes
        texts = {
            one.path: one.text for one in documents if not is_config(one.path) and len(one.text) <= limit
        }
        neighbours = read_neighbours(texts, self.root, self.settings)
        configured = configured_words({**neighbours, **texts})
        is_known = all(self._neighbours.get(path) == text for path, text in neighbours.items())
        if is_known and self._paths == neighbours.keys() | texts.keys() and self._configured == configured:
            return None
        return Loading(self.root, neighbours, texts, configured, self._seen)

    def text_beside(self, path: str) -> str:
        """The text of a file of the project that is not open, as it was read; empty for one that was not."""
        return self._neighbours.get(path, "")

    def take(self, loading: Loading) -> None:
        """Use a project that is ready in place of the present one."""
        self.project = loading.project
        self._is_search_long = loading.search.seconds > _SHORT_SECONDS
        self._neighbours = loading.neighbours
        self._configured = loading.configured
        self._paths = frozenset(loading.project.paths())


class Folders:
    """The projects that documents belong to, each made when a document first asks for it. `editor` has the settings
    that count over those of pyproject.toml; `language` is that of the user."""

    def __init__(self, editor: EditorSettings, language: Language | None = None) -> None:
        self._editor = editor
        self._language = language
        self._by_directory: dict[str, Folder] = {}
        self._by_source: dict[tuple[str, str, str], Folder] = {}

    def of_directory(self, directory: str) -> Folder:
        """The project of the files in `directory`. Raises ConfigurationError where its settings are invalid."""
        folder = self._by_directory.get(directory)
        if folder is None:
            overrides = self._editor.of_directory(directory)
            loaded = load_settings(directory, overrides, "the editor's settings", language=self._language)
            folder = self._by_directory[directory] = self._shared(loaded, self._editor.folder_of(directory))
        return folder

    def use_defaults_for(self, directory: str) -> Folder:
        """A project with the default settings, for a directory whose own were invalid from the start."""
        defaults = LoadedSettings(Settings(locale=self._language or "auto"), directory)
        folder = self._by_directory[directory] = self._shared(defaults, "")
        return folder

    def directories(self) -> tuple[str, ...]:
        """Every directory that was asked for."""
        return tuple(self._by_directory)

    def all(self) -> tuple[Folder, ...]:
        """Every project that was asked for."""
        return tuple(self._by_source.values())

    def _shared(self, loaded: LoadedSettings, workspace_folder: str) -> Folder:
        """Directories share a project whose settings are from the same file and the same place in the editor."""
        key = (loaded.root, loaded.source, workspace_folder)
        folder = self._by_source.get(key)
        if folder is None:
            folder = self._by_source[key] = Folder(loaded)
        return folder


def _time_of(path: str) -> int:
    """When a file was last written, in nanoseconds; 0 for none."""
    try:
        return os.stat(path).st_mtime_ns if path else 0  # noqa: PTH116
    except OSError:
        return 0
