"""Statements that do nothing after a conversion go; those that the user wrote, and comments, stay."""

from __future__ import annotations

import pytest

from mindport.rewrite.idle_statements import without_idle_statements

ASKED = "'cuda' if mindspore.get_current_device().device_target != 'CPU' else 'cpu'"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("x = x.to(d)\ny = 1\n", "x = x\ny = 1\n", "y = 1\n"),
        ("m.to(d)\ny = 1\n", "m\ny = 1\n", "y = 1\n"),
        ("x = x.to(d); y = 1\n", "x = x; y = 1\n", "y = 1\n"),
        ("y = 1; x = x.to(d)\n", "y = 1; x = x\n", "y = 1\n"),
        (
            "y = 1; x = x.to(d); m.to(d); z = 1  # 移\n",
            "y = 1; x = x; m; z = 1  # 移\n",
            "y = 1; z = 1  # 移\n",
        ),
        ("m.to(d); y = 1; x = x.to(d)\n", "m; y = 1; x = x\n", "y = 1\n"),
        ("if c: x = x.to(d); y = 1\n", "if c: x = x; y = 1\n", "if c: y = 1\n"),
        ("def f(): m.to(d); x = x.to(d)\n", "def f(): m; x = x\n", "def f(): pass\n"),
        ("def f():\n    m.to(d); x = x.to(d)\n", "def f():\n    m; x = x\n", "def f():\n    pass\n"),
        ("[m.a() for m in s.ms]\ny = 1\n", "[None for m in s.ms]\ny = 1\n", "y = 1\n"),
        ("[m.a() for m in f()]\n", "[None for m in f()]\n", "[None for m in f()]\n"),
        ("self.m.to(d)\ny = 1\n", "self.m\ny = 1\n", "y = 1\n"),
        ("def f():\n    b.fast = True\n    g()\n", "def f():\n    pass\n    g()\n", "def f():\n    g()\n"),
        ("b.fast = True  # 快 🙂\ny = 1\n", "pass  # 快 🙂\ny = 1\n", "# 快 🙂\ny = 1\n"),
        ("def f():\n    b.fast = True\n", "def f():\n    pass\n", "def f():\n    pass\n"),
        ("a, b = a.to(d), b.to(d)\ny = 1", "a, b = a, b\ny = 1", "y = 1"),
        ("x = x.to(d)  # 移\ny = 1\n", "x = x  # 移\ny = 1\n", "# 移\ny = 1\n"),
        ("if c:\n    x = x.to(d)\ny = 1\n", "if c:\n    x = x\ny = 1\n", "y = 1\n"),
        ("if a.c and not b == 1:\n    m.to(d)\ny = 1\n", "if a.c and not b == 1:\n    m\ny = 1\n", "y = 1\n"),
        (
            "if isinstance(x.data, t.F):\n    x = x.to(d)\ny()\n",
            "if isinstance(x.data, t.F):\n    x = x\ny()\n",
            "y()\n",
        ),
        (
            "def f(x):\n    if c:\n        x = x.to(d)\n    elif e:\n        m.to(d)\n    else:\n"
            "        pass\n    g()\n",
            "def f(x):\n    if c:\n        x = x\n    elif e:\n        m\n    else:\n        pass\n    g()\n",
            "def f(x):\n    g()\n",
        ),
        (
            "def f(x):\n    if c:\n        if e:\n            x = x.to(d)\n",
            "def f(x):\n    if c:\n        if e:\n            x = x\n",
            "def f(x):\n    pass\n",
        ),
        (
            "if c:\n    x = x.to(d)\nelif e:\n    f()\n",
            "if c:\n    x = x\nelif e:\n    f()\n",
            "if c:\n    pass\nelif e:\n    f()\n",
        ),
        (
            "if c:\n    f()\nelif e:\n    x = x.to(d)\n",
            "if c:\n    f()\nelif e:\n    x = x\n",
            "if c:\n    f()\n",
        ),
        ("if f():\n    x = x.to(d)\n", "if f():\n    x = x\n", "if f():\n    pass\n"),
        ("if t.c():\n    t.b = 1\nf()\n", "if m.c:\n    pass\nf()\n", "f()\n"),
        ("if len(c.d) > 1:\n    m.to(d)\nf()\n", "if len(c.d) > 1:\n    m\nf()\n", "f()\n"),
        ("try:\n    m.to(d)\nexcept E:\n    f()\ng()\n", "try:\n    m\nexcept E:\n    f()\ng()\n", "g()\n"),
        ("if c:  # 问\n    x = x.to(d)\n", "if c:  # 问\n    x = x\n", "if c:  # 问\n    pass\n"),
        ("if c:\n    x = x.to(d)  # 🚀\n", "if c:\n    x = x  # 🚀\n", "if c:\n    pass  # 🚀\n"),
        ("if c:\n    x = x.to(d)\n    m.to(d)\n", "if c:\n    x = x\n    m\n", ""),
        ("x = x.to(\n    d)\r\ny = 1\r\n", "x = x\r\ny = 1\r\n", "y = 1\r\n"),
        (
            "try:\n    y()\nfinally:\n    m.cuda()\n",
            "try:\n    y()\nfinally:\n    m\n",
            "try:\n    y()\nfinally:\n    pass\n",
        ),
        ("x = x.to(d)", "x = x", ""),
        ("if c:\n    x = x.to(d)\n\n    y()\n", "if c:\n    x = x\n\n    y()\n", "if c:\n    y()\n"),
        ("a()\n\nx = x.to(d)\n\nb()\n", "a()\n\nx = x\n\nb()\n", "a()\n\nb()\n"),
        ("a()\nx = x.to(d)\n\nb()\n", "a()\nx = x\n\nb()\n", "a()\n\nb()\n"),
        (
            "def f(x):\n    d = x.device\n    return x.to(d)\n",
            "def f(x):\n    d = x.device\n    return x\n",
            "def f(x):\n    return x\n",
        ),
        (
            "def f(n):\n    m = torch.optim\n    return getattr(m, n)\n",
            "def f(n):\n    m = torch.optim\n    return {}[n]\n",
            "def f(n):\n    return {}[n]\n",
        ),
        (
            "def f(n):\n    m = importlib.import_module('torch.nn')\n    return getattr(m, n)\n",
            "def f(n):\n    m = importlib.import_module('torch.nn')\n    return {}[n]\n",
            "def f(n):\n    return {}[n]\n",
        ),
        (
            "def f(x):\n    if x:\n        d = self.w.device  # of w\n        g(d)\n",
            "def f(x):\n    if x:\n        d = self.w.device  # of w\n        g()\n",
            "def f(x):\n    if x:\n        # of w\n        g()\n",
        ),
        (
            "def f(x):\n    d = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n    return x.to(d)\n",
            f"def f(x):\n    d = {ASKED}\n    return x\n",
            "def f(x):\n    return x\n",
        ),
    ],
)
def test_idle_statements_are_left_out(before, after, expected):
    assert without_idle_statements(before, after, lambda: False) == expected


