"""Suppression comments: which findings they take out, and what is said of those that take out none."""

import datetime

import pytest

from mindport.checking.idle_comments import removal_edits
from mindport.checking.suppression import apply_suppressions, find_suppressions
from mindport.model.finding import Finding, Severity
from mindport.model.span import Span
from mindport.rewrite.apply import apply_edits


def finding(rule, line, end_line=None):
    return Finding(rule, Severity.WARNING, Span(line, 4, end_line or line, 9), "message")


TODAY = datetime.date(2027, 3, 31)


def left(text, *findings):
    result = apply_suppressions(findings, find_suppressions(text), TODAY)
    return [(one.rule, one.span.line) for one in result.findings], result.count


SUPPRESSED = [
    ("x = 1  # mindport: ignore\n", finding("MP101", 1)),
    ("x = 1  # mindport: ignore[MP101]\n", finding("MP101", 1)),
    ("x = 1  # mindport:ignore [ MP101 , ] because\n", finding("MP101", 1)),
    ("x = 1  # type: ignore  # mindport: ignore[MP101]\n", finding("MP101", 1)),
    ("# mindport: ignore[MP101]\nx = 1\n", finding("MP101", 2)),
    ("# mindport: ignore[MP101]\n\n# more\nx = 1\n", finding("MP101", 4)),
    ("\nx = f(1,  # mindport: ignore[MP101]\n  2)\n", finding("MP101", 2, 3)),
    ("\nx = f(1,\n  2)  # mindport: ignore[MP101]\n", finding("MP101", 2, 3)),
    ("x = 1\n# mindport: ignore-file\n", finding("MP101", 1)),
    ("x = 1\n# mindport: ignore-file[MP101] reason\n", finding("MP101", 1)),
    ('"""\n"""; x = 1  # mindport: ignore\n', finding("MP101", 2)),
    ("x = '😀 中文'  # mindport: ignore\n", finding("MP101", 1)),
    ("x = 1\r\ny = 2  # mindport: ignore\r\n", finding("MP101", 2)),
    ("x = 1\ry = 2  # mindport: ignore\r", finding("MP101", 2)),
    ("x = 'don\\'t'  # mindport: ignore", finding("MP101", 1)),
    ("x = (  # mindport: ignore", finding("MP101", 1)),
    ("x = 1  # mindport: ignore[MP101] until 2027-03-31 reason\n", finding("MP101", 1)),
    ("x = 1  # mindport: ignore until 2027-04-01: reason\n", finding("MP101", 1)),
    ("# mindport: ignore-file[MP101] until 2100-01-01\nx = 1\n", finding("MP101", 2)),
    ("x = 1  # mindport: ignore[MP101] until X is ported\n", finding("MP101", 1)),
    ("x = 1  # mindport: ignore[MP101] not until 2020-01-01\n", finding("MP101", 1)),
]

KEPT = [
    ("x = 1  # mindport: ignore[MP102]\n", finding("MP101", 1)),
    ("x = 1  # mindport: ignore\ny = 2\n", finding("MP101", 2)),
    ("x = 1\n# mindport: ignore\ny = 2\n", finding("MP101", 1)),
    ("x = '# mindport: ignore'\n", finding("MP101", 1)),
    ('"""\n# mindport: ignore-file\n"""\nx = 1\n', finding("MP101", 4)),
    ("x = 'a\\'# mindport: ignore'\n", finding("MP101", 1)),
    ("x = 1  # mindport: ignored\n", finding("MP101", 1)),
    ("x = 1  # mindport: ignore-line\n", finding("MP101", 1)),
    ("x = 1  # mindport ignore\n", finding("MP101", 1)),
    ("x = 1  # mindport: ignore[101]\n", finding("MP101", 1)),
    ("x = 1  # mindport: ignore[]\n", finding("MP101", 1)),
    ("x = 1\n# mindport: ignore-file[MP102]\n", finding("MP101", 1)),
    ("x = 1  # mindport: ignore[MP101] until 2027-03-30\n", finding("MP101", 1)),
    ("x = 1  # mindport: ignore until 2020-01-01 reason\n", finding("MP101", 1)),
    ("# mindport: ignore-file until 2027-03-30\nx = 1\n", finding("MP101", 2)),
    ("x = 1  # mindport: ignore[MP101] until 31.3.2028\n", finding("MP101", 1)),
    ("x = 1  # mindport: ignore[MP101] until 2028-02-31\n", finding("MP101", 1)),
    ("x = 1  # mindport: ignore[MP101] until 20280101\n", finding("MP101", 1)),
]


