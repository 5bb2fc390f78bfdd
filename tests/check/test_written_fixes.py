"""Fixes that are written out: each of them made alone leaves whole statements and whole classes, and what is too much
for that says why."""

import ast
import os

import msgspec
import pytest

from mindport.checking.project import check_paths
from mindport.config.settings import Settings
from mindport.model.span import Edit
from mindport.model.target import Mode
from mindport.model.verdict import Applicability
from mindport.rewrite.apply import apply_edits

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.LeakyReLU()

    def forward(self, x):
        return torch.sigmoid(self.act(x))


y = torch.sigmoid(x)
"""
NET_CONVERTED = """\
import torch
from mindspore import nn, ops


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.LeakyReLU(alpha=0.01)
        self.set_train()

    def construct(self, x):
        return ops.sigmoid(self.act(x))


y = torch.sigmoid(x)
"""
# text, then the name that a finding is about, and what its fix alone makes of the text
WRITTEN = {
    "a call": (
        "import torch\ny = torch.std(x)\n",
        "torch.std",
        "from mindspore import ops\ny = ops.std(x, ddof=1)\n",
    ),
    "an import that is still needed": (
        "import torch\ny = torch.sigmoid(x)\nz = torch.sigmoid(x)\n",
        "torch.sigmoid",
        "import torch\nfrom mindspore import ops\ny = ops.sigmoid(x)\nz = torch.sigmoid(x)\n",
    ),
    "a dtype inside of a call": (
        "import torch\ny = torch.ones(2, dtype=torch.int32)\n",
        "torch.int32",
        "import mindspore\nfrom mindspore import ops\ny = ops.ones((2,), dtype=mindspore.int32)\n",
    ),
    "a statement over several lines": (
        "import torch\ny = torch.sigmoid(\n    torch.relu(x),  # why\n)\nz = torch.relu(x)\n",
        "torch.relu",
        "import torch\nfrom mindspore import ops\ny = ops.sigmoid(\n    ops.relu(x),  # why\n)\nz = torch.relu(x)\n",
    ),
    "the head of a statement that holds others": (
        "import torch\nif torch.relu(x):\n    y = torch.relu(x)\n",
        "torch.relu",
        "import torch\nfrom mindspore import ops\nif ops.relu(x):\n    y = torch.relu(x)\n",
    ),
    "signs beyond ASCII": (
        "import torch\nname = '你😀'; y = torch.std(x)\n",
        "torch.std",
        "from mindspore import ops\nname = '你😀'; y = ops.std(x, ddof=1)\n",
    ),
    "line ends of two signs": (
        "import torch\r\ny = torch.std(x)\r\n",
        "torch.std",
        "from mindspore import ops\r\ny = ops.std(x, ddof=1)\r\n",
    ),
    "a class": (NET, "torch.nn.LeakyReLU", NET_CONVERTED),
    "beside a class": (
        NET,
        "torch.sigmoid",
        NET.replace("y = torch", "y = ops").replace("nn\n", "nn\nfrom mindspore import ops\n", 1),
    ),
}
LEFT = {
    "a part of a class": (NET, "torch.nn.Module", "the fix of line 8 converts class `Net` whole"),
    "a class in a function": (
        "from torch import nn\ndef f():\n    class A(nn.Module):\n        def forward(self, x): return x\n",
        "torch.nn.Module",
        "inside of another statement",
    ),
    "a file that is broken elsewhere": (
        "import torch\ny = torch.std(x)\ndef f(:\n    pass\n",
        "torch.std",
        "a part of the file does not parse",
    ),
    "carriage returns alone": ("import torch\ry = torch.std(x)\r", "torch.std", "carriage returns"),
    "a training step": (
        "import torch\nfrom torch import nn\nnet = nn.Linear(2, 2)\n"
        "opt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "def train(data):\n    for x in data:\n        loss = net(x).sum()\n        opt.zero_grad()\n"
        "        loss.backward()\n        opt.step()\n",
        "torch.Tensor.backward",
        "training step",
    ),
}
WITHOUT = {
    "nothing to change": "import torch\ny = torch.no_such_name\n",
    "only a hint about a guess": "def f(x):\n    return x.view(1, -1)\n",
    "not torch": "import numpy as np\ny = np.std(x)\n",
}


def reports(folder, target, text, **options):
    names = folder({"a.py": text})
    return list(
        check_paths(names, Settings(), target, os.curdir, use_cache=False, with_edits=True, **options)
    )


def made(text, fix):
    return apply_edits(text, [Edit(one.span, one.text) for one in fix.edits])


@pytest.mark.parametrize("case", WRITTEN)
def test_a_fix_alone(folder, target, case):
    text, api, expected = WRITTEN[case]
    (report,) = reports(folder, target, text)
    pairs = zip(report.findings, report.written, strict=True)
    found = [fix for finding, fix in pairs if finding.api == api and not (fix and "class" in fix.reason)]
    assert made(text, found[0]) == expected


@pytest.mark.parametrize("case", LEFT)
def test_what_is_left_says_why(folder, target, case):
    text, api, reason = LEFT[case]
    (report,) = reports(folder, target, text)
    pairs = zip(report.findings, report.written, strict=True)
    (fix,) = [fix for finding, fix in pairs if finding.api == api]
    assert (fix.title, fix.edits) == ("", ())
    assert reason in fix.reason


@pytest.mark.parametrize("case", WITHOUT)
def test_no_fix_and_no_word(folder, target, case):
    (report,) = reports(folder, target, WITHOUT[case])
    assert not any(report.written)
    assert len(report.written) == len(report.findings)


def test_a_notebook_says_why(folder, target):
    cell = '{"cell_type": "code", "source": ["import torch\\n", "y = torch.std(x)"], "metadata": {}, "outputs": []}'
    names = folder(
        {"a.ipynb": f'{{"cells": [{cell}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}'}
    )
    (report,) = check_paths(names, Settings(), target, use_cache=False, with_edits=True)
    assert [fix.reason for fix in report.written if fix] == [
        "not written out: in a notebook places are those of its cells"
    ]


@pytest.mark.parametrize("mode", [Mode.PYNATIVE, Mode.GRAPH])
def test_every_fix_leaves_what_parses_and_meets_its_finding(folder, target, mode):
    target = msgspec.structs.replace(target, mode=mode)
    for text, *_ in WRITTEN.values():
        for fix, change in (
            (fix, change)
            for report in reports(folder, target, text)
            for fix, change in zip(report.fixes, report.written, strict=True)
        ):
            assert (change is None) == (fix is None)
            if change is not None and change.edits:
                ast.parse(made(text, change))
                assert made(text, change) != text


def test_unsafe_fixes_are_named_so(folder, target):
    text = "import torch\ntorch.cuda.manual_seed(1)\ny = torch.tensor([1.0])\nz = torch.unique(y)\n"
    (report,) = reports(folder, target, text)
    seen = {
        fix: change.title.endswith("(unsafe)")
        for fix, change in zip(report.fixes, report.written, strict=True)
        if change is not None and change.edits
    }
    assert seen.get(Applicability.UNSAFE, True)
    assert not seen.get(Applicability.SAFE, False)
    assert seen


def test_findings_are_those_of_a_run_without_edits(folder, target):
    names = folder({f"{number}.py": text for number, (text, *_) in enumerate(WRITTEN.values())})
    plain = list(check_paths(names, Settings(), target, use_cache=False))
    with_edits = list(check_paths(names, Settings(), target, use_cache=False, with_edits=True))
    assert [msgspec.structs.replace(report, written=()) for report in with_edits] == plain


def test_results_with_edits_are_kept_apart(folder, target):
    names = folder({"a.py": NET})
    runs = [list(check_paths(names, Settings(), target, with_edits=flag)) for flag in (True, False, True)]
    assert [any(report.written for report in run) for run in runs] == [True, False, True]
    assert runs[0] == runs[2]
