"""What the server knows while a client is connected: its abilities, the open documents, and the projects they belong
to. Requests read it; only the document and configuration notifications change it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from lsprotocol import types

from mindport.config.problem import ConfigurationError
from mindport.explain.target_words import target_words
from mindport.lsp.client import ClientAbilities, language_for
from mindport.lsp.convert import diagnostic_json
from mindport.lsp.document import Document
from mindport.lsp.editor_settings import EditorSettings
from mindport.lsp.folder import Analysis, Folder, Folders
from mindport.lsp.notebook import OpenNotebook
from mindport.lsp.other_lines import OtherLines
from mindport.lsp.survey_messages import PlacedProgram
from mindport.model.finding import Finding, Severity
from mindport.model.language import later, say, speaking
from mindport.registry.texts import translations
from mindport.rules.wording import without_target

Show = Callable[[types.MessageType, str], None]
# The JSON of a finding, with what its lines and columns were counted in: its own lines, the first one of its document.
_Fragment = tuple[str, str, str, int]


class Session:
    """The state of one connection. `show` puts a message before the user."""

    def __init__(self, abilities: ClientAbilities, settings: EditorSettings, show: Show) -> None:
        self.abilities = abilities
        self.documents: dict[str, Document] = {}
        self.programs: dict[
            str, PlacedProgram
        ] = {}  # by the URIs of their entry points, as the last survey found them
        self.last_seconds = 0.0  # what the last analysis took; the longer, the longer typing is waited for
        self._show = show
        self._complaints: set[str] = set()
        self._settings = settings
        self._folders = Folders(settings, abilities.language)
        self._fragments: dict[str, dict[Finding, _Fragment]] = {}

    def speaking(self) -> AbstractContextManager[None]:
        """Say what belongs to no project in the language of the editor's settings, else of its user."""
        return speaking(translations(language_for(self._settings.everywhere, self.abilities.language)))

    @property
    def settings(self) -> EditorSettings:
        """The settings of the editor, which count over those of pyproject.toml."""
        return self._settings

    def open(self, item: types.TextDocumentItem) -> Document:
        """A document that the editor opened."""
        document = self.documents[item.uri] = Document(item.uri, item.version, item.text)
        return document

    def show_notebook(self, notebook: OpenNotebook) -> tuple[str, ...]:
        """Take the cells of a notebook for open documents; the URIs of those that are gone."""
        present = {cell.uri: cell for cell in notebook.cells}
        gone = [uri for uri, one in self.documents.items() if one.notebook is notebook and uri not in present]
        for uri in gone:
            del self.documents[uri]
            self._fragments.pop(uri, None)
        self.documents.update(present)
        return tuple(gone)

    def close(self, uri: str) -> Folder | None:
        """Forget a document that the editor closed; its project, if it was open."""
        document = self.documents.pop(uri, None)
        self._fragments.pop(uri, None)
        if document is None:
            return None
        folder = self.folder_of(document)
        folder.close(document)
        return folder

    def folder_of(self, document: Document) -> Folder:
        """The project of a document. Invalid settings are shown once; then the defaults serve."""
        directory = str(Path(document.path).parent)
        try:
            with self.speaking():
                return self._folders.of_directory(directory)
        except ConfigurationError as error:
            with self.speaking():
                self._complain(
                    error, later("mindport: {problem}; the default settings are used until it is mended")
                )
            return self._folders.use_defaults_for(directory)

    def analyse(self, document: Document) -> Analysis:
        """The analysis of a document's present version."""
        started = time.perf_counter()
        folder = self.folder_of(document)
        if not folder.knows(document.whole):
            folder.take_up(one.whole for one in self.documents_of(folder))
        analysis = folder.analyse(document.whole)
        self.last_seconds = time.perf_counter() - started
        return analysis

    def diagnostics_json(self, document: Document) -> str:
        """The findings of a document to be marked in the text, as a JSON list."""
        findings = [one for one in self.shown(document) if document.part_at(one.span.line) is document]
        # A key changes few findings; the JSON of the others is still right while the lines say the same that they stand
        # on, because the client counts their characters otherwise. That of places in other files may change with those.
        known = self._fragments.get(document.uri, {})
        others = OtherLines(self._text_beside(document))
        present: dict[Finding, _Fragment] = {}
        lines, before = document.lines, document.first_line
        folder = self.folder_of(document)
        for one in findings:
            fragment = known.get(one)
            # Lines that were not edited are the same objects.
            line, end_line = lines[one.span.line - 1], lines[one.span.end_line - 1]
            if (
                fragment is None
                or fragment[1] is not line
                or fragment[2] is not end_line
                or fragment[3] != before
                or one.related
            ):
                with folder.engine.speaking():
                    marked = without_target(one, folder.target)
                fragment = diagnostic_json(marked, document, self.abilities, others), line, end_line, before
            present[one] = fragment
        self._fragments[document.uri] = present
        return f"[{','.join([fragment[0] for fragment in present.values()])}]"

    def _text_beside(self, document: Document) -> Callable[[str], str]:
        """The texts of the other files of a document's project, as the editor has them or as they were read."""
        folder = self.folder_of(document)

        def text(path: str) -> str:
            opened = self.document_at(path)
            return folder.text_beside(path) if opened is None else opened.text

        return text

    def shown(self, document: Document) -> list[Finding]:
        """The findings of a document that are marked in the text."""
        settings = self.folder_of(document).settings
        lowest = Severity.HINT if settings.show_hints else Severity.INFORMATION
        return [one for one in self.analyse(document).findings if one.severity >= lowest]

    def settings_changed(self) -> bool:
        """Whether a file that settings are from was written since they were read."""
        return bool(self._complaints) or any(folder.settings_changed() for folder in self._folders.all())

    def document_at(self, path: str) -> Document | None:
        """The open document of a file, if there is one."""
        return next((one for one in self.documents.values() if one.path == path), None)

    def documents_of(self, folder: Folder) -> list[Document]:
        """The open documents of a project."""
        return [one for one in self.documents.values() if self.folder_of(one) is folder]

    def configure(self, settings: EditorSettings | None = None) -> bool:
        """Read all settings again, with new ones of the editor if given. Where any are invalid the user is told and all
        stay as they were; says whether anything was taken."""
        if settings == self._settings:
            return False
        wanted = settings or self._settings
        folders = Folders(wanted, self.abilities.language)
        with self.speaking():
            try:
                for directory in self._folders.directories():
                    folders.of_directory(directory)
            except ConfigurationError as error:
                self._complain(error, later("mindport: {problem}; the last valid settings stay in force"))
                return False
        self._complaints.clear()
        self._settings = wanted
        self._folders = folders
        self._fragments.clear()
        return True

    def _complain(self, error: ConfigurationError, sentence: str) -> None:
        """Tell the user what is wrong, once; several directories can share a settings file."""
        if str(error) not in self._complaints:
            self._complaints.add(str(error))
            self._show(types.MessageType.Error, say(sentence, problem=error))

    def folders(self) -> tuple[Folder, ...]:
        """The projects that documents have asked for."""
        return self._folders.all()

    def targets(self) -> str:
        """The targets of all projects, for the status line, each in its project's language."""
        found = []
        for folder in self._folders.all():
            with folder.engine.speaking():
                found.append(target_words(folder.target))
        return "; ".join(dict.fromkeys(found))
