"""Several classes can stand for one of torch's in `isinstance`, and nowhere else."""

import pytest
from converting import converted

NORMS = "(mindspore.nn.GroupNorm, TorchInstanceNorm2d)"


def function(body, annotation="int"):
    return f"def f(m, kind: {annotation}, numbers):\n    {body}\n"


# A name that stays torch's keeps the others written in full.
REST = "\n\ndef g(nn: torch.nn.modules.batchnorm._NormBase):\n    return torch.nn.no_such_name(nn)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return isinstance(m, nn.InstanceNorm2d)", f"return isinstance(m, {NORMS})"),
        ("return issubclass(m, (int, nn.InstanceNorm2d))", f"return issubclass(m, (int, {NORMS}))"),
        (
            "return isinstance(numbers(1), (int, nn.InstanceNorm2d)) and numbers(2)",
            f"return isinstance(numbers(1), (int, {NORMS})) and numbers(2)",
        ),
        ("return [kind, nn.InstanceNorm2d]", "return [kind, TorchInstanceNorm2d]"),
        (
            "return isinstance(m, torch.nn.modules.batchnorm._BatchNorm)",
            "return isinstance(m, (mindspore.nn.BatchNorm1d, mindspore.nn.BatchNorm2d, mindspore.nn.BatchNorm3d))",
        ),
        (
            "return isinstance(m, nn.modules.instancenorm._InstanceNorm)",
            "return isinstance(m, (mindspore.nn.GroupNorm, TorchInstanceNorm1d, TorchInstanceNorm2d, "
            "TorchInstanceNorm3d))",
        ),
    ],
)
def test_where_classes_stand_for_one(before, after):
    once = converted("import torch\nfrom torch import nn\n\n\n" + function(before) + REST)
    assert f"    {after}\n" in once
    assert converted(once) == once


@pytest.mark.parametrize(
    "body",
    [
        "return type(m) == nn.InstanceNorm2d",
        "return isinstance(m, int) and type(m) in (int, nn.InstanceNorm2d)",
        "return type(m) is torch.nn.modules.batchnorm._BatchNorm",
    ],
)
def test_where_only_one_class_can_stand(body):
    once = converted("import torch\nfrom torch import nn\n\n\n" + function(body) + REST)
    assert f"    {body}\n" in once


def test_annotations_and_bases_take_no_tuple():
    text = "from torch import nn\nfrom torch.nn.modules.batchnorm import _BatchNorm\n\n\n"
    text += "class A(_BatchNorm):\n    pass\n\n\n"
    once = converted(text + function("return m", "nn.InstanceNorm2d"))
    assert "class A(TorchBatchNorm):" in once and "kind: nn.InstanceNorm2d," in once
