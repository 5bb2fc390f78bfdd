"""Which changes by an operator are of tensors that others have, who read them afterwards."""

from __future__ import annotations

import textwrap

import pytest

from mindport.usage.project import Project

PATH = "/project/steps.py"
HEAD = "import torch\nfrom torch import nn\n"


def signed(text: str) -> dict[str, str]:
    """The changes of a file by their text, each with its sign, in the order of the lines."""
    project = Project("/project")
    project.add(PATH, HEAD + text)
    lines = (HEAD + text).splitlines()
    return {
        f"{use.span.line - 2}: {lines[use.span.line - 1].strip()}": sign
        for use in project.usage(PATH).uses
        for sign in ("shared", "viewed")
        if sign in use.signs
    }


def in_function(body: str) -> dict[str, str]:
    """Those of a function of two tensors and of lists and dictionaries of tensors."""
    head = (
        "def f(x: torch.Tensor, z: torch.Tensor, xs: list[torch.Tensor], named: dict[str, torch.Tensor]):\n"
    )
    return signed(head + textwrap.indent(body, "    "))


@pytest.mark.parametrize(
    ("body", "changes"),
    [
        # Nobody reads the new value.
        ("x += 1", ["2: x += 1"]),
        ("x *= z\nx += z\nx *= 1 - z", ["2: x *= z", "3: x += z", "4: x *= 1 - z"]),
        ("y = x.mean()\nx -= y\nreturn y", ["3: x -= y"]),
        ("if z:\n    x += x.mean()", ["3: x += x.mean()"]),
        ("for _ in range(3):\n    x += z", ["3: x += z"]),
        ("for one in xs:\n    one *= 2", ["3: one *= 2"]),
        ("for one in torch.ones(3, 4):\n    one *= 2", ["3: one *= 2"]),
        ("for one in xs:\n    pass\nfor one in xs:\n    one += 1", ["5: one += 1"]),
        ("y = x\ny += 1", ["3: y += 1"]),
        # Another name is read.
        ("y = x * 2\na = y\na += 1  # 改 🙂\nreturn y", ["4: a += 1  # 改 🙂"]),
        ("y = x * 2\na = y\ny += 1\nreturn a + y", ["4: y += 1"]),
        ("y = x * 2\na = y\nb = a\na = z\nb += 1\nreturn y, b", ["6: b += 1"]),
        ("y = x * 2\na = y[:, 1:]\na += 1\nreturn y, a", ["4: a += 1"]),
        ("y = x * 2\na, b = y, z\na += b\nreturn y, a", ["4: a += b"]),
        ("y = x * 2\nseen = [y]\ny += 1\nreturn seen, y", ["4: y += 1"]),
        ("y = x * 2\nseen = []\nseen.append(y)\ny += 1\nreturn seen, y", ["5: y += 1"]),
        ("y = x * 2\nseen = {}\nseen['a'] = y\ny += 1\nreturn seen, y", ["5: y += 1"]),
        ("for one in xs:\n    one += z\n    print(one)\nreturn xs", ["3: one += z"]),
        ("for one, other in zip(xs, xs):\n    one += z\n    print(one, other)\nreturn xs", ["3: one += z"]),
        ("for key, one in named.items():\n    one += z\n    print(one)\nreturn named", ["3: one += z"]),
        ("one = xs[0]\none += z\nreturn one, xs", ["3: one += z"]),
        ("for _ in range(3):\n    y = x\n    y += z\n    print(y)", ["4: y += z"]),
        ("y = x * 1\nif z:\n    a = y\nelse:\n    a = z * 1\na += 1\nreturn a, y", ["7: a += 1"]),
        ("y = xs[0]\ny += z\nreturn xs", ["3: y += z"]),
        ("y = None if x is None else x[0]\nif y is not None:\n    y += z\nreturn x", ["4: y += z"]),
        ("y = x * 2\nseen = []\nfor w in xs:\n    seen.append(y)\n    y += w\nreturn seen", ["6: y += w"]),
        ("y, w = x * 2, z\nseen, y = y, y\ny += w\nreturn seen", ["4: y += w"]),
        ("y = x * 2\nif z:\n    seen = y\nelse:\n    seen = x\ny += z\nreturn seen", ["7: y += z"]),
        # An attribute has it.
        ("y = x.grad\ny += z\nreturn y", ["3: y += z"]),
        ("y: torch.Tensor = f.kept\ny += z\nreturn y", ["3: y += z"]),
        ("y = x * 1\nf.kept = y\ny += z\nreturn y", ["4: y += z"]),
    ],
)
def test_changes_for_others_are_found(body: str, changes: list[str]) -> None:
    assert in_function(body) == dict.fromkeys(changes, "shared")


