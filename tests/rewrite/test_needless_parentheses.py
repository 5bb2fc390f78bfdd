"""A conversion leaves no parentheses around calls and generators that are its own."""

import pytest

from mindport.rewrite.needless_parentheses import without_needless_parentheses


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y = (torch_not(x)).float()  # 非 🙂", "y = torch_not(x).float()  # 非 🙂"),
        ("y = z * (torch_not(x))", "y = z * torch_not(x)"),
        ("return_ = [(ops.abs(x)), 1]", "return_ = [ops.abs(x), 1]"),
        ("if not (ops.abs(x)): pass", "if not ops.abs(x): pass"),
        ("n = list((cell for _, cell in parts(m)))", "n = list(cell for _, cell in parts(m))"),
        ("y = f((g(x)))", "y = f(g(x))"),
        ("y = f(z,\n  (g(x)))", "y = f(z,\n  g(x))"),
        ("(torch_not(x)).sum()", "torch_not(x).sum()"),
    ],
)
def test_what_goes(text: str, expected: str) -> None:
    before = "import torch\n"
    assert without_needless_parentheses(before, f"{text}\n") == f"{expected}\n"
    assert without_needless_parentheses(before, f"{expected}\n") == f"{expected}\n"


@pytest.mark.parametrize(
    "text",
    [
        "y = f(g(x))",
        "y = f (g(x))",
        "y = f()(g(x))",
        "y = table[0](g(x))",
        "y = f(table[0]\n  (g(x)))",
        "y = (table\n  # 非 🙂\n  (g(x)))",
        "if not(g(x)): pass",
        "y = (a + g(x)).float()",
        "y = (a.\\\n  b(x))",
        "y = (lambda: g(x))()",
        "n = sum((x for x in y), 0)",
        "n = list((x, y) for x in y)",
        "y = ('%d' % g(x))",
        "y = (g(x), )",
        "y = f'{(g(x))}'",
        "def torch_not(x):\n    return (ops.abs(x)).float(",
    ],
)
def test_what_stays(text: str) -> None:
    assert without_needless_parentheses("import torch\n", f"{text}\n") == f"{text}\n"


def test_the_users_own_stay() -> None:
    text = "y = (g(x)).float() + torch_not(z)\n"
    assert without_needless_parentheses("y = (g(x)).float() + ~z\n", text) == text
