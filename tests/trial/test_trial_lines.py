"""From lines of a port to those of the original."""

import pytest

from mindport.prove.trial_lines import LineMap

ORIGINAL = "import torch\n\n# 注释 🚀\nx = torch.add(1, 2)\ny = torch.qr(x)\n\nprint(y)\n"


@pytest.mark.parametrize(
    ("port", "line", "expected"),
    [
        (ORIGINAL, 5, 5),
        # Changed in their places.
        (ORIGINAL.replace("torch", "mint"), 1, 1),
        (ORIGINAL.replace("torch", "mint"), 5, 5),
        # Helpers and imports above.
        ("import mindspore\n" + ORIGINAL, 6, 5),
        ("import mindspore\n" + ORIGINAL, 1, 1),
        (ORIGINAL.replace("\n\n#", "\nimport a\nimport b\n\n#"), 3, 1),
        (ORIGINAL.replace("\n\n#", "\nimport a\nimport b\n\n#"), 7, 5),
        # One line became three.
        (ORIGINAL.replace("y = torch.qr(x)", "def f(x):\n    return qr(x)\ny = f(x)"), 5, 5),
        (ORIGINAL.replace("y = torch.qr(x)", "def f(x):\n    return qr(x)\ny = f(x)"), 7, 5),
        (ORIGINAL.replace("y = torch.qr(x)", "def f(x):\n    return qr(x)\ny = f(x)"), 9, 7),
        # Lines that were changed together, and became fewer or more: the most similar one.
        (ORIGINAL.replace("x = torch.add(1, 2)\ny = torch.qr(x)", "y = mint.qr(x)"), 4, 5),
        (ORIGINAL.replace("x = torch.add(1, 2)\n", "a = 1\nb = 2\nx = mint.add(1, 2)\n"), 6, 4),
        # A form feed ends no line.
        ("\f# x\n" + ORIGINAL, 6, 5),
        # Lines that went.
        (ORIGINAL.replace("import torch\n", ""), 4, 5),
        (ORIGINAL.replace("\n", "\r\n"), 7, 7),
        # Behind the end, as the parser counts an unfinished file.
        (ORIGINAL, 8, 7),
        ("", 1, 7),
    ],
)
def test_a_line_is_found(port, line, expected):
    assert LineMap(ORIGINAL, port).original_line(line) == expected


@pytest.mark.parametrize(
    ("port", "line", "is_added"),
    [
        (ORIGINAL + "f()\n", 8, True),
        (ORIGINAL.replace("# 注释 🚀\n", "# 注释 🚀\nimport os\n"), 4, True),
        (ORIGINAL.replace("x = torch.add(1, 2)", "if c:\n    m.to(d)\nx = mint.add(1, 2)"), 5, True),
        (ORIGINAL.replace("x = torch.add(1, 2)", "if c:\n    m.to(d)\nx = mint.add(1, 2)"), 6, False),
        (ORIGINAL.replace("torch", "mint"), 4, False),
        (ORIGINAL.replace("x = torch.add(1, 2)\ny = torch.qr(x)", "z()"), 4, False),
        (ORIGINAL, 4, False),
        (ORIGINAL, 9, False),
    ],
)
def test_a_line_without_counterpart_is_told(port, line, is_added):
    lines = LineMap(ORIGINAL, port)
    assert lines.is_added(line) == is_added
    assert is_added or lines.line_behind(line) == lines.original_line(line)


def test_what_was_added_stands_before_what_follows():
    port = ORIGINAL.replace("x = torch.add(1, 2)", "if c:\n    m.to(d)\nx = mint.add(1, 2)")
    assert [LineMap(ORIGINAL, port).line_behind(line) for line in (3, 4, 5, 6)] == [3, 4, 4, 4]
    assert LineMap(ORIGINAL, ORIGINAL + "f()\n").line_behind(8) == 7


def test_an_empty_original_has_a_first_line():
    assert LineMap("", "a\nb\n").original_line(2) == 1