@pytest.mark.parametrize(
    "body",
    [
        "x += 1\nreturn x",
        "x = x.clone()\nx += 1\nreturn x",
        "x = x.clone()\nx += 1",
        "total = 0\ntotal += x\nreturn total",
        "for _ in z:\n    y = x.mean()\n    x += y",  # read in the next turn
        "for one in xs:\n    one *= 2\n    x.append(one)",
        "global x\nx += 1",
        "def g():\n    return x\nx += 1\nreturn g",
        "x += 1\nreturn [x for _ in z]",
        "x.weight += 1\nx[0] += 1",
        "y = x\ny = y + 1\ny += 1\nreturn x, y",
        "y = x * 2\na = y\ny = z * 1\na += 1\nreturn y, a",  # y is another tensor by then
        "y = x * 2\na = y\na = a * 2\na += 1\nreturn y, a",
        "if z:\n    y = x\n    y = y * 2\n    y += x\n    return y",
        "y = x * 2\na = y[z > 0]\na += 1\nreturn y, a",  # a copy in torch
        "y = x * 2\na = y.detach()\na += 1\nreturn y, a",  # written where steps are recorded
        "y = x * 2\na = y.clone()\na += 1\nreturn y, a",
        "residual = x\nx = f.conv(x)\nx += residual\nreturn x",
        "seen = x\nx += z\nreturn x",
        "seen = []\nfor w in xs:\n    y = w * 2\n    y += x\n    seen.append(y)\nreturn seen",
        "y = x * 2\ntotal = y\ntotal += z\ny = x * 2\nreturn total + y",
        "for _ in xs:\n    y = x * 2\n    print(y)\n    total = y\n    total += z\nreturn total",
        "y = x * 2\nseen = []\nseen.append(y.clone())\ny += z\nreturn seen",
        "y = x * 2\nseen = [y]\ny = y + 1\ny += z\nreturn seen",
        "y = 0\nseen = []\nfor w in xs:\n    y += w\n    seen.append(y.item())\nreturn seen",
        "y = (x, z)\ny += (x,)\na = y\na += (z,)\nreturn a, y",  # tuples
        "y = x if z else (x,)\na = y\na += z\nreturn a, y",  # one or the other
        "n = x.size(0)\nm = n\nm += 1\nreturn n, m",
        "n = f.kept.shape[0]\nfor one in z:\n    n -= one\n    print(n)\nreturn n",  # a number at first
        "n = f.kept.ndim\nfor one in z:\n    n -= one\nreturn n",
    ],
)
def test_other_changes_are_not(body: str) -> None:
    assert in_function(body) == {}


@pytest.mark.parametrize(
    "body",
    [
        "y = x * 2\na = y.view(-1)\na += 1\nreturn y, a",
        "y = x * 2\na = torch.transpose(y, 0, 1)\na += 1\nreturn y, a",
        "y = x * 2\na = y.T[1:]\na += 1\nreturn y, a",
        "y = x * 2\na, b = y.chunk(2, 1)\na += b\nreturn y, a",
        "y = x * 2\na = y.permute(1, 0)\ny += 1\nreturn y, a",
    ],
)
def test_another_shape_is_told_apart(body: str) -> None:
    assert list(in_function(body).values()) == ["viewed"]


