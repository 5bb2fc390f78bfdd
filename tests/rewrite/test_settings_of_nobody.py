"""Settings that torch does not have are left out."""

import ast

import pytest

from mindport.rewrite.settings_of_nobody import settings_of_nobody
from mindport.rewrite.text_edits import with_edits


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("torch.cuda.cudnn_enabled = False\nx = 1\n", "x = 1\n"),
        ("torch.backends.cudnn.deterministics = True  # 🙂\nx = 1\n", "x = 1\n"),
        ("x = 1; torch.cuda.cudnn_enabled = False; y = 2\n", "x = 1; y = 2\n"),
        ("if a:\n    torch.cuda.cudnn_enabled = flag\n", "if a:\n    pass\n"),
        ("def f():\n    torch.cuda.benchmark = True\n    return 1\n", "def f():\n    return 1\n"),
    ],
)
def test_they_go(before, after):
    text = "import torch\n" + before
    found = with_edits(text, settings_of_nobody(text))
    assert found == "import torch\n" + after
    ast.parse(found)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\ntorch.backends.cudnn.enabled = False\n",
        "import torch\ntorch.cuda.mine = 1\nprint(torch.cuda.mine)\n",
        "import torch\ntorch.cuda.mine = 1\nprint(getattr(torch.cuda, 'mine'))\n",
        "import torch\ntorch.cuda.mine = f()\n",
        "import torch\ntorch.nn.Module.mine = 1\n",
        "import torch\ntorch.a.b = 1\n",
        "from mine import torch\ntorch.cuda.cudnn_enabled = False\n",
        "import torch\nself.torch.cuda.cudnn_enabled = False\n",
    ],
)
def test_what_torch_has_or_somebody_reads_stays(text):
    assert settings_of_nobody(text) == []
