"""One connection and when its diagnostics are made. Each request has a file of its own in `requests/`."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from mindport import __version__
from mindport.lsp.background_check import BackgroundCheck
from mindport.lsp.client import abilities_of
from mindport.lsp.document import Document
from mindport.lsp.editor_settings import EditorSettings, editor_settings
from mindport.lsp.folder import Folder
from mindport.lsp.garbage import IdleCollector
from mindport.lsp.installed_bprops import InstalledBprops
from mindport.lsp.loader import Loader
from mindport.lsp.notebook import SYNC
from mindport.lsp.protocol import MindportProtocol
from mindport.lsp.pushed_diagnostics import NONE, PushedDiagnostics
from mindport.lsp.searcher import Searcher
from mindport.lsp.session import Session

if TYPE_CHECKING:
    from cattrs import Converter

_LOG = logging.getLogger(__name__)

# While the user types faster than an analysis takes, the newest text is waited for; no longer than this.
_LONGEST_WAIT_SECONDS = 0.3
_IDLE_SECONDS = 0.2  # until the neighbours are looked for
PATIENCE_SECONDS = 3.0  # how long the first diagnostics of a document wait for its neighbours
_PATIENCE_FOR_EACH = 0.02  # seconds more for each open document
_REST_SECONDS = 1.0  # until what takes long is looked at, and the other documents
# Not in the protocol. Editors pass over what begins so; of other names that they do not know some complain.
TARGET_NOTIFICATION = "$/mindport/target"


class MindportServer(LanguageServer):
    """One connection. `session` is there once the client has introduced itself."""

    protocol: MindportProtocol

    def __init__(self, converter_factory: Callable[[], Converter]) -> None:
        super().__init__(
            "mindport",
            __version__,
            protocol_cls=MindportProtocol,
            converter_factory=converter_factory,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            notebook_document_sync=SYNC,
        )
        self._session: Session | None = None
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._due: dict[str, None] = {}  # documents whose diagnostics are published one after the other
        self._loaders: dict[Folder, Loader] = {}
        self._rest: asyncio.TimerHandle | None = None
        self._published: dict[
            str, tuple[int, str]
        ] = {}  # the last diagnostics of each document, as they were pushed
        self._answered: set[str] = set()  # documents whose diagnostics were pulled
        self._target = ""
        self._garbage = IdleCollector()
        self._searcher = Searcher()
        self.installed = InstalledBprops(is_allowed=False)
        self.background = BackgroundCheck(self)
        self.pushed = PushedDiagnostics(self.protocol.notify_prepared)

    @property
    def session(self) -> Session:
        """The session. Raises RuntimeError before `initialize`, which pygls answers as a protocol error."""
        if self._session is None:
            raise RuntimeError("the client has not sent `initialize` yet")
        return self._session

    def begin(self, params: types.InitializeParams) -> None:
        """Start the session of this connection."""
        abilities = abilities_of(params)
        settings = EditorSettings(editor_settings(params.initialization_options) or {})
        self._session = Session(abilities, settings, self.show)
        self.installed = InstalledBprops(abilities.trusts_workspace)

    def show(self, kind: types.MessageType, text: str) -> None:
        """Put a message before the user."""
        self.window_show_message(types.ShowMessageParams(kind, text))

    def document(self, uri: str) -> Document | None:
        """An open document, or None for one that is not open here."""
        return self.session.documents.get(uri)

    def opened(self, document: Document) -> None:
        """Make known what the document imports, then publish its diagnostics, unless the client asks for them."""
        self.background.opened(document.uri)
        folder = self.session.folder_of(document)
        self.put_off(folder)
        self.load_neighbours(folder, 0.0)
        if not self.session.abilities.pulls_diagnostics:
            self._wait_for_neighbours(document.uri, 0.0)

    def _wait_for_neighbours(self, uri: str, waited: float) -> None:
        """Publish the first diagnostics of a document when its neighbours are known, which `_loaded` sees to, or when
        they take too long: longer where many documents are open, as showing each before would take longer still."""
        self._waiting.pop(uri, None)
        document = self.document(uri)
        if document is None:
            return
        patience = PATIENCE_SECONDS + _PATIENCE_FOR_EACH * (len(self.session.documents) - 1)
        if waited < patience and self._loader(self.session.folder_of(document)).is_busy:
            later = asyncio.get_running_loop().call_later
            self._waiting[uri] = later(patience - waited, self._wait_for_neighbours, uri, patience)
        else:
            self._publish_soon(uri)

    def changed(self, document: Document) -> None:
        """Publish the diagnostics of a changed document, and when the user rests what was put off."""
        self._garbage.put_off()
        self.put_off(self.session.folder_of(document))
        self.schedule(document)

    def schedule(self, document: Document) -> None:
        """Publish the document's diagnostics soon, unless the client asks for them itself. A newer version takes the
        place of one that still waits."""
        if self.session.abilities.pulls_diagnostics:
            return
        if document.uri not in self._published and self._loader(self.session.folder_of(document)).is_busy:
            return  # the first diagnostics wait for the neighbours, lest they take half of it back
        earlier = self._waiting.pop(document.uri, None)
        if earlier is not None:
            earlier.cancel()
        wait = min(2 * self.session.last_seconds, _LONGEST_WAIT_SECONDS)
        self._waiting[document.uri] = asyncio.get_running_loop().call_later(
            wait, self._publish_soon, document.uri
        )

    def put_off(self, folder: Folder) -> None:
        """A project changes: leave for a rest what takes too long for a key, where the client can be told of it
        then."""
        self._searcher.stop(folder.project)
        abilities = self.session.abilities
        if abilities.pulls_diagnostics and not abilities.refreshes_diagnostics:
            return
        folder.begin_typing()
        if self._rest is not None:
            self._rest.cancel()
        self._rest = asyncio.get_running_loop().call_later(_REST_SECONDS, self._rested)

    def _rested(self) -> None:
        """Catch up, and publish the diagnostics of the other open documents: a change here may show there. Clients that
        pull ask for those by themselves."""
        self._rest = None
        for folder in self.session.folders():
            if folder.is_behind:
                self._searcher.begin(folder.project, functools.partial(self._caught_up, folder))
            elif folder.is_typed_in:
                self._caught_up(folder)

    def _caught_up(self, folder: Folder) -> None:
        has_others = not self.session.abilities.pulls_diagnostics and len(self.session.documents) > 1
        if folder.rest() or has_others:
            self.show_again(folder)

    def refresh(self) -> None:
        """Start anew with all open documents, after the settings have changed."""
        for loader in self._loaders.values():
            loader.stop()
        self._loaders.clear()
        folders = [self.session.folder_of(document) for document in self.session.documents.values()]
        for folder in dict.fromkeys(folders):
            self.load_neighbours(folder)
            self.show_again(folder)
        self.refresh_lenses()  # also where the settings take them away
        self.announce_target()
        self.background.settings_changed()

    def read_settings(self, settings: EditorSettings | None = None) -> None:
        """Read all settings again, with new ones of the editor if given, and let them count where they are valid."""
        if self.session.configure(settings):
            self.refresh()

    def announce_target(self) -> None:
        """Say what the findings speak of, where that is new."""
        target = self.session.targets()
        if target and target != self._target:
            self._target = target
            self.protocol.notify(TARGET_NOTIFICATION, {"target": target})

    def follow_up(self, document: Document) -> None:
        """Make known what a document with new diagnostics imports, where that has changed, and what its cards may be
        asked for."""
        folder = self.session.folder_of(document)
        if folder.imports_changed(document.whole):
            self.load_neighbours(folder)
        if self.session.analyse(document).links:
            self.installed.begin(folder)

    def load_neighbours(self, folder: Folder, wait: float = _IDLE_SECONDS) -> None:
        """Make known what the open documents of a project import, `wait` seconds from now and between requests."""
        self._loader(folder).begin(wait)

    async def before_first_answer(self, document: Document) -> None:
        """Wait until it is known what a document imports, but not for ever, and only for its first diagnostics."""
        if document.uri not in self._answered:
            await self._loader(self.session.folder_of(document)).finished(PATIENCE_SECONDS)
            self._answered.add(document.uri)

    def _loader(self, folder: Folder) -> Loader:
        loader = self._loaders.get(folder)
        if loader is None:
            loader = Loader(folder, lambda: self.session.documents_of(folder), lambda: self._loaded(folder))
            self._loaders[folder] = loader
        return loader

    def _loaded(self, folder: Folder) -> None:
        self.show_again(folder)
        self._garbage.keep()

    def show_again(self, folder: Folder) -> None:
        """Bring the diagnostics of a project's open documents up to date, and what is counted above the lines."""
        if folder.settings.code_lens:
            self.refresh_lenses()
        if not self.session.abilities.pulls_diagnostics:
            for document in self.session.documents_of(folder):
                self.schedule(document)
        elif self.session.abilities.refreshes_diagnostics and self._answered:
            self.workspace_diagnostic_refresh(None)

    def refresh_lenses(self) -> None:
        """Let the client ask for code lenses again. After an edit of a document it does so for that one by itself."""
        if self.session.abilities.refreshes_lenses:
            self.workspace_code_lens_refresh(None)

    def clear(self, uri: str) -> None:
        """Take the diagnostics of a closed document away."""
        self._published.pop(uri, None)
        self._answered.discard(uri)
        self._due.pop(uri, None)
        earlier = self._waiting.pop(uri, None)
        if earlier is not None:
            earlier.cancel()
        if not self.session.abilities.pulls_diagnostics:
            self.pushed.push(uri, NONE)
        self.background.closed(uri)

    def _publish_soon(self, uri: str) -> None:
        """Publish the diagnostics of a document, but between two documents let what came meanwhile go first."""
        self._waiting.pop(uri, None)
        self._due[uri] = None
        if len(self._due) == 1:
            asyncio.get_running_loop().call_soon(self._publish_next)

    def _publish_next(self) -> None:
        if not self._due:
            return
        uri = next(iter(self._due))
        try:
            self._publish(uri)
        finally:
            self._due.pop(uri, None)
            if self._due:
                asyncio.get_running_loop().call_soon(self._publish_next)

    def _publish(self, uri: str) -> None:
        document = self.document(uri)
        if document is None:
            return
        try:
            diagnostics = self.session.diagnostics_json(document)
            self.follow_up(document)
        except Exception:  # noqa: BLE001  the border of a request that the client did not send
            _LOG.exception("the diagnostics of %s failed", uri)
            return
        shown = (document.version, diagnostics)
        if self._published.get(uri) != shown:
            self._published[uri] = shown
            self.pushed.push(uri, diagnostics, document.version)
