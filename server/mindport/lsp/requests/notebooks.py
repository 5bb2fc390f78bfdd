"""Notebooks that are opened, changed and closed."""

from __future__ import annotations

from lsprotocol import types

from mindport.lsp.notebook import OpenNotebook
from mindport.lsp.requests.documents import read_settings_of
from mindport.lsp.server import MindportServer


def register(server: MindportServer) -> None:
    """Register the handlers."""
    notebooks: dict[str, OpenNotebook] = {}

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenNotebookDocumentParams) -> None:
        notebook = OpenNotebook(params.notebook_document, params.cell_text_documents)
        notebooks[params.notebook_document.uri] = notebook
        server.session.show_notebook(notebook)
        server.background.notebook_opened(params.notebook_document.uri)
        read_settings_of(server, notebook.whole)
        for cell in notebook.cells:
            server.opened(cell)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeNotebookDocumentParams) -> None:
        notebook = notebooks.get(params.notebook_document.uri)
        if notebook is None:
            return
        notebook.change(params, server.session.abilities.encoding)
        for uri in server.session.show_notebook(notebook):
            server.clear(uri)
        for cell in notebook.cells:
            server.changed(cell)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveNotebookDocumentParams) -> None:
        notebook = notebooks.get(params.notebook_document.uri)
        if notebook is not None:
            read_settings_of(server, notebook.whole)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseNotebookDocumentParams) -> None:
        notebook = notebooks.pop(params.notebook_document.uri, None)
        if notebook is None:
            return
        folder = server.session.folder_of(notebook.whole)
        for cell in notebook.cells:
            server.session.documents.pop(cell.uri, None)
            server.clear(cell.uri)
        folder.close(notebook.whole)
        server.background.closed(params.notebook_document.uri)
        server.load_neighbours(folder)