@pytest.mark.parametrize(
    ("test", "opposite"),
    [
        ("c", "not c"),
        ("not c", "c"),
        ("not (a or b)", "(a or b)"),
        ("(c)", "(not c)"),
        ("a.c is not None", "a.c is None"),
        ("(a or b) is (None)", "(a or b) is not (None)"),
        ("'cuda' in d", "'cuda' not in d"),
        ("'层 🙂' not in d", "'层 🙂' in d"),
        ("a.c >= 0", "not a.c >= 0"),
        ("a == 0", "not a == 0"),
        ("a and b", "not (a and b)"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_other_branch_is_left(test: str, opposite: str, end: str) -> None:
    before = f"if {test}:\n    m.to(d)\nelse:\n    f()  # 移\ng()\n".replace("\n", end)
    after, expected = (
        before.replace("m.to(d)", "m"),
        f"if {opposite}:\n    f()  # 移\ng()\n".replace("\n", end),
    )
    assert without_idle_statements(before, after, lambda: False) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("if c: m.to(d)\nelse: f()\n", "if c: m\nelse: f()\n", "if not c: f()\n"),
        (
            "if c:\n    f()\nelif e:\n    m.to(d)\nelse:\n    g()\n",
            "if c:\n    f()\nelif e:\n    m\nelse:\n    g()\n",
            "if c:\n    f()\nelif not e:\n    g()\n",
        ),
        (
            "if c:\n    f()\nelif e:\n    g()\nelse:\n    m.to(d)\n",
            "if c:\n    f()\nelif e:\n    g()\nelse:\n    m\n",
            "if c:\n    f()\nelif e:\n    g()\n",
        ),
        (
            "if c:\n    m.to(d)\nelse:\n    if e:\n        f()\n    else:\n        m.to(d)\n",
            "if c:\n    m\nelse:\n    if e:\n        f()\n    else:\n        m\n",
            "if not c:\n    if e:\n        f()\n",
        ),
        # Asking does something; a comment speaks of the branch; what the user wrote so.
        ("if h(): m.to(d)\nelse: f()\n", "if h(): m\nelse: f()\n", "if h(): pass\nelse: f()\n"),
        (
            "if c:\n    m.to(d)\n# 否则\nelse:\n    f()\n",
            "if c:\n    m\n# 否则\nelse:\n    f()\n",
            "if c:\n    pass\n# 否则\nelse:\n    f()\n",
        ),
        (
            "if c:\n    f()\nelse:\n    m.to(d)  # 移\n",
            "if c:\n    f()\nelse:\n    m  # 移\n",
            "if c:\n    f()\nelse:\n    pass  # 移\n",
        ),
        (
            "if c:\n    f()\nelse:\n    pass\nif e:\n    m.to(d)\nelse:\n    f()\n",
            "if c:\n    f()\nelse:\n    pass\nif e:\n    m\nelse:\n    f()\n",
            "if c:\n    f()\nelse:\n    pass\nif e:\n    pass\nelse:\n    f()\n",
        ),
    ],
)  # fmt: skip
def test_branches_that_do_nothing_go(before: str, after: str, expected: str) -> None:
    assert without_idle_statements(before, after, lambda: False) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "try:\n    unicode\nexcept NameError:\n    f()\n",
            "try:\n    unicode\nexcept NameError:\n    g()\n",
        ),
        ("try:\n    m.to(d)\nfinally:\n    f()\n", "try:\n    pass\nfinally:\n    f()\n"),
        ("x = x\ny = f()\n", "x = x\ny = g()\n"),  # the user's own
        ("if c:\n    x = x\ny = f()\n", "if c:\n    x = x\ny = g()\n"),
        ("if c:\n    pass\ny = f()\n", "if c:\n    pass\ny = g()\n"),
        ("m\nf()\n", "m\ng()\n"),
        # Of two that look alike nobody knows which is whose.
        (
            "def f():\n    b.fast = True\n    g()\nclass A:\n    'A'\n    pass\n",
            "def f():\n    pass\n    g()\nclass A:\n    'A'\n    pass\n",
        ),
        ("a, b = a.to(d), b\n", "a, b = a.to(d), b\n"),
        ("a, b = b.to(d), a\n", "a, b = b, a\n"),
        ("x = y.to(d)\n", "x = y\n"),
        ("x[0] = x[0].to(d)\n", "x[0] = x[0]\n"),  # a view may be written back
        ("f().to(d)\n", "f()\n"),
        ("x = z = x.to(d)\n", "x = z = x\n"),
        ("x.to(d)\n", "x = = x\n"),
        # The user's own.
        ("def f(x):\n    d = x.device\n    g(x)\n", "def f(x):\n    d = x.device\n    h(x)\n"),
        ("def f(x):\n    d = x.device\n    g(d)\n", "def f(x):\n    d = x.device\n    h(d)\n"),
        ("def f(x):\n    d = x.device\n    g(d)\n", "def f(x):\n    d = x.device\n    return lambda: d\n"),
        ("def f(x):\n    d = x.device\n    g(d)\n", "def f(x):\n    d = x.device\n    return locals()\n"),
        (
            "def f(x):\n    global d\n    d = x.device\n    g()\n",
            "def f(x):\n    global d\n    d = x.device\n",
        ),
        ("def f(x):\n    d = h().device\n    g(d)\n", "def f(x):\n    d = h().device\n"),
        ("d = x.device\ng(d)\n", "d = x.device\n"),  # others may import it
    ],
)
def test_everything_else_stays(before, after):
    assert without_idle_statements(before, after, lambda: False) == after


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("d = torch.device(0)  # 卡 🙂\nf(x.to(d))\n", f"d = {ASKED}  # 卡 🙂\nf(x)\n", "# 卡 🙂\nf(x)\n"),
        ("if main:\n    d = h()\n    f(d)\n", f"if main:\n    d = {ASKED}\n    f()\n", "if main:\n    f()\n"),
        ("d = w.device\ng(d)\n", "d = w.device\ng()\n", "g()\n"),
        # It is read, or may be.
        ("d = h()\nf(d)\n", f"d = {ASKED}\nf(d)\n", None),
        ("d = h()\ndef f():\n    return g(d)\n", f"d = {ASKED}\ndef f():\n    return d\n", None),
        ("d = h()\nf(d)\n", f"__all__ = ['d']\nd = {ASKED}\nf()\n", None),
        ("d = h()\nf(d)\n", f"d = {ASKED}\neval(f())\n", None),
        ("class A:\n    d = h()\n    f(d)\n", f"class A:\n    d = {ASKED}\n    f()\n", None),
        ("d = h()\nf()\n", f"d = {ASKED}\nf()\n", None),  # nothing read it before
        ("d = h()\nf(d)\n", "d = h()\nf()\n", None),
    ],
)  # fmt: skip
def test_a_device_that_nothing_reads_goes_from_a_script(before, after, expected):
    assert without_idle_statements(before, after, lambda: True) == (after if expected is None else expected)
    assert without_idle_statements(before, after, lambda: False) == after


def test_as_many_as_the_user_wrote_stay():
    found = without_idle_statements("x = x\nx = x.to(d)\ny = 1\n", "x = x\nx = x\ny = 1\n", lambda: False)
    assert found == "x = x\ny = 1\n"
