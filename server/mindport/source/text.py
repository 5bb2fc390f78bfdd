"""Bytes to text and back without losing one: encodings, byte order marks and line ends of the user's files.

Reading never raises on what a user's disk holds; it gives a `Problem` with a place instead. Nothing here
decides what is Python: a coding line is honoured for every file except YAML, where it is only a comment."""

from __future__ import annotations

import codecs
import functools
import os
import re
import stat
from pathlib import Path

import msgspec

from mindport.config.regular_file import NotRegular, TooLarge, read_regular
from mindport.model.language import later
from mindport.model.span import Span
from mindport.source.line_ends import has_lone_returns, with_line_feeds, with_own_line_ends
from mindport.source.lines import LineIndex
from mindport.source.notebook import NOTEBOOK_SUFFIX, Notebook, notebook_content, read_notebook
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.reasons import reason_of
from mindport.source.writing import replace_file

YAML_SUFFIXES = (".yaml", ".yml")

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
_BLANK_OR_COMMENT = re.compile(rb"^[ \t\f]*(?:#.*)?$", re.DOTALL)
_ASCII = "\t\n\f\r" + "".join(map(chr, range(32, 127))) + "\n"
_BYTE_LINE_END = re.compile(rb"\r\n|\r|\n")


class SourceText(msgspec.Struct, frozen=True):
    """A decoded file. `text` has no byte order mark, and line feeds in place of lone carriage returns; then `returns`
    is what it was before. `newline` is the line end that new lines get, the most frequent one of the file. Of a
    notebook the text is the code of the cells."""

    path: str
    text: str
    encoding: str = "utf-8"
    has_bom: bool = False
    newline: str = "\n"
    notebook: Notebook | None = None
    returns: str = ""

    def with_text(self, text: str) -> SourceText:
        """The same file with another text."""
        return msgspec.structs.replace(self, text=text)


def read_source(path: str | os.PathLike[str], max_bytes: int | None = None) -> SourceText | Problem:
    """Read and decode one file; one over `max_bytes` is not read at all. Never raises for what is on the disk."""
    data = _read_bytes(os.fspath(path), max_bytes)
    return data if isinstance(data, Problem) else decode_source(data, path)


def decode_source(data: bytes, path: str | os.PathLike[str]) -> SourceText | Problem:
    """Decode the bytes of one file as Python would: byte order mark, coding line, else UTF-8.

    The problems name line and column of the first byte that cannot be right."""
    name = os.fspath(path)
    has_bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if has_bom else data
    null_offset = body.find(b"\0")
    if null_offset >= 0:
        return Problem(ProblemKind.NULL_BYTE, _null_message(data), _place_of_byte(body, null_offset), name)
    cookie = None if name.endswith(YAML_SUFFIXES) else _coding_line(body)
    encoding = "utf-8"
    if cookie is not None:
        declared, span = cookie
        normal = _normal_encoding(declared)
        if normal is None:
            message = later("unknown encoding {declared!r} in the coding line")
            return Problem(ProblemKind.ENCODING, message, span, name, values={"declared": declared})
        if has_bom and normal != "utf-8":
            message = later(
                "the coding line says {declared!r}, but the file begins with a UTF-8 byte order mark"
            )
            return Problem(ProblemKind.ENCODING, message, span, name, values={"declared": declared})
        if not _keeps_ascii(normal):
            message = later(
                "encoding {encoding!r} does not write plain characters as they are, so the file is left alone"
            )
            return Problem(ProblemKind.ENCODING, message, span, name, values={"encoding": normal})
        encoding = normal
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        byte = body[error.start] if error.start < len(body) else 0
        message = later("byte {byte} is not valid {encoding}; save the file as UTF-8 or add a coding line")
        place = _place_of_byte(body, error.start, encoding)
        values = {"byte": f"0x{byte:02x}", "encoding": encoding.upper()}
        return Problem(ProblemKind.ENCODING, message, place, name, values=values)
    except (LookupError, ValueError) as error:
        message = later("cannot be decoded as {encoding}: {reason}")
        values = {"encoding": encoding, "reason": str(error)}
        return Problem(ProblemKind.ENCODING, message, FILE_START, name, values=values)
    if encoding != "utf-8" and not _encodes_back(text, encoding, body):
        message = later("encoding {encoding!r} does not give the same bytes back, so the file is left alone")
        place = cookie[1] if cookie else FILE_START
        return Problem(ProblemKind.ENCODING, message, place, name, values={"encoding": encoding})
    if not name.endswith(NOTEBOOK_SUFFIX):
        return with_known_lines(SourceText(name, text, encoding, has_bom))
    notebook = read_notebook(text, name)
    if isinstance(notebook, Problem):
        return notebook
    return SourceText(name, notebook.text, encoding, has_bom, newline_of(notebook.text), notebook)