NETWORK = """
class Inner(nn.Module):
    def forward(self, x: torch.Tensor, y=None):
        {change}
        return x * 2

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = {held}

    def moved(self, x: torch.Tensor):
        x += 1  # 移动
        return x

    def forward(self, x):
        {body}

def doubled(x: torch.Tensor):
    x *= 2
    return x
"""


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ("return x + self.inner(x)", "x += 3"),
        ("return self.inner(x) + x", "x += 3"),
        ("y = self.inner(x)\n        return y + x", "x += 3"),
        ("r = x\n        x = self.inner(x)\n        return r + x", "x += 3"),
        ("return self.inner(x=x) + x", "x += 3"),
        ("return self.inner(self.kept)", "x += 3"),
        ("return self.inner(x)", ""),
        ("x = self.inner(x)\n        return x + 1", ""),
        ("return x + self.inner(x * 2)", ""),
        ("return x + self.other(x)", ""),
        ("return self.moved(x) + x", "x += 1  # 移动"),
        ("return doubled(x) + x", "x *= 2"),
        ("return doubled(self.moved(x))", ""),
    ],
)
def test_what_a_caller_reads_again(body: str, changed: str) -> None:
    found = signed(NETWORK.format(change="x += 3", held="Inner()", body=body))
    assert [one.split(": ")[1] for one in found] == ([changed] if changed else [])


@pytest.mark.parametrize(
    ("held", "is_found"), [("nn.Sequential(Inner(), nn.ReLU())", True), ("nn.ReLU()", False)]
)
def test_what_an_object_holds_is_called(held: str, is_found: bool) -> None:
    found = signed(NETWORK.format(change="x += 3", held=held, body="return x + self.inner(x)"))
    assert bool(found) is is_found


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("y = x * 2\n        with torch.no_grad():\n            y += 1\n        return y", True),
        (
            "y = x * 2\n        with torch.no_grad():\n            y = x * 3\n            y += 1\n        return y",
            False,
        ),
        ("y = x * 2\n        with torch.enable_grad():\n            y += 1\n        return y", False),
    ],
)
def test_a_network_changes_what_was_recorded_where_nothing_is(body: str, is_found: bool) -> None:
    text = NETWORK.format(change="pass", held="Inner()", body=body).replace(
        "forward(self, x):", "forward(self, x: torch.Tensor):"
    )
    assert ("y += 1" in str(signed(text))) is is_found
    assert "y += 1" not in str(signed(text.replace("forward", "evaluate")))


def test_a_function_that_hands_on_what_it_is_given() -> None:
    text = (
        "def inner(x: torch.Tensor):\n    x += 1\n    return x\n"
        "def outer(y):\n    return inner(y)\n"
        "z = torch.ones(3)\nw = outer(z)\nprint(z, w)\n"
    )
    assert signed(text) == {"2: x += 1": "shared"}
    assert signed(text.replace("print(z, w)", "print(w)")) == {}


def test_statements_of_a_module_are_one_scope_wherever_they_stand() -> None:
    text = "y = torch.ones(3)\na = y\na += 1\nprint(y)\n"
    project = Project("/project")
    for shift in (0, 3, 0):
        project.add(PATH, HEAD + "\n" * shift + text)
        (use,) = (one for one in project.usage(PATH).uses if one.api == "torch.Tensor.__iadd__")
        assert "shared" in use.signs
    project.add(PATH, HEAD + text.replace("a += 1\nprint(y)", "y = 1\na += 1\nprint(a, y)"))
    (use,) = (one for one in project.usage(PATH).uses if one.api == "torch.Tensor.__iadd__")
    assert "shared" not in use.signs


def test_long_sums_are_gone_through() -> None:
    assert in_function("y = " + " + ".join(["x"] * 3000) + "\ny += 1\nreturn y") == {}
