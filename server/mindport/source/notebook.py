"""Jupyter notebooks as Python text and back: the code cells one below the other, everything else kept byte for byte.

Each cell begins below a marker comment. What IPython reads and Python does not (`%matplotlib inline`, `!pip install`,
`model?`, cells in another language) stands in the text as comments that are turned back. Both are told from the user's
own comments by an invisible character, U+2063."""

from __future__ import annotations

import bisect
import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from mindport.model.language import later
from mindport.model.span import Span
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree

NOTEBOOK_SUFFIX = ".ipynb"

_SIGN = "#\N{INVISIBLE SEPARATOR}"
_MARKER = re.compile(rf"^{_SIGN} cell (\d+)$\n?", re.MULTILINE)
_HIDDEN = re.compile(rf"^([ \t]*)(?:pass )?{_SIGN}(?! cell \d+$)", re.MULTILINE)
_MAGIC = re.compile(r"[ \t]*(?:[%!?]|[\w.]+\s*=\s*[%!]|[^#\"']*\?\??[ \t]*$)")
_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
_PYTHON_CELLS = frozenset(
    ("time", "timeit", "capture", "prun", "memit")
)  # whose body is this notebook's own code
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class Cell(msgspec.Struct, frozen=True, array_like=True):
    """A code cell: its number among all cells of the notebook, counted from 1, and the 1-based line of the joined text
    that it begins on."""

    number: int
    first_line: int


class Notebook(msgspec.Struct, frozen=True):
    """What is needed to write a notebook back: its JSON, its joined text as it was read, and where in the JSON the
    source of each code cell stands, by the number of the cell."""

    content: str
    text: str
    sources: dict[int, tuple[int, int]]


