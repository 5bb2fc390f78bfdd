"""Torch names in configuration text."""

from __future__ import annotations

import pytest

from mindport.usage.config_text import config_uses

NAMED = {
    "hydra": ("_target_: torch.optim.Adam\n", "torch.optim.Adam", 10),
    "quoted": ('name: "torch.nn.ReLU"\n', "torch.nn.ReLU", 7),
    "list": ("- torch.nn.ReLU\n", "torch.nn.ReLU", 2),
    "flow": ("{a: torch.nn.ReLU, b: 1}\n", "torch.nn.ReLU", 4),
    "place of definition": ("a: torch.nn.modules.linear.Linear\n", "torch.nn.Linear", 3),
    "comment behind": ("a: torch.nn.ReLU  # torch.nn.GELU\n", "torch.nn.ReLU", 3),
    "library": ("_target_: timm.create_model\n", "timm.create_model", 10),
    "wide characters": ("名: torch.nn.ReLU\n", "torch.nn.ReLU", 3),
}


@pytest.mark.parametrize(("text", "api", "column"), NAMED.values(), ids=NAMED.keys())
def test_name(text: str, api: str, column: int) -> None:
    (use,) = config_uses(text)
    assert (use.api, use.span.line, use.span.column) == (api, 1, column)


NOTHING = [
    "# torch.optim.Adam\n",
    "text: see torch.nn.ReLU for more\n",
    "path: torch.nn/file\n",
    "a: torch\n",
    "a: torch.nn\n",
    "a: my.torch.nn.ReLU\n",
    "a: torch.no.such.name\n",
    "a: numpy.float32\n",
    "",
]


@pytest.mark.parametrize("text", NOTHING)
def test_no_name(text: str) -> None:
    assert config_uses(text) == ()
