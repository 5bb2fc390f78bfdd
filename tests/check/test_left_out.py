"""Statements that a conversion leaves out: the setting goes, the block around it stays whole, and nothing is lost that
may have an effect."""

import pytest
from converting import converted

SETTING = "torch.backends.cudnn.benchmark = True\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"import torch\n\nprint(1)\n{SETTING}print(2)\n", "print(1)\nprint(2)\n"),
        (f"import torch\n\nif a:\n    {SETTING}    {SETTING}print(2)\n", "print(2)\n"),
        (f"import torch\n\nif a():\n    {SETTING}    {SETTING}print(2)\n", "if a():\n    pass\nprint(2)\n"),
        (f"import torch\n\nif a:  # now\n\n    {SETTING}", "if a:  # now\n\n    pass\n"),
        (
            f"import torch\n\nif a:\n    b()\n    {SETTING}else:\n    c()\n",
            "if a:\n    b()\nelse:\n    c()\n",
        ),
        (
            "import torch\n\nprint(1)\ntorch.backends.cudnn.benchmark = (\n    not args.slow\n)\nf()\n",
            "print(1)\nf()\n",
        ),
        ("import torch\n\nprint(1)\ntorch.init_num_threads()\n", "print(1)\n"),
        ("from torch.backends import cudnn\n\ncudnn.benchmark = a.b and not c\nf()\n", "f()\n"),
        (f"import torch\n\nprint('移'); {SETTING}f()\n", "print('移')\nf()\n"),
        ("import torch\n\ntorch.backends.cudnn.benchmark = True; f()\n", "f()\n"),
        ("import torch\n\nf() ; torch.init_num_threads() ;g()  # 移\n", "f() ; g()  # 移\n"),
        (f"import torch; import os\nif os: {SETTING}f()\n", "import os\nf()\n"),
        (
            "import torch\n\nif a: torch.init_num_threads(); torch.backends.cudnn.benchmark = True\n",
            "",
        ),
        (
            "import torch\n\na = 1; torch.backends.cudnn.benchmark = (\n    not b\n); torch.init_num_threads()\n",
            "a = 1\n",
        ),
    ],
)
def test_a_setting_goes(before, after):
    assert converted(before) == after
    assert converted(after) == after


@pytest.mark.parametrize(
    "statement",
    [
        "torch.backends.cudnn.benchmark = decide()\n",
        "torch.backends.cudnn.benchmark = decide(); f()\n",
        "torch.backends.cudnn.benchmark = other = True\n",
        "torch.backends.cudnn.benchmark |= True\n",
        "torch.backends.cudnn.benchmark = True  # why\n",
        "print(torch.backends.cudnn.benchmark_limit)\n",
        "done = torch.init_num_threads()\n",
    ],
)
def test_what_may_do_more_stays(statement):
    text = f"import torch\n\n{statement}"
    assert statement in converted(text)
