"""A torch import that the file itself no longer needs stays where another file of the project takes it from there."""

import pytest

from mindport.checking.engine import Engine
from mindport.checking.fixing import fix_paths, fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.source.discovery import full_path
from mindport.source.text import SourceText
from mindport.usage.project import Project

FIRST = "import torch\nimport torch.nn.functional as F\ny = F.relu(torch.zeros(3))\n"
BOTH_GONE = "from mindspore import ops\ny = ops.relu(ops.zeros((3,)))\n"
F_STAYS = "import torch.nn.functional as F\n" + BOTH_GONE
BOTH_STAY = "import torch\n" + F_STAYS
# What the other file says; what becomes of the first one alone, and where both are fixed.
OTHERS = [
    ("from first import F\n", F_STAYS, F_STAYS),
    ("from first import F as functional, y\n", F_STAYS, F_STAYS),
    ("from .first import F\n", F_STAYS, F_STAYS),
    ("from first import *\nprint(F.relu(torch.ones(3)))\n", BOTH_STAY, BOTH_GONE),
    ("from first import *\nprint(F.relu)\n", F_STAYS, BOTH_GONE),
    ("from first import *\nprint(F.no_such_name)\n", F_STAYS, F_STAYS),
    ("from first import *\nprint(y)\n", BOTH_GONE, BOTH_GONE),
    ("from first import y\n", BOTH_GONE, BOTH_GONE),
    ("import first\nprint(first.y)\n", BOTH_GONE, BOTH_GONE),
    ("from second import F\n", BOTH_GONE, BOTH_GONE),
]


@pytest.mark.parametrize(("other", "alone", "together"), OTHERS)
def test_import_stays_where_it_is_taken(other, alone, together, folder, settings, target):
    files = folder({"first.py": FIRST, "other.py": other})
    fixed = {fix.path: fix for fix in fix_paths(files, settings, target, ".")}
    assert fixed["first.py"].after.text == together


@pytest.mark.parametrize(("other", "alone", "together"), OTHERS)
def test_fixing_one_file_of_a_project_keeps_what_is_taken_too(
    other, alone, together, folder, settings, target
):
    folder({})
    project = Project(full_path("."))
    project.add(full_path("first.py"), FIRST)
    project.add(full_path("other.py"), other)
    source = SourceText("first.py", FIRST)
    assert fix_text("first.py", source, project, Engine(target), RuleFilter(settings)).text == alone


CLIP = """

def clip(optimizer):
    for group in optimizer.param_groups:
        for p in group["params"]:
            if p.grad is not None:
                p.grad.data.clamp_(-1, 1)
"""
TRAINS = """import torch.nn as nn
import torch.optim as optim
from tools import *

print(os.getpid(), functools)
net = nn.Linear(3, 2)
optimizer = optim.Adam(params=net.parameters(), lr=0.1)
for x in batches:
    loss = net(x).sum()
    loss.backward()
    clip(optimizer)
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("tools", "is_written"),
    [
        ("import os, functools\n", True),
        ("import functools, os  # 路径 🙂\nimport sys\n", True),
        # Functions of the helpers import it for themselves, but for what a decorator needs.
        ("import functools\nfrom systems import os\n", True),
        ("import os\nfrom systems import functools\n", False),
        ("import os\nfunctools = None\n", False),
    ],
)
def test_what_needs_a_module_of_python_takes_the_one_of_another_file(
    tools, is_written, folder, settings, target
):
    files = folder({"tools.py": tools + CLIP, "train.py": TRAINS})
    fixed = {fix.path: fix for fix in fix_paths(files, settings, target, ".", unsafe=True)}["train.py"]
    assert ("torch_recorded(TorchAdam)(" in fixed.after.text) is is_written
    # What nobody could write is said to be left, though its arguments are written.
    assert "params=net.trainable_params()" in fixed.after.text
    assert ("torch.optim.Adam" in {one.api for one in fixed.report.findings}) is not is_written
