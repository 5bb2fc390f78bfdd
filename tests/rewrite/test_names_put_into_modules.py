"""A module whose name of torch others replace reads that name from itself."""

from __future__ import annotations

import pytest

from mindport.rewrite.names_put_into_modules import names_put_into_modules
from mindport.rewrite.text_edits import with_edits

MODULE = """import os

from torch.utils.data import DataLoader, TensorDataset
from torch.optim import Adam as Optimizer  # 优化 🙂

LIMIT = 3


def fit(x, net):
    return Optimizer(net.parameters()), DataLoader(TensorDataset(x))
"""
CALLED = "def {0}(*args, **kwargs):\n    return _{0}(*args, **kwargs)\n"


def begun(module: str, *others: str) -> str:
    texts = {"package/learner.py": module} | {f"{place}.py": text for place, text in enumerate(others)}
    edits = names_put_into_modules(texts)
    assert edits.keys() <= {"package/learner.py"}
    return with_edits(module, edits.get("package/learner.py", []))


@pytest.mark.parametrize(
    "other",
    [
        "import learner\nlearner.DataLoader = in_order\n",
        "import package.learner\nif fast:\n    package.learner.DataLoader = in_order\n",
        "from package import learner as l\ndef f():\n    l.DataLoader: object = in_order\n",
        "import learner, writer\nfor module in (writer, learner):\n    module.DataLoader = in_order\n",
        "import learner\nsetattr(learner, 'DataLoader', in_order)\n",
        "import learner\nmonkeypatch.setattr(learner, 'DataLoader', in_order)\n",
        "import learner\nwith mock.patch.object(learner, 'DataLoader'):\n    pass\n",
        "@patch('package.learner.DataLoader')\ndef test(made):\n    pass\n",
    ],
)
def test_a_name_that_another_file_puts_there(other: str) -> None:
    head, rest = MODULE.split("\n\nLIMIT", 1)
    head = head.replace("DataLoader,", "DataLoader as _DataLoader,")
    expected = f"{head}\n\n\n{CALLED.format('DataLoader')}\nLIMIT{rest}"
    assert begun(MODULE, other) == expected
    assert begun(MODULE.replace("\n", "\r\n"), other) == expected.replace("\n", "\r\n")


def test_several_names_of_several_files() -> None:
    other = "import learner\nlearner.Optimizer = SGD\nlearner.LIMIT = 4\nlearner.os = None\n"
    text = begun(MODULE, other, "import learner\nlearner.DataLoader = in_order\n")
    assert "Adam as _Optimizer  # 优化 🙂\n" in text
    assert CALLED.format("DataLoader") + "\n\n" + CALLED.format("Optimizer") in text


@pytest.mark.parametrize(
    "other",
    [
        "import learner\nlearner.fit = None\nx = learner.DataLoader\n",
        "import trainer\ntrainer.DataLoader = in_order\n",
        "import torch.utils.data as learner\nlearner.DataLoader = in_order\n",
        "learner.DataLoader = in_order\n",
        "import learner\nself.learner.DataLoader = in_order\n",
        "import learner\nlearner.DataLoader.kept = 3\n",
        "import learner\nsetattr(learner, name, in_order)\n",
        "import learner\nlearner.DataLoader = \n",
    ],
)
def test_what_nobody_puts_there(other: str) -> None:
    assert begun(MODULE, other) == MODULE


@pytest.mark.parametrize(
    "use",
    [
        "class Mine(DataLoader):\n    pass\n",
        "made = isinstance(x, DataLoader)\n",
        "DataLoader = None\n",
        "__all__ = ['DataLoader']\n",
        "_DataLoader = DataLoader(x)\n",
    ],
)
def test_a_module_that_does_more_than_call_it(use: str) -> None:
    text = f"from torch.utils.data import DataLoader\n{use}"
    assert begun(text, "import learner\nlearner.DataLoader = in_order\n") == text
