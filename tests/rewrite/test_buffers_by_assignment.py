"""Buffers that are assigned are registered; the result is torch, still."""

import ast

import pytest

from mindport.rewrite.buffers_by_assignment import buffers_by_assignment
from mindport.rewrite.text_edits import with_edits


@pytest.mark.parametrize(
    ("imports", "before", "after"),
    [
        ("from torch import nn", "self.m = nn.Buffer(x)", 'self.m = ("m", x)'),
        ("import torch", "self.m = torch.nn.Buffer(x, False)", 'self.m = ("m", x, False)'),
        (
            "from torch.nn import Buffer",
            "self.m = Buffer(f(x), persistent=False)  # 层 🙂",
            'self.m = ("m", f(x), persistent=False)  # 层 🙂',
        ),
        (
            "from torch.nn.parameter import Buffer as B",
            "self.a.m: T = B(data=x)",
            'self.a.m = ("m", tensor=x)',
        ),
        (
            "import torch.nn as nn",
            "net.m = nn.Buffer(\n    x,\n    persistent=False,\n)",
            'net.m = ("m", x,\n    persistent=False,\n)',
        ),
    ],
)
def test_it_is_registered(imports, before, after):
    text = f"{imports}\n{before}\n"
    found = with_edits(text, buffers_by_assignment(text))
    owner, _, rest = after.partition(" = ")
    assert found == f"{imports}\n{owner.rpartition('.')[0]}.register_buffer{rest}\n"
    ast.parse(found)


@pytest.mark.parametrize(
    "text",
    [
        "from torch import nn\nm = nn.Buffer(x)\n",
        "from torch import nn\nself.m = nn.Buffer()\n",
        "from torch import nn\nself.m, y = nn.Buffer(x), 1\n",
        "from torch import nn\nself.m = self.n = nn.Buffer(x)\n",
        "import torch\nself.m = io.Buffer(x)\n",
        "import torch\nfrom a import Buffer\nself.m = Buffer(x)\n",
        "from torch import nn\nself.m = ReplayBuffer(nn.Linear)\n",
        "from torch import nn\nself.m = nn.Buffer(\n",
    ],
)
def test_what_is_no_buffer_of_an_attribute_stays(text):
    assert buffers_by_assignment(text) == []
