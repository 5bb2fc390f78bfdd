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
        # Optimizers, by the name that the file had or by the usual one.
        (
            "import torch.optim as O\n",
            "import mindspore\na = mindspore.experimental.optim.SGD\n"
            "b = mindspore.experimental.optim.lr_scheduler.StepLR\n",
            "from mindspore.experimental import optim as O\na = O.SGD\nb = O.lr_scheduler.StepLR\n",
        ),
        (
            "from torch.optim import lr_scheduler\n",
            "import mindspore\na = mindspore.experimental.optim.SGD, mindspore.int32\n"
            "b = mindspore.experimental.optim.lr_scheduler.StepLR\n",
            "import mindspore\nfrom mindspore.experimental import optim\n"
            "from mindspore.experimental.optim import lr_scheduler\n"
            "a = optim.SGD, mindspore.int32\nb = lr_scheduler.StepLR\n",
        ),
        # Names that were imported by themselves; what nothing needs any more goes.
        (
            "from torch.distributions import Normal as N\nimport torch\n",
            "from mindspore import nn, ops\na = nn.probability.distribution.Normal(ops.zeros(1), 1)\n",
            "from mindspore import ops\nfrom mindspore.nn.probability.distribution import Normal as N\n"
            "a = N(ops.zeros(1), 1)\n",
        ),
        (
            "from torch import Tensor\nfrom torch.nn import Conv2d, Linear\n",
            "import mindspore\nfrom mindspore import nn\ndef f(x: mindspore.Tensor): nn.Conv2d, nn.Dense\n",
            "from mindspore import Tensor, nn\nfrom mindspore.nn import Conv2d\n"
            "def f(x: Tensor): Conv2d, nn.Dense\n",
        ),
        (
            "from torch.utils.tensorboard import SummaryWriter\n",
            "import mindspore\nimport tensorboardX\nw = tensorboardX.SummaryWriter('runs'), mindspore.int32\n",
            "import mindspore\nfrom tensorboardX import SummaryWriter\nw = SummaryWriter('runs'), mindspore.int32\n",
        ),
        # Initializers are imported as on MindSpore's own pages.
        (
            "import torch\n",
            "import mindspore\nfrom mindspore import nn\nw = nn.Dense(1, 1).weight\n"
            "w[:] = mindspore.common.initializer.initializer(mindspore.common.initializer.XavierUniform(1), w.shape)\n",
            "from mindspore import nn\nfrom mindspore.common.initializer import XavierUniform, initializer\n"
            "w = nn.Dense(1, 1).weight\nw[:] = initializer(XavierUniform(1), w.shape)\n",
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
        ("import torch\n", "import mindspore\noptim = mindspore.experimental.optim.SGD(p)\n"),
        ("import torch\n", "import mindspore\nclass Normal: x = mindspore.common.initializer.Normal(1)\n"),
        (
            "from torch.optim import *\n",
            "import mindspore\ndef f(optim): return mindspore.experimental.optim.SGD(p)\n",
        ),
        # Two meanings of one name.
        (
            "from torch.distributions import Normal\n",
            "import mindspore\nmindspore.common.initializer.Normal, mindspore.nn.probability.distribution.Normal\n",
        ),
        (
            "from torch import Tensor\n",
            "import mindspore\nfrom torch import Tensor\nx = mindspore.Tensor, Tensor\n",
        ),
    ],
)
def test_else_the_long_name_stays(before: str, text: str) -> None:
    assert with_short_names(before, text) == text