@pytest.mark.parametrize(("text", "one"), SUPPRESSED)
def test_a_comment_takes_its_finding_out(text, one):
    assert left(text, one) == ([], 1)


@pytest.mark.parametrize(("text", "one"), KEPT)
def test_other_findings_stay(text, one):
    kept, count = left(text, one)
    assert (one.rule, one.span.line) in kept and count == 0


UNUSED = [
    ("x = 1  # mindport: ignore\n", [("MP904", 1)]),
    ("x = 1  # mindport: ignore[MP101]\n", [("MP904", 1)]),
    ("# mindport: ignore-file\n", [("MP904", 1)]),
    ("# mindport: ignore\n", [("MP904", 1)]),
    ("x = 1  # mindport: ignore[no]\n", [("MP904", 1)]),
    ("x = '# mindport: ignore'\n", []),
    ("x = 1  # a comment\n", []),
]


@pytest.mark.parametrize(("text", "expected"), UNUSED)
def test_a_comment_that_suppresses_nothing_is_reported(text, expected):
    assert left(text) == (expected, 0)


def test_only_the_code_that_is_not_needed_is_named():
    result = apply_suppressions(
        [finding("MP101", 1)], find_suppressions("x = 1  # mindport: ignore[MP101, MP103]\n"), TODAY
    )
    assert result.count == 1
    assert [one.message for one in result.findings] == ["this comment suppresses no MP103 here; remove it"]
    assert result.findings[0].span == Span(1, 7, 1, 39)


def test_the_place_of_an_unused_comment_counts_code_points():
    (one,) = find_suppressions("x = '😀'  # mindport: ignore[MP101]\n")
    assert one.span == Span(1, 9, 1, 34)


@pytest.mark.parametrize(
    ("until", "said"),
    [
        ("2027-03-30", "since 2027-03-30 is over"),
        ("3/2028", "3/2028 is no day; write until 2027-03-31"),
    ],
)
def test_why_a_comment_with_a_day_suppresses_nothing_is_said(until, said):
    text = f"x = 1  # mindport: ignore[MP101] until {until} reason\n"
    result = apply_suppressions([finding("MP101", 1)], find_suppressions(text), TODAY)
    assert [one.rule for one in result.findings] == ["MP101", "MP904"]
    assert said in result.findings[1].message
    assert result.findings[1].span == Span(1, 7, 1, 32)


REMOVED = [
    ("x = 1  # mindport: ignore\n", "x = 1\n"),
    ("x = 1  # mindport: ignore[MP101] until 2020-01-01 see #12, later\n", "x = 1\n"),
    ("x = 1  # noqa  # mindport: ignore[MP101] reason\n", "x = 1  # noqa\n"),
    ("x = 1  # mindport: ignore[MP101] reason  # noqa\n", "x = 1  # noqa\n"),
    ("# mindport: ignore-file[MP101] reason\nx = 1\n", "x = 1\n"),
    ("if a:\n    # mindport: ignore\n    b()\n", "if a:\n    b()\n"),
    ("x = 1\r\n# mindport: ignore\r\ny = 2\r\n", "x = 1\r\ny = 2\r\n"),
    ("x = '你😀'  # mindport: ignore", "x = '你😀'"),
    ("# mindport: ignore", ""),
    ("x = 1  # mindport: ignore[MP102, MP101 MP103] why\n", "x = 1  # mindport: ignore[MP101] why\n"),
    ("x = 1  # mindport: ignore[MP101, MP103] until 2028-01-01 why\n",
     "x = 1  # mindport: ignore[MP101] until 2028-01-01 why\n"),
    ("x = 1  # mindport: ignore[MP101, MP103] until 2020-01-01 why\n", "x = 1\n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), REMOVED)
def test_what_suppresses_nothing_is_removed(text, expected):
    needed = [finding("MP101", 1)] if "MP101" in expected else []
    result = apply_suppressions(needed, find_suppressions(text), TODAY)
    assert apply_edits(text, removal_edits(text, result.idle)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "x = 1  # mindport: ignore[MP101] reason\n",
        "x = 1  # mindport: ignore\n",
        "x = 1  # mindport: ignore[101]\n",  # meant something
        "x = 1  # mindport: ignore[MP101] until 1.4.2028\n",
        "x = '# mindport: ignore'\n",
        "x = 1  # a comment\n",
    ],
)
def test_other_comments_stay(text):
    result = apply_suppressions([finding("MP101", 1)], find_suppressions(text), TODAY)
    assert removal_edits(text, result.idle) == ()
