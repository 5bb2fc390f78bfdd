"""Lines and columns agree with what Python's own parser says, on every kind of line end and script."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindport.model.span import Position, Span
from mindport.source.lines import LineIndex

LINES = {
    "": [""],
    "a": ["a"],
    "a\n": ["a", ""],
    "a\r\nb": ["a", "b"],
    "a\rb\r\n\nc\n": ["a", "b", "", "c", ""],
    "a\x0cb\x0bc\u2028d\x85e\x1c": ["a\x0cb\x0bc\u2028d\x85e\x1c"],
    "\n\r": ["", "", ""],
}


@pytest.mark.parametrize("text", LINES)
def test_lines_as_the_tokenizer_counts_them(text: str) -> None:
    index = LineIndex(text)
    assert index.line_count == len(LINES[text])
    assert [index.line_text(line) for line in range(1, index.line_count + 1)] == LINES[text]


@pytest.mark.parametrize(
    ("position", "offset"),
    [
        ((1, 0), 0),
        ((1, 3), 3),
        ((1, 99), 3),
        ((2, 0), 5),
        ((2, 1), 6),
        ((2, 2), 6),
        ((3, 0), 7),
        ((3, 5), 9),
        ((9, 0), 9),
        ((0, 4), 0),
        ((1, -2), 0),
    ],
)
def test_offsets_stay_inside(position: tuple[int, int], offset: int) -> None:
    assert LineIndex("abc\r\nd\nef").offset(Position(*position)) == offset


@given(st.text(alphabet="ab\n\r\x0c你😀", max_size=30))
def test_position_and_offset_are_inverse(text: str) -> None:
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        inside_a_pair = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
        if not inside_a_pair:
            assert index.offset(index.position(offset)) == offset


@given(st.text(alphabet="ab é你😀\t", max_size=20))
def test_byte_columns(line: str) -> None:
    index = LineIndex(f"# 你\n{line}\n")
    for column in range(len(line) + 1):
        byte_column = len(line[:column].encode())
        assert index.column_of_byte(2, byte_column) == column


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("first", ["x = 1", "s = '你好'", "s = '😀'  # é", "\x0cx = 1", "s = '\u2028'"])
def test_agrees_with_the_parser(first: str, end: str) -> None:
    text = end.join([first, "def f():", "\treturn '😀', torch.relu(x)", ""])
    index = LineIndex(text)
    found = [
        index.slice(
            Span(
                node.lineno,
                index.column_of_byte(node.lineno, node.col_offset),
                node.end_lineno or 0,
                index.column_of_byte(node.end_lineno or 0, node.end_col_offset or 0),
            )
        )
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
    ]
    assert found == ["torch.relu(x)"]


def test_slice_across_lines_keeps_line_ends() -> None:
    index = LineIndex("ab\r\ncd\ref")
    assert index.slice(Span(1, 1, 3, 1)) == "b\r\ncd\re"
    assert index.slice(Span(2, 0, 2, 0)) == ""
