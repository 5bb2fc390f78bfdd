"""Calls of torch's own layers that pass arguments by name are uses of `forward`; other calls are none."""

from __future__ import annotations

import pytest

from mindport.usage.api_use import Form
from usage.marks import usage_of

HEADER = "import torch\nfrom torch import nn\n"
FOUND = {
    "at module level": ("m = nn.Linear(1, 2)\nm(input=x)", "torch.nn.Linear.forward"),
    "made where it is called": ("nn.Linear(1, 2)(input=x)", "torch.nn.Linear.forward"),
    "attribute": (
        "class A(nn.Module):\n    def __init__(self):\n        self.loss = nn.MSELoss()\n"
        "    def forward(self, x, t):\n        return self.loss(x, target=t)",
        "torch.nn.MSELoss.forward",
    ),
    "names beside a mapping": ("m = nn.LSTM(1, 2)\nm(input=x, **more)", "torch.nn.LSTM.forward"),
    "inherited forward": ("m = nn.ReLU6()\nm(input=x)", "torch.nn.Hardtanh.forward"),
    "one of two": (
        "m = nn.ReLU() if flag else nn.GELU()\nm(input=x)",
        "torch.nn.GELU.forward",  # the first by name
    ),
    "any layer of a list": (
        "m = nn.ModuleList([nn.Linear(1, 2), nn.ReLU()])\nm[0](input=x)",
        "torch.nn.Linear.forward",
    ),
}
NOT_FOUND = {
    "by position": "m = nn.Linear(1, 2)\nm(x)",
    "only a mapping": "m = nn.Linear(1, 2)\nm(**more)",
    "a layer of the project": "class A(nn.Module):\n    def forward(self, input): return input\nA()(input=x)",
    "one that derives from a layer": "class A(nn.Linear):\n    def forward(self, x): return x\nA(1, 2)(x=x)",
    "a list with one of the project": (
        "class A(nn.Module):\n    def forward(self, input): return input\n"
        "m = nn.ModuleList([nn.Linear(1, 2), A()])\nm[0](input=x)"
    ),
    "a parameter": "def f(criterion, p, t):\n    return criterion(input=p, target=t)",
    "perhaps one of the project": (
        "class A(nn.Module):\n    def forward(self, input): return input\n"
        "m = nn.ReLU() if flag else A()\nm(input=x)"
    ),
    "what hands names on": "m = nn.DataParallel(net)\nm(input=x)",
    "an optimizer": "o = torch.optim.SGD(p, 0.1)\no.step(closure=f)",
    "a class, not its instance": "nn.Linear(in_features=1, out_features=2)",
    "in a format string": "m = nn.Linear(1, 2)\nf'{m(input=x)}'",
}


def layer_calls(source: str) -> list[str]:
    return [use.api for use in usage_of(HEADER + source).uses if use.form is Form.LAYER_CALL]


@pytest.mark.parametrize(("source", "api"), FOUND.values(), ids=FOUND.keys())
def test_names_of_arguments_make_a_use(source: str, api: str) -> None:
    assert layer_calls(source) == [api]


@pytest.mark.parametrize("source", NOT_FOUND.values(), ids=NOT_FOUND.keys())
def test_other_calls_are_no_uses_of_forward(source: str) -> None:
    assert layer_calls(source) == []


def test_the_place_is_the_layer() -> None:
    (use,) = [
        one for one in usage_of(f"{HEADER}m = nn.ReLU()\ny = m(input=x)").uses if one.call and one.receiver
    ]
    assert (use.span.line, use.span.column, use.span.end_column) == (4, 4, 5)
    assert use.call is not None and use.call.span.end_column == 14
