"""Blocks under a device of torch are written without it; the result is torch, still."""

import ast

import pytest

from mindport.rewrite.device_blocks import device_blocks
from mindport.rewrite.text_edits import with_edits

HEAD = 'import torch\ndevice = torch.device("cuda")\n'


@pytest.mark.parametrize(
    ("block", "opened"),
    [
        ('with torch.device("cuda"):\n    x = f()\n', "x = f()\n"),
        ('with torch.device("cuda"): x = f(); y = 1\n', "x = f(); y = 1\n"),
        ("with device:\n    x = f()\n\n    y = g(\n        x)\n", "x = f()\n\ny = g(\n    x)\n"),
        ('with torch.device("cuda"):  # 设备 🙂\n    x = f()\n', "# 设备 🙂\nx = f()\n"),
        ('with torch.device("cuda"):\n    # why 🙂\n    x = f()\nz = 1\n', "# why 🙂\nx = f()\nz = 1\n"),
        (
            'if a:\n    with torch.device("cuda"):\n        x = """one\n        two"""\n    z = 1\n',
            'if a:\n    x = """one\n        two"""\n    z = 1\n',
        ),
        (
            "with device:\n    if a:\n        with torch.device('cpu'):\n            x = f()\n",
            "if a:\n    x = f()\n",
        ),
        ("with device, torch.no_grad():\n    x = f()\n", "with torch.no_grad():\n    x = f()\n"),
        ("with torch.no_grad(), device:\n    x = f()\n", "with torch.no_grad():\n    x = f()\n"),
        ("with a as b, device, c as d:\n    x = f()\n", "with a as b, c as d:\n    x = f()\n"),
        (
            "def f(place: torch.device):\n    with place:\n        return g()\n",
            "def f(place: torch.device):\n    return g()\n",
        ),
    ],
)
def test_the_body_stands_in_the_place_of_the_block(block, opened):
    found = with_edits(HEAD + block, device_blocks(HEAD + block))
    assert found == HEAD + opened
    ast.parse(found)


@pytest.mark.parametrize(
    "block",
    [
        "with torch.no_grad():\n    x = f()\n",
        "with torch.cuda.device(0):\n    x = f()\n",
        "with lock:\n    x = f()\n",
        "with torch.device('cuda') as d:\n    x = f()\n",
        "def f(device):\n    with device:\n        pass\n",
        "device = open('a')\nwith device:\n    pass\n",
        "with torch.device('cuda'):\n",
        "text = 'with torch.device(1):'\n",
    ],
)
def test_other_blocks_stay(block):
    assert device_blocks(HEAD + block) == []
