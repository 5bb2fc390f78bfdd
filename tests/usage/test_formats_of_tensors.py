"""Formats of tensors in texts: what each says of the number that it gets."""

import pytest

from mindport.usage.api_use import Form
from usage.marks import usage_of

TEXT = """
import torch

def run(x: torch.Tensor, width, name, flag):  # 层 🙂
    y = x.sum()
    either = y if flag else 3
    return {text}
"""


def letters(text):
    usage = usage_of(TEXT.format(text=text))
    return [use.call.arguments[0].value for use in usage.uses if use.form is Form.FORMAT]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("f'{y:.3f} {y:03d} {y:%}'", ["f", "d", "%"]),
        ("f'{y:>8}{y:,}{y:_}{y:+}{y:.4}{y:08.3}{y:🙂^9}'", [">"] * 7),
        ("f'{y:{width}}' f'{y:>{width}.{width}}'", [">", ">"]),
        ("'层 {:>8} {:,.2f}'.format(y, y)", [">", "f"]),
        ("'{0:.4} {0:.2f} {0}'.format(y)", [">"]),
        ("'{0:.4} {n:,}'.format(3, n=y)", [">"]),
        ("format(y, '>8')", [">"]),
        ("f'{either:.3f}'", ["f"]),
        ("f'{either:>8}'", [""]),
    ],
)
def test_a_format_of_a_number(text, seen):
    assert letters(text) == seen


@pytest.mark.parametrize(
    "text",
    [
        "f'{y} {y:} {y!r:>8} {y!s:>8} {name:>8}'",
        "f'{y:s} {y:>8s}'",
        "'{} {0!r:>8}'.format(y)",
        "'{0!r:>8} {0} {1:>8}'.format(y, name)",
        "format(y, '')",
        "'{:>{}}'.format(y, width)",
        "'{:>8}'.format(*[y])",
    ],
)
def test_no_format_of_a_number(text):
    assert letters(text) == []
