"""Ports say `nn` where the original did, and only where that name means nothing else."""

from __future__ import annotations

import pytest

from mindport.mapping.helper_source import helper_source
from mindport.rewrite.short_names import with_short_names

IMPORT = "import torch.nn as nn\n"
HELPER = helper_source("TorchBatchNorm2d")


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        (IMPORT, "import mindspore\nx = mindspore.nn.ReLU()\n", "from mindspore import nn\nx = nn.ReLU()\n"),
        (
            "from torch import Tensor, nn\n",
            "import mindspore\nfrom mindspore import ops\nx = mindspore.nn.ReLU()\n",
            "from mindspore import nn, ops\nx = nn.ReLU()\n",
        ),
        (
            "import torch.nn as tnn\n",
            "import mindspore\nfrom mindspore import ops, mint\nx = mindspore.nn.ReLU(), mindspore.Tensor\n",
            "import mindspore\nfrom mindspore import mint, nn as tnn, ops\nx = tnn.ReLU(), mindspore.Tensor\n",
        ),
        (
            "from torch import nn as N\n",
            "import mindspore\r\nx = mindspore.nn.ReLU(), mindspore.int32  # 层 🙂\r\n",
            "import mindspore\r\nfrom mindspore import nn as N\r\nx = N.ReLU(), mindspore.int32  # 层 🙂\r\n",
        ),
        (
            IMPORT,
            "import mindspore\ns = '层 🙂', mindspore.nn.ReLU\nt: 'mindspore.nn.Cell'\n",
            "import mindspore\nfrom mindspore import nn\ns = '层 🙂', nn.ReLU\nt: 'mindspore.nn.Cell'\n",
        ),
        (
            IMPORT,
            f"import mindspore\n\n\n{HELPER}\nx = mindspore.nn.ReLU()\n",
            f"import mindspore\nfrom mindspore import nn\n\n\n{HELPER}\nx = nn.ReLU()\n",
        ),
    ],
)
def test_the_name_that_the_file_had_is_used(before: str, text: str, expected: str) -> None:
    assert with_short_names(before, text) == expected
    assert with_short_names(expected, expected) == expected


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (
            IMPORT,
            "import torch.nn as nn\nimport mindspore\nx = mindspore.nn.ReLU(), nn.Fold\n",
        ),  # not all ported
        (IMPORT, "import mindspore\ndef f(nn): return mindspore.nn.ReLU()\n"),
        (IMPORT, "import mindspore\n__all__ = ['nn']\nx = mindspore.nn.ReLU()\n"),
        (IMPORT, "import mindspore\nfor nn in range(3): mindspore.nn.ReLU()\n"),
        (IMPORT, "if 1:\n    import mindspore\nx = mindspore.nn.ReLU()\n"),
        (IMPORT, "import mindspore\nx = mindspore.ops.relu, 'mindspore.nn.ReLU'\n"),
        (IMPORT, "import mindspore\nx = mindspore.nn.ReLU(\n"),
        ("import mindspore\n" + IMPORT, "import mindspore\nx = mindspore.nn.ReLU()\n"),  # the user's own
        ("import torch\n", "import mindspore\nx = mindspore.nn.ReLU()\n"),
        ("import torch.nn\n", "import mindspore\nx = mindspore.nn.ReLU()\n"),
        ("import torch.nn.functional as nn\n", "import mindspore\nx = mindspore.nn.ReLU()\n"),
        ("from .torch import nn\n", "import mindspore\nx = mindspore.nn.ReLU()\n"),
        ("def f():\n    from torch import nn\n", "import mindspore\nx = mindspore.nn.ReLU()\n"),
        ("import torch.nn as nn\n(", "import mindspore\nx = mindspore.nn.ReLU()\n"),
    ],
)
def test_else_the_long_name_stays(before: str, text: str) -> None:
    assert with_short_names(before, text) == text
