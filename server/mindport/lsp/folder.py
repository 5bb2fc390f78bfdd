"""One project as the server sees it: its settings, its target, and the analysis of its open documents."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from mindport.check.engine import Engine
from mindport.check.file_report import check_usage
from mindport.check.outcome import FileReport
from mindport.config.load import LoadedSettings, load_settings
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.config.target import resolve_target
from mindport.lsp.document import Document
from mindport.usage.api_use import FileUsage
from mindport.usage.project import Project


class Analysis(msgspec.Struct, frozen=True):
    """What is known of one version of a document."""

    version: int
    usage: FileUsage
    report: FileReport


class Folder:
    """A project directory with everything that its documents share."""

    def __init__(self, loaded: LoadedSettings) -> None:
        self.settings = loaded.settings
        self.target, self.reasons = resolve_target(loaded.settings, loaded.root)
        self.engine = Engine(self.target)
        self.project = Project(loaded.root)
        self._rules = RuleFilter(loaded.settings, loaded.root)
        self._analyses: dict[str, Analysis] = {}

    def analyse(self, document: Document) -> Analysis:
        """The analysis of the document's present version; what did not change since the last one is reused."""
        known = self._analyses.get(document.uri)
        if known is not None and known.version == document.version:
            return known
        self.project.add(document.path, document.text)
        usage = self.project.usage(document.path)
        problems = self.project.problems(document.path)
        report = check_usage(usage, document.text, self.engine, self._rules, document.path, problems)
        analysis = self._analyses[document.uri] = Analysis(document.version, usage, report)
        return analysis

    def close(self, document: Document) -> None:
        """Forget a document that the editor closed; the file on the disk counts again."""
        self._analyses.pop(document.uri, None)
        self.project.remove(document.path)

    def forget_analyses(self) -> None:
        """Analyse every document anew when it is next asked for: something that it may depend on has changed."""
        self._analyses.clear()


class Folders:
    """The projects that documents belong to, each made when a document first asks for it. `overrides` are the editor's
    settings, which count over those of pyproject.toml."""

    def __init__(self, overrides: Mapping[str, object] | None = None) -> None:
        self._overrides = overrides or {}
        self._by_directory: dict[str, Folder] = {}
        self._by_source: dict[tuple[str, str], Folder] = {}

    def of_directory(self, directory: str) -> Folder:
        """The project of the files in `directory`. Raises ConfigurationError where its settings are invalid."""
        folder = self._by_directory.get(directory)
        if folder is None:
            loaded = load_settings(directory, self._overrides, "the editor's settings")
            folder = self._by_directory[directory] = self._shared(loaded)
        return folder

    def use_defaults_for(self, directory: str) -> Folder:
        """A project with the default settings, for a directory whose own were invalid from the start."""
        folder = self._by_directory[directory] = self._shared(LoadedSettings(Settings(), directory))
        return folder

    def directories(self) -> tuple[str, ...]:
        """Every directory that was asked for."""
        return tuple(self._by_directory)

    def all(self) -> tuple[Folder, ...]:
        """Every project that was asked for."""
        return tuple(self._by_source.values())

    def _shared(self, loaded: LoadedSettings) -> Folder:
        key = (loaded.root, loaded.source)
        folder = self._by_source.get(key)
        if folder is None:
            folder = self._by_source[key] = Folder(loaded)
        return folder
