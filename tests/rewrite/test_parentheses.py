"""Where an expression with operators is put, it has parentheses if its neighbours could tear it apart."""

from __future__ import annotations

import pytest

from mindport.model.span import Span
from mindport.rewrite.surroundings import needs_parentheses
from mindport.source.lines import LineIndex


def at(text: str) -> tuple[LineIndex, Span]:
    """The text without its two marks, and the place between them."""
    before, inside, behind = text.split("|")
    lines = LineIndex(before + inside + behind)
    return lines, lines.span(len(before), len(before) + len(inside))


@pytest.mark.parametrize(
    "text",
    [
        "x = |f()|",
        "g(|f()|)",
        "return |f()|  # 层 🙂",
        'd = "cuda" if |f()| else "cpu"  # 层 🙂',
        "if |f()|:\n    pass",
        "elif |f()|: pass",
        "while |f()|:\n    pass",
        'd = g("层", 1 if |f()|\n      else 2)',
    ],
)
def test_nothing_tears_it_apart(text: str) -> None:
    assert not needs_parentheses(*at(text), is_statement=False, may_be_test=True)


@pytest.mark.parametrize(
    "text",
    [
        "x = not |f()|",
        "x = |f()| and y",
        "x = |f()|.y",
        "if |f()| and y:\n    pass",
        "if |f()| == y:\n    pass",
        "if y and |f()|:\n    pass",
        "if not |f()|:\n    pass",
        "x = |f()| if y else z",
        "x = y if z else |f()|",
        "x = y if |f()|[0] else z",
        "notif |f()|",
    ],
)
def test_something_may(text: str) -> None:
    assert needs_parentheses(*at(text), is_statement=False, may_be_test=True)


@pytest.mark.parametrize("text", ["x = y if |f()| else z", "if |f()|:\n    pass"])
def test_a_choice_is_no_test_of_another(text: str) -> None:
    assert needs_parentheses(*at(text), is_statement=False)
