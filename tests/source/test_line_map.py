"""From lines of a port to those of the original."""

import pytest

from mindport.source.line_map import LineMap

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
        # Lines that went.
        (ORIGINAL.replace("import torch\n", ""), 4, 5),
        (ORIGINAL.replace("\n", "\r\n"), 7, 7),
        # Behind the end, as the parser counts an unfinished file.
        (ORIGINAL, 8, 7),
        ("", 1, 7),
    ],
)
def test_a_line_is_found(port, line, expected):
    assert LineMap(ORIGINAL, port).line_before(line) == expected


def test_an_empty_original_has_a_first_line():
    assert LineMap("", "a\nb\n").line_before(2) == 1