def with_known_lines(source: SourceText) -> SourceText:
    """A file whose lines everybody can tell, and with the line end that new ones get."""
    text = source.text
    if source.notebook is not None or not has_lone_returns(text):
        return msgspec.structs.replace(source, newline=newline_of(text))
    newline = "\r\n" if newline_of(text) == "\r\n" else "\n"
    return msgspec.structs.replace(source, text=with_line_feeds(text), newline=newline, returns=text)


def encode_source(source: SourceText) -> bytes:
    """The bytes of the file; those that were read, if the text is the one that was read. Raises
    UnicodeEncodeError where the text holds a character that the file's encoding has not."""
    body = content_of(source).encode(source.encoding)
    return codecs.BOM_UTF8 + body if source.has_bom else body


def content_of(source: SourceText) -> str:
    """What the file holds, decoded: the text itself, or the JSON of a notebook. Raises ValueError for a text that has
    lost the cells of its notebook."""
    if source.returns:
        return with_own_line_ends(source.text, source.returns, newline_of(source.returns))
    if source.notebook is None:
        return source.text
    content = notebook_content(source.notebook, source.text)
    if content is None:
        raise ValueError("the cells of the notebook are no longer to be told apart")
    return content


def newline_of(text: str) -> str:
    """The line end that a text uses most; a line feed where it has none."""
    pairs = text.count("\r\n")
    counts = {"\n": text.count("\n") - pairs, "\r\n": pairs, "\r": text.count("\r") - pairs}
    best = max(counts, key=lambda end: counts[end])
    return best if counts[best] else "\n"


def encoded_source(name: str, changed: SourceText) -> bytes | Problem:
    """The bytes of a changed file called `name`, or why it cannot be written in its encoding."""
    try:
        return encode_source(changed)
    except UnicodeEncodeError as error:
        place = LineIndex(changed.text).span(error.start, error.end)
        character = changed.text[error.start]
        message = later("{character!r} cannot be written in the file's encoding {encoding}")
        values = {"character": character, "encoding": changed.encoding}
        return Problem(ProblemKind.ENCODING, message, place, name, values=values)
    except ValueError as error:
        message = later("was not written: {reason}")
        return Problem(ProblemKind.INTERNAL, message, FILE_START, name, values={"reason": str(error)})


def write_source(
    path: str | os.PathLike[str], changed: SourceText, original: SourceText | None = None
) -> Problem | None:
    """Write a file in one step.

    With `original`, nothing is written if the file on disk is no longer what was read. Mode bits are kept,
    and a link stays a link. Gives the problem, or None when the file is written."""
    name = os.fspath(path)
    data = encoded_source(name, changed)
    if isinstance(data, Problem):
        return data
    try:
        real = Path(name).resolve(strict=False)
    except (OSError, RuntimeError) as error:
        return _unwritable(name, error)
    mode = 0o644
    if original is not None:
        current = _read_bytes(str(real), None)
        if isinstance(current, Problem) or current != encode_source(original):
            message = later("changed on disk since it was read, so it was not written; run again")
            return Problem(ProblemKind.CHANGED, message, FILE_START, name)
    try:
        if real.exists():
            if not os.access(real, os.W_OK):
                return Problem(ProblemKind.UNWRITABLE, "cannot be written: read-only", FILE_START, name)
            mode = stat.S_IMODE(real.stat().st_mode)
        replace_file(real, data, mode)
    except OSError as error:
        return _unwritable(name, error)
    return None


