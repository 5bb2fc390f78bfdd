"""Comments that ignore findings: where they stand, what they add to those that are there, and where none can stand."""

from __future__ import annotations

import datetime

import pytest

from mindport.checking.suppress import with_ignored
from mindport.checking.suppression import apply_suppressions, find_suppressions
from mindport.model.finding import Finding, Severity
from mindport.model.span import Span
from mindport.source.text import SourceText

Place = tuple[str, int, int]  # code, line and last line


def ignored(text: str, places: list[Place], reason: str = "", newline: str = "\n") -> tuple[str, set[int]]:
    findings = {
        index: Finding(code, Severity.WARNING, Span(line, 0, last, 1), "")
        for index, (code, line, last) in enumerate(places)
    }
    done = with_ignored(SourceText("a.py", text, newline=newline), findings, reason)
    left = apply_suppressions(
        [findings[index] for index in sorted(done.indexes)],
        find_suppressions(done.source.text),
        datetime.date.today(),
    )
    # The comments do what they say, and no code is there for nothing but the one that was there before.
    assert all("no MP102 here" in one.message for one in left.findings)
    return done.source.text, {*done.indexes}


@pytest.mark.parametrize(
    ("before", "places", "after"),
    [
        ("x = a()\n", [("MP101", 1, 1)], "x = a()  # mindport: ignore[MP101]\n"),
        ("x = a()", [("MP101", 1, 1)], "x = a()  # mindport: ignore[MP101]"),
        ("x = a() \n", [("MP101", 1, 1)], "x = a() # mindport: ignore[MP101]\n"),
        (
            "x = a(b())\n",
            [("MP106", 1, 1), ("MP101", 1, 1), ("MP106", 1, 1)],
            "x = a(b())  # mindport: ignore[MP101, MP106]\n",
        ),
        ("x = 1  # noqa\n", [("MP101", 1, 1)], "x = 1  # noqa  # mindport: ignore[MP101]\n"),
        (
            "x = a()  # mindport: ignore[MP102] why\n",
            [("MP101", 1, 1), ("MP103", 1, 1)],
            "x = a()  # mindport: ignore[MP102, MP101, MP103] why\n",
        ),
        (
            "# mindport: ignore[MP102]\nx = a()\n",
            [("MP101", 2, 2)],
            "# mindport: ignore[MP102, MP101]\nx = a()\n",
        ),
        # The first line that takes a comment.
        ("x = a(\n    1)\n", [("MP101", 1, 2)], "x = a(  # mindport: ignore[MP101]\n    1)\n"),
        ("x = a('''\n''')\n", [("MP101", 1, 2)], "x = a('''\n''')  # mindport: ignore[MP101]\n"),
        ("x = a + \\\n    b\n", [("MP101", 1, 2)], "x = a + \\\n    b  # mindport: ignore[MP101]\n"),
        ("x = '😀'; a()  # 文\n", [("MP101", 1, 1)], "x = '😀'; a()  # 文  # mindport: ignore[MP101]\n"),
    ],
)
def test_comments(before: str, places: list[Place], after: str) -> None:
    assert ignored(before, places) == (after, set(range(len(places))))


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("x = a() + \\\n    b\n", [("MP101", 1, 1)]),
        ("x = '''{}\n'''.format(a())\n", [("MP101", 1, 1)]),
        ("x = '''\n" + "y\n" * 3, [("MP101", 2, 2)]),  # nothing can be told of text that is cut off
    ],
)
def test_lines_that_take_none(text: str, places: list[Place]) -> None:
    assert ignored(text, places) == (text, set())


def test_what_is_ignored_already_needs_no_comment() -> None:
    text = "a()  # mindport: ignore[MP101]\nb()\n"
    assert ignored(text, [("MP101", 1, 1), ("MP102", 2, 2)]) == (
        text.replace("b()", "b()  # mindport: ignore[MP102]"),
        {0, 1},
    )
    assert ignored("# mindport: ignore-file\na()\n", [("MP101", 2, 2)])[1] == {0}


def test_the_reason_and_the_line_ends() -> None:
    text, _ = ignored("a()\r\nb()\r\n", [("MP101", 1, 1), ("MP102", 2, 2)], "until 文 is there", "\r\n")
    assert text == (
        "a()  # mindport: ignore[MP101] until 文 is there\r\n"
        "b()  # mindport: ignore[MP102] until 文 is there\r\n"
    )


def test_broken_code_before_the_end_keeps_its_comments() -> None:
    assert ignored("a()\nb(\n", [("MP101", 1, 1)])[0] == "a()  # mindport: ignore[MP101]\nb(\n"
