"""A project whose files are edited: results are those of a fresh one, and what was not touched is kept."""

from __future__ import annotations

import ast
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mindport.usage.api_use import Form
from mindport.usage.project import Project
from mindport.usage.resolve import Resolver

FILES = {
    "pkg/__init__.py": "from .layers import Block\nfrom .tools import default\n",
    "pkg/tools.py": """import torch

def default(value, other):
    return value if value is not None else other

def twice(x):
    return x * 2

def flow(x):
    return twice(x)

size = 3
""",
    "pkg/layers.py": """import torch
from torch import nn
from .tools import default, twice

class Base(nn.Module):
    scale = None

    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(1))

        self.made = self.make()

    def make(self):
        raise NotImplementedError

    def keep(self, value): ...

    def helper(self, x):
        self.keep(self.made)
        return twice(x).view(1)

class Block(Base):
    def make(self):
        return torch.ones(1)

    def keep(self, value):
        value.shape

    def __init__(self, dim):
        super().__init__()
        self.conv = nn.Conv2d(dim, dim, 3)
        self.cache = None

    def step(self):
        self.cache = self.remember(self.cache)
        return self.cache

    def remember(self, value):
        return default(value, self.gain)

    def forward(self, x):
        y = self.conv(x)
        for i in range(3):
            y = self.helper(y) + i
        return y.mean(), self.step().data
""",
    "pkg/main.py": """import torch
from pkg import Block, default
from pkg.tools import *

net = Block(3)
for x in [torch.ones(1)]:
    out, cached = net(x)
    out.backward()
    cached.dtype
flow(torch.ones(1)).shape
net.train()
""",
}
PIECES = (
    "pass", "x = None", "x = torch.ones(1)", "return x", "self.cache = x", "self.gain = None", "x.view(1)",
    "import torch as t",
    "raise NotImplementedError", "def make(self): return 'a'", "class Other(Base):", "self.keep(1)",
    "twice(x)", "default(x, 1)", "def twice(x): return 'a'", "self.conv = twice", "x = self.helper(x)", "net = None",
)  # fmt: skip


def project_of(files: dict[str, str]) -> Project:
    project = Project("")
    for path, text in files.items():
        project.add(path, text)
    return project


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def edited(text: str, rng: random.Random) -> str:
    """One more or less likely edit of a line."""
    lines = text.split("\n")
    index = rng.randrange(len(lines))
    line = lines[index]
    indentation = line[: len(line) - len(line.lstrip())]
    choice = rng.random()
    if choice < 0.2:
        del lines[index]
    elif choice < 0.6:
        lines.insert(index, indentation + rng.choice(PIECES))
    elif choice < 0.8:
        lines[index] = line.replace(
            rng.choice(("x", "self", "y", "torch", "3")), rng.choice(("x", "y", "None", "1")), 1
        )
    else:
        lines[index] = line + rng.choice((".", "(", ".shape", " #", ")"))
    return "\n".join(lines)


@pytest.mark.thorough
@example(15)
@example(278)
@example(383)
@given(st.integers(0, 10**9))
@settings(max_examples=25)
def test_edits_equal_a_fresh_project(seed: int) -> None:
    rng = random.Random(seed)
    files = dict(FILES)
    project = project_of(files)
    for path in files:
        project.usage(path)
    for _ in range(6):
        path = rng.choice(sorted(files))
        text = edited(files[path], rng)
        before = files[path]
        project.add(path, text)
        if not parses(text):
            assert project.problems(path)
            if rng.random() < 0.5:
                project.usage(path)
            project.add(path, before)
            text = before
        files[path] = text
        fresh = project_of(files)
        for other in rng.sample(sorted(files), len(files)):
            assert project.usage(other) == fresh.usage(other)


def test_order_of_additions_does_not_show() -> None:
    first = project_of(FILES)
    second = project_of(dict(reversed(FILES.items())))
    for path in FILES:
        assert first.usage(path) == second.usage(path)


def test_broken_method_keeps_every_other_use() -> None:
    project = project_of(FILES)
    before = project.usage("pkg/layers.py")
    project.add(
        "pkg/layers.py", FILES["pkg/layers.py"].replace("return twice(x).view(1)", "return twice(x).view(")
    )
    assert project.problems("pkg/layers.py")
    after = project.usage("pkg/layers.py")
    assert [(use.api, use.span) for use in after.uses] == [(use.api, use.span) for use in before.uses]
    typed_in = [use for use in after.uses if use.is_outdated]
    assert {use.span.line for use in typed_in} == {21}
    assert [use for use in after.uses if use not in typed_in] == [
        use for use in before.uses if use.span.line != 21
    ]


