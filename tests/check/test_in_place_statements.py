"""In-place calls that are statements: chains become one statement for each call, parts of tensors are assigned to."""

from __future__ import annotations

import pytest
from converting import converted

from mindport.mapping.index import MappingIndex
from mindport.mapping.load import read_mapping
from mindport.model.target import Device, Mode, Target, Version

MAPPING = """
torch: {{method: torch.Tensor.{0}_}}
summary: Changes the tensor itself.
cases:
  - {{when: {{$result: discarded}}, verdict: composed, rewrite: "$input[()] = $input.{0}($other)", fix: unsafe}}
  - {{verdict: composed, rewrite: "$input.{0}($other)", fix: unsafe}}
"""
TENSOR = """
torch: {class: torch.Tensor}
summary: A tensor.
cases: [{verdict: renamed, call: mindspore.Tensor, fix: unsafe}]
"""
ZERO = """
torch: {method: torch.Tensor.zero_}
summary: Zeros.
cases: [{verdict: composed, rewrite: "$input[()] = 0", fix: unsafe}]
"""
TEXTS = [TENSOR, ZERO, *(MAPPING.format(name) for name in ("mul", "add"))]
INDEX = MappingIndex.of([read_mapping(text, "x.yaml") for text in TEXTS])
HEAD = "import torch\ndef f(x: torch.Tensor, z: torch.Tensor, n):\n"
FIXED_HEAD = "import mindspore\ndef f(x: mindspore.Tensor, z: mindspore.Tensor, n):\n"
STATEMENTS = [
    ("x.mul_(2).add_(z)", "x[()] = x.mul(2)\nx[()] = x.add(z)"),
    (
        "x.mul_(2).add_(z).mul_(3)  # 方差 🔥",
        "x[()] = x.mul(2)\nx[()] = x.add(z)\nx[()] = x.mul(3)  # 方差 🔥",
    ),
    ("if n:\n    x.mul_(2).add_(z)", "if n:\n    x[()] = x.mul(2)\n    x[()] = x.add(z)"),
    ("x.mul_(2).add_(\n    z,\n)", "x[()] = x.mul(2)\nx[()] = x.add(z)"),
    ("x.data.mul_(2).add_(z)", "x[()] = x.data.mul(2)\nx[()] = x.data.add(z)"),
    ("x.mul_(z.mul_(2)).add_(z)", "x[()] = x.mul(z.mul(2))\nx[()] = x.add(z)"),
    # What is read, is called on no name or shares its line stays one expression.
    ("y = x.mul_(2).add_(z)", "y = x.mul(2).add(z)"),
    ("x.view(1).mul_(2).add_(z)", "x.view(1).mul(2).add(z)"),
    ("x.mul_(2).add_(z); n = 3", "x.mul(2).add(z); n = 3"),
    ("if n: x.mul_(2).add_(z)", "if n: x.mul(2).add(z)"),
    # So does a chain with a call that nothing is known for.
    ("x.mul_(2).no_such_(z)", "x.mul(2).no_such_(z)"),
    ("x.no_such_(2).add_(z)", "x.no_such_(2).add_(z)"),
]


# The index tells a part of the tensor from copies of its elements.
STATEMENTS += [
    ("x.zero_()", "x[()] = 0"),
    ("x[0].zero_()", "x[0] = 0"),
    ("x[n : 2 * n].zero_()", "x[n : 2 * n] = 0"),
    ("x[..., -1, :].zero_()", "x[..., -1, :] = 0"),
    ("x[n].zero_()", "x[n][()] = 0"),
    # An element of a list or tuple of tensors would be replaced.
    ("[x, z][0].zero_()", "[x, z][0][()] = 0"),
    ("x.chunk(4)[1].zero_()", "x.chunk(4)[1][()] = 0"),
    ("x.unbind(0)[-1].zero_()", "x.unbind(0)[-1][()] = 0"),
    ("held = [x]\nheld[0].data.zero_()", "held = [x]\nheld[0][()] = 0"),
    ("x.view(-1)[1].zero_()", "x.view(-1)[1] = 0"),
    ("x[0, z > 0].zero_()", "x[0, z > 0][()] = 0"),
    ("x[[0, 1]].zero_()", "x[[0, 1]][()] = 0"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("before", "after"), STATEMENTS)
def test_statement(before: str, after: str, newline: str) -> None:
    def whole(head: str, code: str) -> str:
        return (head + "".join(f"    {line}\n" for line in code.split("\n"))).replace("\n", newline)

    fixed = converted(whole(HEAD, before), index=INDEX, newline=newline, unsafe=True)
    assert fixed == whole(FIXED_HEAD, after)


# In a network the gradient goes on as if nothing had been written to `data`. Of a Parameter an optimizer would lose it.
NETWORK = """import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        y = torch.exp(x)
        {}
        return y
"""
WRITTEN_TO_DATA = [
    ("y.data.mul_(2)", "y.data = y.data.mul(2)"),
    ("y.data.mul_(2).add_(x)", "y.data = y.data.mul(2)\n        y.data = y.data.add(x)"),
    ("y.mul_(2)", "y[()] = y.mul(2)"),
    ("y.data.zero_()", "TorchElements(y)[()] = 0"),
    # Whoever calls it may hand on a Parameter.
    ("x.data.mul_(2)", "TorchElements(x)[()] = x.data.mul(2)"),
    ("self.w.data.mul_(2)", "TorchElements(self.w)[()] = self.w.data.mul(2)"),
    (
        "for p in self.parameters(): p.data.mul_(2)",
        "for p in self.parameters(): TorchElements(p)[()] = p.data.mul(2)",
    ),
]


def body(text: str) -> str:
    return (
        text.partition("class Net")[2]
        .partition("y = ")[2]
        .partition("\n")[2]
        .partition("        return y")[0]
        .strip()
    )


@pytest.mark.parametrize(("before", "after"), WRITTEN_TO_DATA)
def test_statement_in_a_network(before: str, after: str) -> None:
    assert body(converted(NETWORK.format(before), index=INDEX, unsafe=True)) == after


# Neither compiled code nor an older version assigns `data` of a tensor.
@pytest.mark.parametrize(
    ("target", "written"),
    [
        (Target(Version(2, 10, 0), Device.CPU, Mode.GRAPH), "y"),
        (Target(Version(2, 7, 0), Device.CPU), "TorchElements(y)"),
    ],
)
def test_statement_where_data_cannot_be_assigned(target: Target, written: str) -> None:
    fixed = converted(NETWORK.format("y.data.mul_(2)"), target, index=INDEX, unsafe=True)
    assert body(fixed) == f"{written}[()] = y.data.mul(2)"
