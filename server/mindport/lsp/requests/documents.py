"""Documents that are opened, changed and closed."""

from __future__ import annotations

from lsprotocol import types

from mindport.lsp.server import MindportServer


def register(server: MindportServer) -> None:
    """Register the handlers."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.schedule(server.session.open(params.text_document))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        document = server.document(params.text_document.uri)
        if document is not None:
            version = params.text_document.version
            document.change(list(params.content_changes), version, server.session.abilities.encoding)
            server.schedule(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.session.close(params.text_document.uri)
        server.clear(params.text_document.uri)
