"""An open notebook: its cells as the client changes them, and the one text that they are analysed as.

Each code cell is a document to the client, with places of its own. To the analysis there is one document, the same text
that `mindport check` reads from the file; what the requests get for a cell is that text and where in it the cell
begins."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence

import msgspec
from lsprotocol import types

from mindport.lsp.document import Document
from mindport.lsp.positions import PositionEncoding
from mindport.model.span import Edit, Span
from mindport.source.notebook import NOTEBOOK_SUFFIX, cell_text

SYNC = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithNotebook(
            notebook="jupyter-notebook", cells=[types.NotebookCellLanguage(language="python")]
        )
    ],
    save=True,
)
"""What the server asks clients to send of notebooks: the Python cells of Jupyter's."""


class _Cell(msgspec.Struct):
    """A cell: its own text as the client changes it, and what the requests get for it. Both are None for a cell that is
    no code, or in another language."""

    uri: str
    source: Document | None = None
    view: Document | None = None


class OpenNotebook:
    """The cells of a notebook in their order. `whole` is the document that is analysed."""

    def __init__(self, notebook: types.NotebookDocument, documents: Iterable[types.TextDocumentItem]) -> None:
        self.whole = Document(notebook.uri, notebook.version, "")
        if not self.whole.path.endswith(NOTEBOOK_SUFFIX):
            self.whole.path += NOTEBOOK_SUFFIX  # one that was never saved
        self._cells: list[_Cell] = []
        self._starts: list[int] = []  # the 1-based lines that the code cells begin on
        self._views: list[Document] = []
        self._splice(0, 0, notebook.cells, documents)
        self._join()

    @property
    def cells(self) -> Sequence[Document]:
        """The code cells, each with the text of the whole."""
        return self._views

    def change(self, params: types.DidChangeNotebookDocumentParams, encoding: PositionEncoding) -> None:
        """Take the client's changes: cells that came and went, and texts."""
        self.whole.version = params.notebook_document.version
        changes = params.change.cells
        if changes is not None:
            if changes.structure is not None:
                array = changes.structure.array
                self._splice(
                    array.start, array.delete_count, array.cells or (), changes.structure.did_open or ()
                )
            for content in changes.text_content or ():
                source = next((one.source for one in self._cells if one.uri == content.document.uri), None)
                if source is not None:
                    source.change(list(content.changes), content.document.version, encoding)
        self._join()

    def cell_at(self, line: int) -> Document:
        """The cell that holds a 1-based line of the whole; the first one for what is above it."""
        if not self._views:
            return self.whole
        return self._views[max(bisect.bisect_right(self._starts, line) - 1, 0)]

    def placed(self, edit: Edit) -> tuple[Document, Edit]:
        """An edit of the whole as one of a cell. The line with the marker below a cell is its end to the client, where
        its text may have no line end."""
        span, text = edit.span, edit.text
        # What is put in front of a marker is the end of the cell above it.
        is_at_marker = span.line + 1 in self._starts and span.line + 1 != self._starts[0] and not span.column
        cell = self.cell_at(span.line - 1 if is_at_marker else span.line)
        start = Span(max(span.line, cell.first_line + 1), span.column, 0, 0)
        last = self._last_line(cell)
        end_line, end_column = span.end_line, span.end_column
        if end_line > last:
            end_line, end_column = last, len(self.whole.line(last - 1).rstrip("\r\n"))
            text = text.removesuffix("\n")
        if start.line > last:
            start, text = Span(last, end_column, 0, 0), "\n" + text
        return cell, Edit(Span(start.line, start.column, max(end_line, start.line), end_column), text)

    def _last_line(self, cell: Document) -> int:
        """The last 1-based line of a cell in the whole."""
        at = self._views.index(cell)
        return self._starts[at + 1] - 2 if at + 1 < len(self._starts) else len(self.whole.lines) - 1

    def _splice(
        self,
        start: int,
        deleted: int,
        cells: Iterable[types.NotebookCell],
        documents: Iterable[types.TextDocumentItem],
    ) -> None:
        texts = {one.uri: one for one in documents}
        known = {one.uri: one for one in self._cells}
        fresh = []
        for cell in cells:
            item = texts.get(cell.document)
            made = known.get(cell.document) or _Cell(
                cell.document
            )  # a cell that is moved is not opened again
            if item is not None and cell.kind is types.NotebookCellKind.Code and item.language_id == "python":
                made.source = Document(item.uri, item.version, item.text)
                made.view = Document(item.uri, item.version, "")
                made.view.notebook, made.view.path = self, self.whole.path
            fresh.append(made)
        self._cells[start : start + deleted] = fresh

    def _join(self) -> None:
        """Make the whole and the cells' share of it anew."""
        parts: list[str] = []
        self._starts, self._views = [], []
        line = 1
        for number, cell in enumerate(self._cells, 1):
            if cell.source is None or cell.view is None:
                continue
            part = cell_text(number, cell.source.text.replace("\r\n", "\n"))
            self._starts.append(line + 1)
            self._views.append(cell.view)
            cell.view.first_line, cell.view.version = line, cell.source.version
            line += part.count("\n")
            parts.append(part)
        whole = types.TextDocumentContentChangeWholeDocument("".join(parts))
        self.whole.change([whole], self.whole.version, PositionEncoding.UTF16)
        for view in self._views:
            view.take_text_of(self.whole)
