"""Documents that are opened, changed and closed."""

from __future__ import annotations

from lsprotocol import types

from mindport.lsp.document import Document
from mindport.lsp.server import MindportServer


def register(server: MindportServer) -> None:
    """Register the handlers."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        document = server.session.open(params.text_document)
        read_settings_of(server, document)
        server.opened(document)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        document = server.document(params.text_document.uri)
        if document is not None:
            read_settings_of(server, document)
            server.background.files_changed()

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        document = server.document(params.text_document.uri)
        if document is not None:
            version = params.text_document.version
            document.change(list(params.content_changes), version, server.session.abilities.encoding)
            server.changed(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        document = server.document(params.text_document.uri)
        if document is not None:
            server.put_off(server.session.folder_of(document))
        folder = server.session.close(params.text_document.uri)
        server.clear(params.text_document.uri)
        if folder is not None:
            server.load_neighbours(folder)


def read_settings_of(server: MindportServer, document: Document) -> None:
    """Bring a document's settings up to date, for clients that do not watch files for us."""
    server.session.folder_of(document)
    if server.session.settings_changed():
        server.read_settings()
    server.announce_target()
