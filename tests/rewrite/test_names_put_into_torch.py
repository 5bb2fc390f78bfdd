"""What a file puts into a module of torch is called by its own name."""

from __future__ import annotations

import pytest

from mindport.rewrite.names_put_into_torch import names_put_into_torch
from mindport.rewrite.text_edits import with_edits

CLASS = "class Masked(nn.Module):\n    pass\n\n"


@pytest.mark.parametrize("owner", ["torch.nn", "nn"])
def test_the_name_of_its_own(owner: str) -> None:
    head = f"import torch.nn as nn\nimport torch\n\n{CLASS}"
    text = f"{head}{owner}.Masked = Masked  # 层 🙂\n\ny = f('🙂', {owner}.Masked(1), {owner}.Linear(1, 2))\n"
    expected = f"{head}\ny = f('🙂', Masked(1), {owner}.Linear(1, 2))\n"
    assert with_edits(text, names_put_into_torch(text)) == expected


def test_what_stands_above_means_torchs() -> None:
    text = "from torch import nn\nclass N(nn.LayerNorm):\n    pass\nnn.LayerNorm = N\nx = nn.LayerNorm(3)\n"
    expected = "from torch import nn\nclass N(nn.LayerNorm):\n    pass\nx = N(3)\n"
    assert with_edits(text, names_put_into_torch(text)) == expected


@pytest.mark.parametrize(
    "rest",
    [
        "self.nn.Masked = Masked\n",
        "nn.Masked = Other\n",
        "nn.Masked = Masked; x = nn.Masked\n",
        "if a:\n    nn.Masked = Masked\n",
        "nn.Masked = Masked\ndef f(Masked):\n    return nn.Masked\n",
        "nn.Masked = Masked\nMasked = None\n",
        "nn.Masked = \n",
    ],
)
def test_what_stays(rest: str) -> None:
    assert names_put_into_torch(f"from torch import nn\n{CLASS}{rest}") == []
    assert names_put_into_torch(f"from numpy import nn\n{CLASS}nn.Masked = Masked\n") == []