def _read_bytes(name: str, max_bytes: int | None) -> bytes | Problem:
    try:
        return read_regular(name, max_bytes)
    except TooLarge as error:
        return too_large(error.size, max_bytes or 0, name)
    except NotRegular:
        return Problem(ProblemKind.NOT_A_FILE, "is not a regular file", FILE_START, name)
    except IsADirectoryError:
        return Problem(ProblemKind.DIRECTORY, "is a directory, not a file", FILE_START, name)
    except (FileNotFoundError, NotADirectoryError):
        is_link = os.path.islink(name)  # noqa: PTH114
        message = later("is a link to a file that does not exist") if is_link else later("no such file")
        return Problem(ProblemKind.MISSING, message, FILE_START, name)
    except (OSError, ValueError) as error:
        message = later("cannot be read: {reason}")
        return Problem(ProblemKind.UNREADABLE, message, FILE_START, name, values={"reason": reason_of(error)})


def too_large(size: int, limit: int, path: str) -> Problem:
    """The problem of a text with `size` bytes where `limit` are allowed."""
    message = later("is {size:.1f} MB; files over {limit:g} MB are not analysed (setting max-file-size)")
    values = {"size": size / 1024 / 1024, "limit": limit / 1024 / 1024}
    return Problem(ProblemKind.TOO_LARGE, message, FILE_START, path, values=values)


def _unwritable(name: str, error: Exception) -> Problem:
    message = later("cannot be written: {reason}")
    return Problem(ProblemKind.UNWRITABLE, message, FILE_START, name, values={"reason": reason_of(error)})


def _coding_line(body: bytes) -> tuple[str, Span] | None:
    """The encoding that one of the first two lines declares, and where."""
    start = 0
    for line_number in (1, 2):
        end = _BYTE_LINE_END.search(body, start)
        line = body[start : end.start()] if end else body[start:]
        match = _COOKIE.match(line)
        if match is not None:
            declared = match[1].decode("ascii")
            columns = (len(line[: match.start(1)].decode("utf-8", "replace")), len(declared))
            return declared, Span(line_number, columns[0], line_number, sum(columns))
        if end is None or not _BLANK_OR_COMMENT.match(line):
            return None
        start = end.end()
    return None


def _normal_encoding(declared: str) -> str | None:
    """The codec's own name for a declared encoding; None where Python has no such text encoding."""
    lowered = declared.lower().replace("_", "-")
    if lowered in ("utf-8", "utf8") or lowered.startswith(("utf-8-", "utf8-")):
        return "utf-8"
    try:
        name = codecs.lookup(declared).name
        b"#   ".decode(
            declared
        )  # the codecs from bytes to bytes refuse here; decoding nothing would let them pass
    except LookupError:
        return None
    except ValueError:
        return name
    return name


@functools.cache
def _keeps_ascii(encoding: str) -> bool:
    """Whether ASCII stands in an encoding as itself, wherever: in others a part of a text cannot be changed alone."""
    try:
        return (
            _ASCII.encode(encoding) == _ASCII.encode("ascii") and _ASCII.encode().decode(encoding) == _ASCII
        )
    except (UnicodeError, ValueError):
        return False


def _encodes_back(text: str, encoding: str, body: bytes) -> bool:
    try:
        return text.encode(encoding) == body and _coding_line(text.encode("utf-8")) is not None
    except (UnicodeError, ValueError):
        return False


def _null_message(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return later(
            "null byte: the file looks like UTF-16; Python source must be UTF-8 or declare its encoding"
        )
    return later("null byte: Python source cannot hold one")


def _place_of_byte(body: bytes, offset: int, encoding: str = "utf-8") -> Span:
    """The place of one byte; what precedes it is counted in characters as far as it can be decoded."""
    try:
        before = body[:offset].decode(encoding, "replace")
    except (LookupError, ValueError):
        before = body[:offset].decode("latin-1")
    position = LineIndex(before).position(len(before))
    return Span(position.line, position.column, position.line, position.column + 1)
