"""An open document: its text as the client changes it.

pygls keeps documents too, but splits lines as `str.splitlines` does, at form feeds and other separators that neither
the protocol nor Python counts; a document with one would get every later place wrong."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, unquote, urlparse

from lsprotocol import types

from mindport.lsp.positions import PositionEncoding, from_client
from mindport.model.span import Edit
from mindport.source.discovery import full_path
from mindport.source.lines import lines_with_ends
from mindport.source.text import YAML_SUFFIXES

NOT_OPEN = -1  # the version of a file that no document is open of
_LONGEST_NAME = 255  # bytes
_LONGEST_PATH = 3500  # with room for what is looked for beside it


def path_of_uri(uri: str) -> Path:
    """The path of a document; an untitled or foreign document, and one that no file can be, gets one that no file
    has."""
    try:
        parsed = urlparse(uri)
    except ValueError:  # a bracket where a host would be
        return _path_of_no_file(uri)
    if parsed.scheme == "file":
        path = _local_path(unquote(parsed.path))
    else:
        path = f"/{parsed.scheme or 'untitled'}:/{parsed.path.lstrip('/') or 'document'}"
    return Path(path) if _can_be_a_path(path) else _path_of_no_file(uri)


def _path_of_no_file(uri: str) -> Path:
    number = zlib.crc32(uri.encode("utf-8", "surrogatepass"))
    return Path("/", "untitled:", f"document-{number:08x}{YAML_SUFFIXES[0] * uri.endswith(YAML_SUFFIXES)}")


def _can_be_a_path(path: str) -> bool:
    """Whether a file system can have such a path: any question about another one is an error."""
    try:
        data = os.fsencode(path)
    except UnicodeEncodeError:  # half of a surrogate pair
        return False
    names = map(len, data.split(b"/"))
    return b"\0" not in data and len(data) <= _LONGEST_PATH and max(names) <= _LONGEST_NAME


def _local_path(path: str) -> str:
    if os.name != "nt":
        return path
    # Here, because it loads what speaks HTTP. It takes a drive without escapes, and the rest with them.
    from urllib.request import url2pathname

    return url2pathname(quote(path, safe="/:"))


class Cells(Protocol):
    """The notebook that a document is a cell of."""

    whole: Document

    def cell_at(self, line: int) -> Document:
        """The cell that holds a 1-based line of the whole."""

    def placed(self, edit: Edit) -> tuple[Document, Edit]:
        """An edit of the whole as one of a cell."""


class Document:
    """The text of one open document and its version. `revision` counts the changes, whatever the client counts.

    A cell of a notebook has the text of all cells, in which its own begins at the 0-based `first_line`."""

    __slots__ = ("_text", "first_line", "lines", "notebook", "path", "revision", "uri", "version")

    def __init__(self, uri: str, version: int, text: str) -> None:
        self.uri = uri
        self.path = full_path(str(path_of_uri(uri)))
        self.version = version
        self.revision = 0
        self._text: str | None = text
        self.lines = lines_with_ends(text)
        self.notebook: Cells | None = None
        self.first_line = 0

    @property
    def whole(self) -> Document:
        """What is analysed: the document, or the notebook that it is a cell of."""
        return self if self.notebook is None else self.notebook.whole

    def part_at(self, line: int) -> Document:
        """What the client knows the 1-based line as a part of: the document, or a cell."""
        return self if self.notebook is None else self.notebook.cell_at(line)

    def parted(self, edits: Iterable[Edit]) -> Iterator[tuple[Document, Edit]]:
        """Each edit with what the client knows its place as a part of."""
        for edit in edits:
            yield (self, edit) if self.notebook is None else self.notebook.placed(edit)

    @property
    def text(self) -> str:
        """The whole text, line ends as the client sent them."""
        if self._text is None:
            self._text = "".join(self.lines)
        return self._text

    def take_text_of(self, whole: Document) -> None:
        """Have the text of another document."""
        self.lines, self.revision, self._text = whole.lines, whole.revision, whole.text

    def line(self, line: int) -> str:
        """The text of a 0-based line with its end; empty behind the last."""
        return self.lines[line] if 0 <= line < len(self.lines) else ""

    def change(
        self, changes: list[types.TextDocumentContentChangeEvent], version: int, encoding: PositionEncoding
    ) -> None:
        """Apply the client's changes in order. Ranges outside the text are moved inside."""
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                self._replace(change.range, change.text, encoding)
            else:
                self.lines = lines_with_ends(change.text)
                self._text = None
        self.version = version
        self.revision += 1

    def _replace(self, place: types.Range, text: str, encoding: PositionEncoding) -> None:
        first, start = self._inside(place.start, encoding)
        last, end = self._inside(place.end, encoding)
        if (last, end) < (first, start):
            last, end = first, start
        # One line more on both sides: an edit can join or part a carriage return and its line feed.
        low, high = max(first - 1, 0), min(last + 2, len(self.lines))
        before = "".join(self.lines[low:first]) + self.lines[first][:start]
        after = self.lines[last][end:] + "".join(self.lines[last + 1 : high])
        replaced = lines_with_ends(before + text + after)
        if high < len(self.lines):
            # The stretch ended with a line end, behind which splitting saw one more, empty line.
            replaced.pop()
        self.lines[low:high] = replaced
        self._text = None

    def _inside(self, position: types.Position, encoding: PositionEncoding) -> tuple[int, int]:
        """Line index and code point column of a client's position, moved into the text."""
        if position.line >= len(self.lines):
            return len(self.lines) - 1, len(self.lines[-1])
        line = self.lines[position.line]
        content = line.rstrip("\r\n")
        return position.line, from_client(content, position.character, encoding)
