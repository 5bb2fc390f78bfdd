"""Whole files as `mindport fix` leaves them: classes that run as cells, helpers, imports that are optional."""

import pytest

from mindport.check.engine import Engine
from mindport.check.fixing import fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.target import Device, Target, Version
from mindport.source.text import SourceText
from mindport.usage.project import Project

CPU = Target(Version(2, 10, 0), Device.CPU)
PATH = "/project/model.py"


def converted(text, target=CPU, **options):
    project = Project("/project")
    project.add(PATH, text)
    source = SourceText(PATH, text)
    return fix_text(PATH, source, project, Engine(target), RuleFilter(Settings(), "/project"), **options).text


CLASS = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(3, width)  # 层 🙂

    def forward(self, x):
        return self.layer(x)
"""


def test_a_class_becomes_a_cell_that_starts_in_training_mode():
    assert (
        converted(CLASS)
        == """import mindspore


class Net(mindspore.nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.layer = mindspore.nn.Dense(3, width)  # 层 🙂
        self.set_train()

    def construct(self, x):
        return self.layer(x)
"""
    )


BODY = (
    "    def __init__(self):\n        super().__init__()\n{}\n    def forward(self, x):\n        return x\n"
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "class Net(nn.Module):\n    def __init__(self): super().__init__()\n",
            "super().__init__(); self.set_train()\n",
        ),
        (
            CLASS + "\n    def twice(self, x):\n        return self.forward(self.forward(x))\n",
            "self.construct(self.construct(x))",
        ),
        (CLASS.replace("return self.layer(x)", "return super().forward(x)"), "return super().construct(x)"),
        (
            CLASS + "\n\nclass More(Net):\n    def __init__(self):\n        Net.__init__(self, 4)\n",
            "Net.__init__(self, 4)\n        self.set_train()\n",
        ),
        (CLASS.replace("nn.Linear(3, width)", "nn.Dropout(0.1)"), "mindspore.nn.Dropout(p=0.1)"),
        ("class Net(nn.Sequential):\n    pass\n", "class Net(TorchSequential):"),
        ("def make(norm=nn.BatchNorm2d):\n    return norm(4)\n", "def make(norm=TorchBatchNorm2d):"),
        ("def make(**more):\n    return nn.Conv2d(3, 4, 3, **more)\n", "return TorchConv2d(3, 4, 3, **more)"),
        ("def make(pad):\n    return nn.Conv2d(3, 4, 3, padding=pad)\n", "return TorchConv2d(3, 4, 3, padding=pad)"),
        ("@torch.no_grad()\ndef f(x):\n    return x\n", "@torch_no_grad()\ndef f"),
    ],
)  # fmt: skip
def test_what_stands_in_the_file(before, after):
    text = before if before.startswith("import") else f"import torch\nfrom torch import nn\n\n\n{before}"
    once = converted(text)
    assert after in once
    assert converted(once) == once
    compile(once, "converted", "exec")


@pytest.mark.parametrize(
    "text",
    [
        "class Net(Base):\n    def forward(self, x):\n        return self.forward(x)\n",  # nobody knows what Base is
        "class Forward:\n    def __init__(self):\n        self.forward = 1\n",
        "import torch\n\n\ndef run(net):\n    return torch._nobody_knows(net.forward)\n",
        "from torch import nn\n\nTorchConv2d = 3\n\n\ndef make(**more):\n    return nn.Conv2d(3, 4, 3, **more)\n",
    ],
)
def test_what_stays_as_it_is(text):
    assert converted(text) == text


def test_what_a_helper_calls_is_defined_above_it():
    text = converted(
        "import torch\nfrom torch import nn\n\ncell = nn.LSTMCell(3, 4)\nother = nn.GRUCell(3, 4)\n"
    )
    places = [
        text.index(one) for one in ("def torch_tanh", "class TorchGRUCell", "class TorchLSTMCell", "cell =")
    ]
    assert places == sorted(places)
    assert text.count("def torch_tanh") == 1


def test_a_template_may_call_a_helper():
    text = converted("import torch\n\n\ndef f(x: torch.Tensor):\n    return x.cumprod(1)\n")
    assert text.count("def torch_cumprod") == 1
    assert text.endswith("def f(x: mindspore.Tensor):\n    return torch_cumprod(x, 1)\n")


def test_a_helper_is_defined_once_below_the_imports():
    text = "import os\nfrom torch import nn\n\nA = nn.BatchNorm2d\nB = [nn.BatchNorm2d, nn.ReLU]\n"
    once = converted(text)
    assert once.count("class TorchBatchNorm2d(") == once.count("class TorchReLU(") == 1
    assert once.startswith("import os\nimport mindspore\n\n\nclass TorchBatchNorm2d(")
    assert once.endswith("A = TorchBatchNorm2d\nB = [TorchBatchNorm2d, TorchReLU]\n")


LEFT_OVER = CLASS.replace("import torch\n", "import torch\nfrom torch.hub import load\n")


@pytest.mark.parametrize(
    ("use", "is_optional"),
    [
        ("\n    def load(self):\n        return load(torch._private())\n", True),
        ("\n    twice = lambda x: load(torch._private)\n", True),
        ("\n    def load(self, how=load, who=torch._private):\n        return 1\n", False),
        ("\n    @load\n    @torch._private\n    def load(self):\n        return 1\n", False),
        ("\nprint(load, torch._private)\n", False),
    ],
)
def test_torch_that_is_left_over_is_no_condition_for_importing_the_file(use, is_optional):
    once = converted(LEFT_OVER + use)
    assert ("try:\n    import torch\nexcept ImportError:\n    torch = None" in once) is is_optional
    assert ("try:\n    from torch.hub import load\n" in once) is is_optional
    assert converted(once) == once


def test_what_nobody_ran_on_the_device_is_left_to_the_user():
    ascend = Target(Version(2, 10, 0), Device.ASCEND)
    assert converted(CLASS, ascend) == CLASS
    assert "mindspore.nn.Cell" in converted(CLASS, ascend, unsafe=True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y = torch.zeros(1, 3).fill_(0.5)", "y = ops.full_like(ops.zeros((1, 3)), 0.5)"),
        ("y = (x * 2).fill_(0.5)", "y = ops.full_like(x * 2, 0.5)"),
        ("y = x.view(-1).fill_(0.5)", "y = x.view(-1).fill_(0.5)"),  # x changes, too
        ("y = x.fill_(0.5)", "y = x.fill_(0.5)"),
    ],
)
def test_what_changes_a_tensor_that_nobody_else_holds_is_its_value(before, after):
    text = f"import torch\n\n\ndef f(x: torch.Tensor):\n    {before}\n    return y\n"
    assert after in converted(text)
