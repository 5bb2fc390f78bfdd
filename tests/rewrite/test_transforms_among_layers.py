"""Transforms among layers become cells; those that are composed stay as they are."""

import pytest

from mindport.rewrite.transforms_among_layers import AROUND, with_transforms_among_layers

HEADER = "import mindspore\nfrom mindspore import nn\n"
FLIP = "TorchRandomHorizontalFlip()"


@pytest.mark.parametrize(
    "body",
    [
        "a = nn.SequentialCell(F, nn.ReLU(), F)\n",
        "名 = '层 🙂'; a = nn.SequentialCell(F if 名 else nn.Identity())\n",
        "a = nn.SequentialCell([F, nn.ReLU()])\n",
        "a = nn.SequentialCell(*[F])\n",
        "a = TorchSequential(OrderedDict([('flip', F)]))\n",
        "a = mindspore.nn.CellList((F,))\n",
        "a = nn.CellList()\na.append(F)\n",
        "class A(nn.Cell):\n    def __init__(self):\n        self.a = nn.SequentialCell()\n        self.a.append(F)\n",
        "a = [F]\na.append(F)\nb = nn.SequentialCell(*a)\n",
    ],
)
def test_transforms_among_layers(body):
    after = with_transforms_among_layers(HEADER + body.replace("F", FLIP))
    assert after.endswith(body.replace("F", f"{AROUND}({FLIP})"))
    assert f"class {AROUND}(mindspore.nn.Cell):" in after
    assert with_transforms_among_layers(after) == after
    compile(after, "converted", "exec")


@pytest.mark.parametrize(
    "body",
    [
        "a = TorchCompose([F, F])\n",
        "a = nn.SequentialCell(nn.ReLU())\nb = F\n",
        "a = nn.SequentialCell(Apply(F, 0.5))\n",  # a module of the project's own
        "a = [F]\nb = TorchCompose(a)\nc = nn.CellList()\nc.append(nn.ReLU())\n",
        "class B:\n    def __init__(self):\n        self.flip = F\n        self.a = nn.CellList([])\n",
        "a = nn.SequentialCell(F(\n",
    ],
)
def test_others_stay(body):
    text = HEADER + body.replace("F", FLIP)
    assert with_transforms_among_layers(text) == text
