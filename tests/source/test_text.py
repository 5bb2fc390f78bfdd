"""Bytes to text and back: every encoding and line end survives, and what cannot be read says where."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindport.source.problem import Problem, ProblemKind
from mindport.source.text import (
    SourceText,
    decode_source,
    encode_source,
    newline_of,
    read_source,
    write_source,
)

READABLE = {
    "empty": (b"", "", "utf-8", False, "\n"),
    "plain": (b"import torch\n", "import torch\n", "utf-8", False, "\n"),
    "no last line end": (b"x = 1", "x = 1", "utf-8", False, "\n"),
    "byte order mark": (b"\xef\xbb\xbfx = 1\r\n", "x = 1\r\n", "utf-8", True, "\r\n"),
    "mark and coding line": (
        b"\xef\xbb\xbf# coding: utf-8\n",
        "# coding: utf-8\n",
        "utf-8",
        True,
        "\n",
    ),
    "carriage returns only": (b"a\rb\rc", "a\nb\nc", "utf-8", False, "\n"),
    "mixed line ends": (b"a\r\nb\r\nc\nd\r", "a\r\nb\r\nc\nd\n", "utf-8", False, "\r\n"),
    "form feed and tabs": (b"\x0cdef f():\n\treturn 1\n", "\x0cdef f():\n\treturn 1\n", "utf-8", False, "\n"),
    "latin-1": (
        b"# -*- coding: latin-1 -*-\ns = '\xe9'\n",
        "# -*- coding: latin-1 -*-\ns = 'é'\n",
        "iso8859-1",
        False,
        "\n",
    ),
    "coding on the second line": (
        b"#!/usr/bin/python\n# vim: set fileencoding=gbk :\ns = '\xc4\xe3'\n",
        "#!/usr/bin/python\n# vim: set fileencoding=gbk :\ns = '你'\n",
        "gbk",
        False,
        "\n",
    ),
    "coding line after a carriage return": (
        b"#!x\r# coding: cp1252\rs = '\x80'\r",
        "#!x\n# coding: cp1252\ns = '€'\n",
        "cp1252",
        False,
        "\n",
    ),
    "coding after code is a comment": (
        b"x = 1\n# coding: no\n",
        "x = 1\n# coding: no\n",
        "utf-8",
        False,
        "\n",
    ),
    "coding on the third line": (b"\n\n# coding: no\n", "\n\n# coding: no\n", "utf-8", False, "\n"),
    "utf-8 under another name": (
        b"# coding: UTF_8-unix\n\xe4\xbd\xa0",
        "# coding: UTF_8-unix\n你",
        "utf-8",
        False,
        "\n",
    ),
    "unicode line separators": ("a = '\u2028\x85'\n".encode(), "a = '\u2028\x85'\n", "utf-8", False, "\n"),
}

UNREADABLE = {
    "bad byte": (b"x = 1\ny = '\xe9'\n", ProblemKind.ENCODING, 2, 5, "0xe9 is not valid UTF-8"),
    "bad byte after Chinese": ("# 你好".encode() + b"\xff", ProblemKind.ENCODING, 1, 4, "0xff"),
    "bad byte after a lone carriage return": (b"a\rb\xff", ProblemKind.ENCODING, 2, 1, "0xff"),
    "bad byte with a mark": (b"\xef\xbb\xbf\xff", ProblemKind.ENCODING, 1, 0, "0xff"),
    "cut character": ("a = '你".encode()[:-1], ProblemKind.ENCODING, 1, 5, "not valid UTF-8"),
    "surrogate": (b"'\xed\xa0\x80'", ProblemKind.ENCODING, 1, 1, "not valid UTF-8"),
    "ascii coding line": (b"# coding: ascii\n#\xe9", ProblemKind.ENCODING, 2, 1, "not valid ASCII"),
    "unknown coding": (b"# coding: klingon\n", ProblemKind.ENCODING, 1, 10, "unknown encoding 'klingon'"),
    "not a text encoding": (b"# coding: hex\n", ProblemKind.ENCODING, 1, 10, "unknown encoding 'hex'"),
    "mark against coding line": (
        b"\xef\xbb\xbf# coding: latin-1\n",
        ProblemKind.ENCODING,
        1,
        10,
        "byte order",
    ),
    "an encoding that hides ascii": (b"# coding: utf-16\n\n", ProblemKind.ENCODING, 1, 10, "utf-16"),
    "null byte": (b"x = 1\ny = \0 2\n", ProblemKind.NULL_BYTE, 2, 4, "null byte"),
    "utf-16": ("import torch\n".encode("utf-16"), ProblemKind.NULL_BYTE, 1, 3, "UTF-16"),
}


@pytest.mark.parametrize("name", READABLE)
def test_decodes_and_gives_the_bytes_back(name: str) -> None:
    data, text, encoding, has_bom, newline = READABLE[name]
    source = decode_source(data, "a.py")
    assert isinstance(source, SourceText)
    assert msgspec.structs.replace(source, returns="") == SourceText("a.py", text, encoding, has_bom, newline)
    assert bool(source.returns) is (b"\r" in data.replace(b"\r\n", b""))
    assert encode_source(source) == data


@pytest.mark.parametrize("name", UNREADABLE)
def test_says_what_and_where(name: str) -> None:
    data, kind, line, column, words = UNREADABLE[name]
    problem = decode_source(data, "a.py")
    assert isinstance(problem, Problem)
    assert (problem.kind, problem.span.line, problem.span.column) == (kind, line, column)
    assert words in problem.message
    assert str(problem).startswith(f"a.py:{line}:{column + 1}: ") or problem.span.start == (1, 0)


@given(st.binary(max_size=60))
def test_any_bytes_come_back_or_are_a_problem(data: bytes) -> None:
    source = decode_source(data, "a.py")
    if isinstance(source, SourceText):
        assert encode_source(source) == data


@given(
    st.sampled_from(["utf-7", "gbk", "shift_jis", "iso2022_jp", "cp037", "idna", "utf-32"]),
    st.binary(max_size=30),
)
def test_declared_encodings_come_back_or_are_a_problem(encoding: str, data: bytes) -> None:
    whole = b"# coding: " + encoding.encode() + b"\n" + data
    source = decode_source(whole, "a.py")
    if isinstance(source, SourceText):
        assert encode_source(source) == whole


def test_yaml_has_no_coding_line() -> None:
    source = decode_source("# coding: latin-1\nname: é\n".encode(), "a.yaml")
    assert isinstance(source, SourceText)
    assert source.text.endswith("é\n")


@pytest.mark.parametrize(
    ("text", "newline"),
    [("", "\n"), ("a", "\n"), ("\r\n\r\n\n", "\r\n"), ("\n\r\n", "\n"), ("\r\r\n\r", "\r")],
)
def test_newline_is_the_most_frequent(text: str, newline: str) -> None:
    assert newline_of(text) == newline


def test_reading_names_what_is_wrong_with_the_path(tmp_path: Path) -> None:
    large = tmp_path / "large.py"
    large.write_bytes(b"#" * 2000)
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    loop = tmp_path / "loop.py"
    loop.symlink_to(loop)
    cases = {
        tmp_path / "missing.py": ProblemKind.MISSING,
        large / "below_a_file.py": ProblemKind.MISSING,
        tmp_path: ProblemKind.DIRECTORY,
        pipe: ProblemKind.NOT_A_FILE,
        loop: ProblemKind.UNREADABLE,
    }
    for path, kind in cases.items():
        problem = read_source(path)
        assert isinstance(problem, Problem)
        assert problem.kind is kind
        assert problem.path == str(path)
    too_large = read_source(large, max_bytes=1999)
    assert isinstance(too_large, Problem)
    assert too_large.kind is ProblemKind.TOO_LARGE
    assert "max-file-size" in too_large.message
    assert isinstance(read_source(large, max_bytes=2000), SourceText)


def test_unreadable_for_lack_of_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.py"
    path.write_text("x = 1\n")
    if os.geteuid() == 0:  # permissions do not bind the superuser, so the refusal is made by hand

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("os.open", refuse)
    else:
        path.chmod(0)
    problem = read_source(path)
    assert isinstance(problem, Problem)
    assert (problem.kind, problem.message) == (ProblemKind.UNREADABLE, "cannot be read: permission denied")


def read(path: Path) -> SourceText:
    source = read_source(path)
    assert isinstance(source, SourceText)
    return source


def test_writing_keeps_mark_mode_and_link(tmp_path: Path) -> None:
    real = tmp_path / "real.py"
    real.write_bytes(b"\xef\xbb\xbfx = 1\r\n")
    real.chmod(0o755)
    link = tmp_path / "link.py"
    link.symlink_to(real)
    source = read(link)
    assert write_source(link, source.with_text("y = 2\r\n"), source) is None
    assert real.read_bytes() == b"\xef\xbb\xbfy = 2\r\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o755
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.py", "real.py"]


def test_writing_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "new.py"
    assert write_source(path, SourceText(str(path), "x = 1\n")) is None
    assert path.read_bytes() == b"x = 1\n"


def test_writing_refuses_a_file_that_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    source = read(path)
    path.write_text("x = 3\n")
    problem = write_source(path, source.with_text("x = 2\n"), source)
    assert problem is not None
    assert problem.kind is ProblemKind.CHANGED
    assert path.read_text() == "x = 3\n"
    path.unlink()
    problem = write_source(path, source.with_text("x = 2\n"), source)
    assert problem is not None
    assert not path.exists()


def test_writing_refuses_what_the_encoding_has_not(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"# coding: latin-1\nx = 1\n")
    source = read(path)
    problem = write_source(path, source.with_text("# coding: latin-1\nx = '你'\n"), source)
    assert problem is not None
    assert (problem.kind, problem.span.line, problem.span.column) == (ProblemKind.ENCODING, 2, 5)
    assert path.read_bytes() == b"# coding: latin-1\nx = 1\n"


def test_writing_into_nowhere_is_a_problem(tmp_path: Path) -> None:
    problem = write_source(tmp_path / "no" / "a.py", SourceText("a.py", "x"))
    assert problem is not None
    assert problem.kind is ProblemKind.UNWRITABLE


# what is read -> what its text is changed to -> what is written
CHANGED = [
    (b"a\rb\r", "a\nnew\nb\n", b"a\rnew\rb\r"),
    (b"a\rb", "a\nB", b"a\rB"),
    (b"a\rb", "a\nb\nc\n", b"a\rb\rc\r"),
    (b"a\rb\nc\n", "x\na\nb\nc\n", b"x\na\rb\nc\n"),
    (b"a\rb\r\nc\r\n", "a\nB\r\nc\r\n", b"a\rB\r\nc\r\n"),
    (b"a\rb\r\nc\r\n", "a\nc\r\n", b"a\rc\r\n"),
    (b"a\rb\n", "A\nb\n", b"A\rb\n"),
    (b"a\r\nb\r\n", "x\r\na\r\nb\r\n", b"x\r\na\r\nb\r\n"),
    (b"a\nb\n", "x\na\nb\n", b"x\na\nb\n"),
    (b"\r\r\r", "\n\n", b"\r\r"),
    (b"a\rb\rc\nd", "", b""),
]


@pytest.mark.parametrize(("data", "changed", "written"), CHANGED)
def test_lines_keep_their_ends(data: bytes, changed: str, written: bytes) -> None:
    source = decode_source(data, "a.py")
    assert isinstance(source, SourceText)
    assert "\r" not in source.text.replace("\r\n", "")
    assert encode_source(source) == data
    assert encode_source(source.with_text(changed)) == written


ASCII_AS_ITSELF = ("latin-1", "gbk", "big5", "shift_jis", "euc_kr", "gb18030", "koi8-r", "cp1252", "ascii")


@pytest.mark.parametrize(
    "encoding", ["punycode", "idna", "utf-7", "utf-16", "utf-32", "hz", "cp037", "cp500", "unicode_escape"]
)
def test_encodings_that_no_part_can_be_changed_in(encoding: str) -> None:
    problem = decode_source(f"# coding: {encoding}\nimport torch  # a-\n".encode(), "a.py")
    assert isinstance(problem, Problem)
    assert (problem.kind, problem.span.line, problem.span.column) == (ProblemKind.ENCODING, 1, 10)


@pytest.mark.parametrize("encoding", ASCII_AS_ITSELF)
def test_encodings_that_extend_ascii(encoding: str) -> None:
    assert isinstance(
        decode_source(f"# coding: {encoding}\nimport torch  # a-\n".encode(), "a.py"), SourceText
    )
