"""Deep copies of what may hold tensors have memory of their own."""

from __future__ import annotations

import pytest

from mindport.rewrite.deep_copies import with_memory_of_copies

TORCH = "import torch\n"
# What the helper itself is made of comes along.
DEFINED = "def torch_deepcopy(x, memo=None):"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import copy\n\nema = copy.deepcopy(net)  # 层 🙂\n", "ema = torch_deepcopy(net)  # 层 🙂\n"),
        ("from copy import deepcopy\n\nema = deepcopy(net).eval()\n", "ema = torch_deepcopy(net).eval()\n"),
        ("import copy as c\n\ny = '🙂', c.deepcopy(net.state())\n", "y = '🙂', torch_deepcopy(net.state())\n"),
        ("from copy import copy, deepcopy as d\n\ny = [d(copy(x))]\n", "y = [torch_deepcopy(copy(x))]\n"),
        ("from copy import deepcopy\n\ny = list(map(deepcopy, nets))\n", "y = list(map(torch_deepcopy, nets))\n"),
        ("import copy\n\ny = copy.deepcopy([x, {'a': 1}])\n", "y = torch_deepcopy([x, {'a': 1}])\n"),
        ("import copy\n\ny = copy.deepcopy(opt)\n", "y = torch_deepcopy(opt)\n"),
        ("import copy\n\ny = copy.deepcopy(cfg['net'])\n", "y = torch_deepcopy(cfg['net'])\n"),
        (
            "import copy\n\ndef f(*args):\n    return copy.deepcopy(args)\n",
            "def f(*args):\n    return torch_deepcopy(args)\n",
        ),
        (
            "import copy\n\nclass A:\n    def __deepcopy__(self, memo):\n        return copy.deepcopy(self.x, memo)\n",
            "        return torch_deepcopy(self.x, memo)\n",
        ),
    ],
)  # fmt: skip
def test_copies_are_written_anew(before: str, after: str) -> None:
    text = with_memory_of_copies(TORCH, before)
    assert DEFINED in text
    assert text.endswith(after)
    assert with_memory_of_copies(TORCH, text) == text


@pytest.mark.parametrize(
    "text",
    [
        "import copy\n\ny = copy.copy(net)\n",
        "import copy\n\ny = copy.deepcopy({'a': [1, 'b'], 'c': (None, 2.0)})\n",
        "from copy import deepcopy\n\ny = deepcopy(f'🙂')\n",
        "from tools import deepcopy\n\ny = deepcopy(net)\n",
        "import copy\n\ndef f(copy):\n    return copy.deepcopy(net)\n",
        "from copy import deepcopy\n\ndef deepcopy(net):\n    return net\n\ny = deepcopy(net)\n",
        "import copy\n\nnew = copy.deepcopy(args)\n",
        "import copy\n\nself.cfg = copy.deepcopy(model_config)  # 设置 🙂\n",
        "from copy import deepcopy\n\nnew = deepcopy(self.settings)\n",
        "from copy import deepcopy\n\nnew = deepcopy(vars(args))\n",
        "y = tree.deepcopy(net)\n",
        "y = 'deepcopy(net)'\n",
        "import copy\n\ny = copy.deepcopy(net\n",
    ],
)
def test_what_stays(text: str) -> None:
    assert with_memory_of_copies(TORCH, text) == text


def test_files_without_torch_stay() -> None:
    text = "import copy\n\ny = copy.deepcopy(net)\n"
    assert with_memory_of_copies("import numpy\n", text) == text
