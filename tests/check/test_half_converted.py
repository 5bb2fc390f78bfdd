"""A torch call that stays keeps its dtype arguments; one that goes takes them along."""

import pytest

from mindport.checking.engine import Engine
from mindport.checking.fixing import fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.source.discovery import full_path
from mindport.source.text import SourceText
from mindport.usage.project import Project

STAYS = [
    "import torch\ny = torch.frombuffer(data, dtype=torch.float64)\n",
    "import torch\ny = torch.frombuffer(data, dtype=(torch.int64))\n",
]
GOES = [
    (
        "import torch\ny = torch.tensor([1, 2], dtype=torch.float64)\n",
        "import mindspore\ny = mindspore.tensor([1, 2], dtype=mindspore.float64)\n",
    ),
    ("import torch\nkind = torch.float64\n", "import mindspore\nkind = mindspore.float64\n"),
    (
        "import torch\nx = torch.tensor([1, 2])\ny = x.to(torch.float64)\n",
        "import mindspore\nx = mindspore.tensor([1, 2])\ny = x.to(mindspore.float64)\n",
    ),
]


def fixed(text, target):
    project = Project(full_path("."))
    project.add(full_path("a.py"), text)
    result = fix_text("a.py", SourceText("a.py", text), project, Engine(target), RuleFilter(Settings()))
    return result.text


@pytest.mark.parametrize("text", STAYS)
def test_argument_of_a_call_that_stays_is_left(text, target):
    assert fixed(text, target) == text


@pytest.mark.parametrize(("before", "after"), GOES)
def test_argument_of_a_call_that_goes_is_converted(before, after, target):
    assert fixed(before, target) == after
