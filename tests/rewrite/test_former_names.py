"""What torch is asked by old names becomes the question of today."""

from __future__ import annotations

import pytest

from mindport.rewrite.former_names import former_names
from mindport.rewrite.text_edits import with_edits


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "import torch\nd = 'mps' if torch.has_mps or f() else 'cpu'  # 设备 🙂\n",
            "import torch\nd = 'mps' if torch.backends.mps.is_built() or f() else 'cpu'  # 设备 🙂\n",
        ),
        (
            "import torch as th\nif th.has_cuda and th.has_cudnn: pass\n",
            "import torch as th\nif th.backends.cuda.is_built() and th.backends.cudnn.is_available(): pass\n",
        ),
        (
            "import torch\nx = not torch.has_mkldnn\n",
            "import torch\nx = not torch.backends.mkldnn.is_available()\n",
        ),
        (
            "import torch\nx = getattr(torch, 'has_mps', False) and '🙂'\n",
            "import torch\nx = torch.backends.mps.is_built() and '🙂'\n",
        ),
        # Nothing of torch, or nothing that is asked.
        (
            "import torch\nx = getattr(net, 'has_mps', False)\n",
            "import torch\nx = getattr(net, 'has_mps', False)\n",
        ),
        (
            "import torch\nx = getattr(torch, 'has_any', 0)\n",
            "import torch\nx = getattr(torch, 'has_any', 0)\n",
        ),
        ("import numpy as torch\nx = torch.has_mps\n", "import numpy as torch\nx = torch.has_mps\n"),
        ("import torch\nx = self.torch.has_mps\n", "import torch\nx = self.torch.has_mps\n"),
        ("import torch\ntorch.has_mps = False\n", "import torch\ntorch.has_mps = False\n"),
        ("import torch\nx = torch.has_mkl\n", "import torch\nx = torch.has_mkl\n"),
        ("import torch\nx = torch.has_mps(\n", "import torch\nx = torch.has_mps(\n"),
    ],
)
def test_old_names(text: str, expected: str) -> None:
    assert with_edits(text, former_names(text)) == expected
    assert former_names(expected) == []