def read_notebook(content: str, path: str) -> Notebook | Problem:
    """The code of a notebook. A problem where it is not JSON, not a notebook of format 4, or not of Python."""
    try:
        document = json.loads(content)
    except json.JSONDecodeError as error:
        place = Span(error.lineno, error.colno - 1, error.lineno, error.colno)
        message = later("is not JSON, as a notebook should be: {reason}")
        return Problem(ProblemKind.ENCODING, message, place, path, values={"reason": error.msg})
    except RecursionError:
        return Problem(ProblemKind.ENCODING, "is nested too deeply to be a notebook", FILE_START, path)
    cells = document.get("cells") if isinstance(document, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        message = later("is not a notebook of format 4; save it with a Jupyter of this decade")
        return Problem(ProblemKind.ENCODING, message, FILE_START, path)
    language = _language(document)
    if language != "python":
        message = later("is a notebook of {language}, not of Python")
        return Problem(ProblemKind.NOT_A_FILE, message, FILE_START, path, values={"language": language})
    parts, sources = [], {}
    for number, (start, end) in enumerate(_source_places(content), 1):
        cell = cells[number - 1]
        source = _joined(cell.get("source"))
        if cell.get("cell_type") == "code" and source is not None:
            parts.append(cell_text(number, source))
            sources[number] = (start, end)
    return Notebook(content, "".join(parts), sources)


def cell_text(number: int, source: str) -> str:
    """A cell as a part of the joined text: the marker with its number in a line of its own, then its code."""
    return f"{_SIGN} cell {number}\n{_hidden(source)}\n"


def notebook_content(notebook: Notebook, text: str) -> str | None:
    """The JSON of the notebook with the cells of a changed text. None where the text has lost its cells."""
    if text == notebook.text:
        return notebook.content
    pieces = _MARKER.split(text)
    numbers = [int(number) for number in pieces[1::2]]
    if numbers != list(notebook.sources) or (pieces[0] and not numbers):
        return None
    bodies = pieces[2::2]
    if numbers:
        bodies[0] = pieces[0] + bodies[0]  # what was put at the top of the text
    content, last = [], 0
    for number, body in zip(numbers, bodies, strict=True):
        start, end = notebook.sources[number]
        content += [
            notebook.content[last:start],
            _written(_HIDDEN.sub(r"\1", body).removesuffix("\n"), notebook.content[start:end]),
        ]
        last = end
    return "".join(content) + notebook.content[last:]


def cells_of(text: str) -> tuple[Cell, ...]:
    """The cells of a joined text; none for any other text."""
    if _SIGN not in text:
        return ()
    return tuple(
        Cell(int(match[1]), text.count("\n", 0, match.start()) + 2) for match in _MARKER.finditer(text)
    )


def place_in_cell(span: Span, cells: tuple[Cell, ...]) -> tuple[int | None, Span]:
    """The cell that a span of the joined text begins in, and the span counted from the cell's first line."""
    index = bisect.bisect_right(cells, span.line, key=lambda cell: cell.first_line) - 1
    if index < 0:
        return None, span
    before = cells[index].first_line - 1
    return cells[index].number, Span(span.line - before, span.column, span.end_line - before, span.end_column)


def place_in_json(span: Span, notebook: Notebook) -> Span:
    """Where in the notebook's JSON the line of the code stands that a span of the joined text begins on: the text that
    holds it, a line of its own as Jupyter writes it. The beginning of the file for what is in no cell."""
    cell, own = place_in_cell(span, cells_of(notebook.text))
    begin, end = notebook.sources.get(cell or 0, (0, 0))
    wanted = own.line - 1
    for start, stop in _texts(notebook.content, begin):
        begin, end = start, stop
        text = json.loads(notebook.content[start:stop])
        wanted -= text.count("\n")
        if wanted < 0 or (wanted == 0 and not text.endswith("\n")):
            break
    line = notebook.content.count("\n", 0, begin) + 1
    column = begin - (notebook.content.rfind("\n", 0, begin) + 1)
    return Span(line, column, line, column + end - begin)


def _texts(content: str, at: int) -> Iterator[tuple[int, int]]:
    """Start and end of each text of a cell's source, which begins at `at`: one, or a list of them."""
    if content[at] == '"':
        yield at, _DECODER.raw_decode(content, at)[1]
    elif content[at] == "[":
        at = _behind_space(content, at + 1)
        while content[at] != "]":
            end = _DECODER.raw_decode(content, at)[1]
            yield at, end
            at = _behind_space(content, end)
            at = _behind_space(content, at + 1) if content[at] == "," else at


def placed_problem(problem: Problem, path: str, cells: tuple[Cell, ...]) -> Problem:
    """A problem of the joined text, under the name of its file and with its place in the cell."""
    cell, span = place_in_cell(problem.span, cells)
    moved = problem.moved(span.line - problem.span.line)
    return msgspec.structs.replace(moved, path=path, cell=cell, span=span)


def _language(document: dict[str, Any]) -> str:
    """The language of the notebook in lower case; Python where it does not say."""
    metadata = document.get("metadata")
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        part = metadata.get(key) if isinstance(metadata, dict) else None
        if isinstance(part, dict) and isinstance(part.get(name), str):
            return str(part[name]).lower()
    return "python"


def _joined(source: object) -> str | None:
    """The source of a cell, which may be a list of lines."""
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    return source if isinstance(source, str) else None


def _source_places(content: str) -> Iterator[tuple[int, int]]:
    """Where the value of `source` begins and ends in the JSON, for each cell; content is known to be JSON."""
    for key, start, _ in _members(content, _behind_space(content, 0)):
        if key != "cells":
            continue
        at = _behind_space(content, start + 1)
        while content[at] != "]":
            own = {name: (begin, end) for name, begin, end in _members(content, at)}
            yield own.get("source", (at, at))
            at = _behind_space(content, _DECODER.raw_decode(content, at)[1])
            at = _behind_space(content, at + 1) if content[at] == "," else at


def _members(content: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Key, start and end of the value of each member of the object that begins at `at`."""
    at = _behind_space(content, at + 1)
    while content[at] != "}":
        key, at = _DECODER.raw_decode(content, at)
        start = _behind_space(content, _behind_space(content, at) + 1)
        _, end = _DECODER.raw_decode(content, start)
        yield key, start, end
        at = _behind_space(content, end)
        at = _behind_space(content, at + 1) if content[at] == "," else at


def _behind_space(content: str, at: int) -> int:
    match = _SPACE.match(content, at)
    assert match is not None  # it may match nothing, but it matches
    return match.end()


def _written(source: str, before: str) -> str:
    """A cell's source as JSON, in the form that it had: a text or a list of lines, with the same white space."""
    value = json.loads(before)
    if source == _joined(value):
        return before
    plain = not before.isascii() or "\\u" not in before
    if isinstance(value, str):
        return json.dumps(source, ensure_ascii=not plain)
    lines = [json.dumps(line, ensure_ascii=not plain) for line in source.splitlines(keepends=True)]
    if not lines:
        return "[]"
    opening, closing = _SPACE.match(before, 1), re.search(r"[ \t\r\n]*\]$", before)
    assert opening is not None
    assert closing is not None  # it is a list
    if not value:
        return f"[{', '.join(lines)}]"
    _, end = _DECODER.raw_decode(before, opening.end())
    behind = before[end : before.index('"', end)] if len(value) > 1 else f",{opening[0] or ' '}"
    return f"[{opening[0]}{behind.join(lines)}{closing[0]}"


def _hidden(source: str) -> str:
    """A cell as Python: what Python does not read becomes comments of the same number of lines."""
    magic = _CELL_MAGIC.match(source)
    lines = source.split("\n")
    if magic is not None and magic[1] not in _PYTHON_CELLS:
        return "\n".join(_SIGN + line for line in lines)
    if magic is not None:
        first = source[: magic.start(1)].count("\n")
        lines[first] = _SIGN + lines[first]
    candidates = [index for index, line in enumerate(lines) if _MAGIC.match(line)]
    while candidates:
        line = _line_that_is_wrong("\n".join(lines))
        if line is None:
            break
        # A line inside brackets or a text may look like a magic; only one where parsing stops is taken for it.
        found = [line] if line in candidates else candidates
        for index in found:
            indent = lines[index][: len(lines[index]) - len(lines[index].lstrip())]
            lines[index] = f"{indent}{'pass ' if indent else ''}{_SIGN}{lines[index][len(indent) :]}"
        candidates = [index for index in candidates if index not in found]
    return "\n".join(lines)


def _line_that_is_wrong(text: str) -> int | None:
    """The 0-based line on which the text stops being Python, or None where all of it parses."""
    try:
        parse_tree(text)
    except SYNTAX_ERRORS as error:
        return (getattr(error, "lineno", None) or 1) - 1
    return None
