"""What can be gone through once, `reversed(layers)`, is no list or tuple, whoever it is handed to."""

import pytest

from mindport.usage.api_use import Kind
from mindport.usage.project import Project

CODE = """from torch import nn


class Net(nn.Module):  # 网络 🙂
    def __init__(self, blocks):
        super().__init__()
        self.blocks = nn.ModuleList(blocks)


def build(layers: list, more: list):
    {body}
"""


def kind_of_blocks(body: str) -> Kind:
    project = Project("/p")
    project.add("/p/a.py", CODE.format(body=body))
    (use,) = (use for use in project.usage("/p/a.py").uses if use.api == "torch.nn.ModuleList")
    assert use.call is not None
    return use.call.arguments[0].kind


@pytest.mark.parametrize(
    "blocks",
    ["reversed(layers)", "iter(layers)", "map(nn.ReLU, layers)", "filter(None, layers)", "zip(layers, more)"],
)
def test_iterators(blocks: str) -> None:
    assert kind_of_blocks(f"return Net({blocks})") is Kind.UNKNOWN


def test_one_of_both() -> None:
    assert kind_of_blocks("return Net(layers), Net(reversed(layers))") is Kind.UNKNOWN
    assert kind_of_blocks("return Net(reversed(layers)), Net([*layers])") is Kind.UNKNOWN


@pytest.mark.parametrize(
    "blocks", ["[*layers]", "list(reversed(layers))", "sorted(layers)", "tuple(map(nn.ReLU, layers))"]
)
def test_lists_and_tuples(blocks: str) -> None:
    assert kind_of_blocks(f"return Net({blocks})") is Kind.SEQUENCE
