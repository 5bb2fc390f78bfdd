"""Lines of the files beside a document, for the columns of places in them."""

from __future__ import annotations

from collections.abc import Callable

from mindport.source.lines import lines_with_ends


class OtherLines:
    """Lines by path and number, as long as nothing changes. `text` gives the text of a file, empty if it is unknown."""

    def __init__(self, text: Callable[[str], str]) -> None:
        self._text = text
        self._lines: dict[str, list[str]] = {}

    def line(self, path: str, line: int) -> str:
        """The text of a 0-based line. In a text that is ASCII throughout every line is taken for empty: columns are the
        same in every encoding there, and it need not be split."""
        lines = self._lines.get(path)
        if lines is None:
            text = self._text(path)
            lines = self._lines[path] = [] if text.isascii() else lines_with_ends(text)
        return lines[line] if 0 <= line < len(lines) else ""
