"""Which file is added or asked for first changes no answer, however names, calls and values go in circles."""

from __future__ import annotations

from itertools import permutations

import pytest

from mindport.usage.project import Project

_BASE = (
    "import torch\n\nclass Base(torch.nn.Module):\n    def forward(self, x):  # 中文 😀\n        return x\n"
)
_PART = "from models import Base\n\nclass {0}(Base):\n    def step(self, x):\n        return self.forward(x.add(1))\n"
CIRCLES = {
    "names that a package takes from its parts, and they from it": {
        "models/__init__.py": "from .base import *\nfrom .first import *\nfrom .second import *\n",
        "models/base.py": _BASE,
        "models/first.py": _PART.format("First"),
        "models/second.py": _PART.format("Second"),
        "train.py": "import torch\nfrom models import First, Second\n\n"
        "First()(torch.ones(2)).item()\nSecond().eval()\n",
    },
    "names handed around through three packages": {
        "a/__init__.py": "from b import *\nfrom .own import *\n",
        "a/own.py": "import torch\nfrom c import *\n\nweight = torch.ones(3)\nweight.add(other)\n",
        "b/__init__.py": "from c import *\nfrom a import *\n\nweight.mul(other)\n",
        "c/__init__.py": "from b import *\nfrom a import *\nimport torch\n\nother = weight.sub(torch.zeros(3))\n",
    },
    "functions that call each other": {
        "even.py": "import torch\nfrom odd import odd\n\ndef even(n):\n"
        "    return torch.ones(2) if n == 0 else odd(n - 1).neg()\n",
        "odd.py": "from even import even\n\ndef odd(n):\n    return even(n - 1).exp()\n",
        "use.py": "import even, odd\n\neven.even(3).add(odd.odd(2))\n",
    },
    "values that go around a loop over two files": {
        "loop.py": "import torch\nfrom more import grow\n\ndef run(x):\n    h, c = x, torch.zeros(2)\n"
        "    for _ in range(3):\n        h, c = grow(c, h), h\n    return h.tanh() + c.abs()\n",
        "more.py": "def grow(a, b):\n    return b.mul(a)\n",
        "use.py": "import torch\nfrom loop import run\n\nrun(torch.ones(2)).item()\n",
    },
    "an attribute that two classes give each other": {
        "left.py": "import torch\n\nclass Left:\n    def take(self, right):\n"
        "        self.value = right.value.mul(2)\n",
        "right.py": "import torch\nfrom left import Left\n\nclass Right:\n    def __init__(self):\n"
        "        self.value = torch.ones(2)\n\n"
        "    def swap(self, left: Left):\n        self.value = left.value.neg()\n",
        "use.py": "from left import Left\nfrom right import Right\n\nleft, right = Left(), Right()\nleft.take(right)\n"
        "right.swap(left)\nright.value.sum()\n",
    },
}


def told(files: dict[str, str], added: tuple[str, ...], order: tuple[str, ...]) -> dict[str, list[str]]:
    """What is found in each file, where they are added and asked for in these orders."""
    project = Project("/project")
    for path in added:
        project.add(f"/project/{path}", files[path])
    uses = {path: project.usage(f"/project/{path}").uses for path in order}
    return {path: sorted(f"{use.span} {use.api} {use.confidence}" for use in uses[path]) for path in files}


@pytest.mark.parametrize("files", CIRCLES.values(), ids=CIRCLES)
def test_the_first_question_changes_no_answer(files: dict[str, str]) -> None:
    expected = told(files, tuple(files), tuple(files))
    assert any(expected.values())
    names = list(files)
    for order in (names[at:] + names[:at] for at in range(1, len(names))):
        assert_same(files, order, expected)
    assert_same(files, names[::-1], expected)


@pytest.mark.thorough
@pytest.mark.parametrize("files", CIRCLES.values(), ids=CIRCLES)
def test_no_order_of_files_changes_an_answer(files: dict[str, str]) -> None:
    expected = told(files, tuple(files), tuple(files))
    for order in permutations(files):
        assert_same(files, list(order), expected)


def assert_same(files: dict[str, str], order: list[str], expected: dict[str, list[str]]) -> None:
    """That it makes no difference in which order files are asked for, or added."""
    assert told(files, tuple(files), tuple(order)) == expected
    assert told(files, tuple(order), tuple(files)) == expected


@pytest.mark.thorough
def test_a_package_of_star_imports_knows_its_classes() -> None:
    files = CIRCLES["names that a package takes from its parts, and they from it"]
    for order in permutations(files):
        found = told(files, tuple(files), order)
        assert any("torch.nn.Module.forward" in use for use in found["models/second.py"])
        assert any("torch.Tensor.item" in use for use in found["train.py"])