def test_edit_inside_a_function_is_no_concern_of_others() -> None:
    project = project_of(FILES)
    for path in FILES:
        project.usage(path)
    revision = project.revision
    line = "        y = self.conv(x)"
    text = FILES["pkg/layers.py"].replace(line, "        z = 3\n" + line)
    project.add("pkg/layers.py", text)
    fresh = project_of({**FILES, "pkg/layers.py": text})
    assert project.usage("pkg/layers.py") == fresh.usage("pkg/layers.py")
    assert project.revision == revision


def test_edit_of_what_others_see_reaches_them() -> None:
    project = project_of(FILES)
    assert any(use.api == "torch.Tensor.backward" for use in project.usage("pkg/main.py").uses)
    project.add(
        "pkg/layers.py",
        FILES["pkg/layers.py"].replace("return y.mean(), self.step().data", "return 'a', 'b'"),
    )
    assert not any(use.api == "torch.Tensor.backward" for use in project.usage("pkg/main.py").uses)


def test_removed_file_is_forgotten() -> None:
    project = project_of(FILES)
    project.usage("pkg/main.py")
    project.remove("pkg/tools.py")
    fresh = project_of({path: text for path, text in FILES.items() if path != "pkg/tools.py"})
    assert project.usage("pkg/main.py") == fresh.usage("pkg/main.py")
    project.add("pkg/tools.py", FILES["pkg/tools.py"])
    assert project.usage("pkg/main.py") == project_of(FILES).usage("pkg/main.py")


def test_rows_are_in_order() -> None:
    uses = project_of(FILES).usage("pkg/layers.py").uses
    assert [use.span.start for use in uses] == sorted(use.span.start for use in uses)
    assert any(use.form is Form.OVERRIDE for use in uses)


ROUND_AND_ROUND = """
def f(x): return g(x)
def g(x): return f(x)
class A(A): pass
class B(C): pass
class C(B): pass
x = x.view(1)
y = [y]
for i in i: i = (i, i)
h = lambda: h()
B().train()
"""


def test_circles_end() -> None:
    project = project_of(
        {
            "a.py": "from b import *\nfrom a import *\n" + ROUND_AND_ROUND,
            "b.py": "from a import *\nx.view(1)\n",
        }
    )
    project.usage("a.py")
    project.usage("b.py")


def test_a_name_that_hangs_on_itself_costs_once_for_each_line(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = []
    compute = Resolver.compute
    monkeypatch.setattr(
        Resolver, "compute", lambda *arguments: (computed.append(arguments), compute(*arguments))[1]
    )

    def cost(lines: int) -> int:
        computed.clear()
        project = project_of({"m.py": "import torch\ny = torch.ones(1)\n" + "y = torch.sin(y)\n" * lines})
        assert len(project.usage("m.py").uses) > lines
        return len(computed)

    assert cost(400) < 2.5 * cost(200)


def test_long_chains_and_deep_nesting() -> None:
    chain = "import torch\nx = torch.ones(1)\n" + "x = f(x)\n" * 3000 + "x.view(1)\n"
    sums = "import torch\ny = " + " + ".join(["z"] * 2000) + "\n"
    project = project_of({"chain.py": chain, "sums.py": sums})
    assert project.usage("chain.py").uses
    project.usage("sums.py")


def test_a_name_that_comes_to_take_the_place_of_an_import() -> None:
    model = "from torch import nn\nclass Net(nn.Module):\n    pass\n"
    texts = [
        "import model\nnet = model.Net()\nnet.eval()\nmodel.eval()\n",
        "import model\nmodel = model.Net()\nmodel.eval()\n",
        "import model\nmodel = model.Net()\nimport model\nmodel.eval()\n",
    ]
    project = project_of({"model.py": model, "main.py": texts[0]})
    for text in (*texts, *reversed(texts)):
        project.add("main.py", text)
        fresh = project_of({"model.py": model, "main.py": text})
        assert project.usage("main.py") == fresh.usage("main.py")


def test_a_file_does_not_import_itself_where_another_has_its_name() -> None:
    project = Project("")
    project.add("model/__init__.py", "from .net import Net\n")
    project.add("model/net.py", "from torch import nn\nclass Net(nn.Linear): pass\n")
    project.add("utils/model.py", "from model import Net\ndef get():\n    return Net(2, 2)\n")
    project.add("train.py", "from utils.model import get\nnet = get()  # 网络 🙂\nnet.zero_grad()\n")
    assert {use.api for use in project.usage("train.py").uses} >= {"torch.nn.Module.zero_grad"}
    project.remove("model/__init__.py")
    assert "torch.nn.Module.zero_grad" not in {use.api for use in project.usage("train.py").uses}
