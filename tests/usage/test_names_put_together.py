"""What an expression that puts a name together says of it, and which names of torch's that leaves."""

from __future__ import annotations

import pytest

from mindport.usage.api_use import Form
from mindport.usage.names_put_together import pattern_of_name
from mindport.usage.project import Project


@pytest.mark.parametrize(
    ("expression", "fitting"),
    [
        ("f'Conv{axes}d'", "Conv2d"),
        ("f'Conv{self.axes!s}d'", "Conv2d"),
        ("'Conv' + str(axes) + 'd'", "Conv2d"),
        ("'Conv%dd' % axes", "Conv2d"),
        ("'%sNorm%dd' % (kind, axes)", "BatchNorm2d"),
        ("'{}Norm{axes}d'.format(kind, axes=2)", "BatchNorm2d"),
        ("kind + 'Loss'", "MSELoss"),
        ("'Leaky' 'ReLU'", None),
        ("kind", None),
        ("config['kind']", None),
        ("f'{kind}{axes}d'", None),  # too many have that letter
        ("kind + 'd'", None),
        ("f'Conv{", None),
    ],
)
def test_patterns(expression: str, fitting: str | None) -> None:
    pattern = pattern_of_name(expression)
    if fitting is None:
        assert pattern is None
    else:
        assert pattern is not None
        assert pattern.fullmatch(fitting)
        assert not pattern.fullmatch("Linear")
        assert not pattern.fullmatch("Conv2dX")


def names(*lines: str) -> list[tuple[str, ...]]:
    project = Project("")
    header = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"
    project.add("module.py", header + "\n".join(lines) + "\n")
    return [use.names for use in project.usage("module.py").uses if use.form is Form.DYNAMIC]


def test_the_names_that_fit() -> None:
    assert names("conv = getattr(nn, f'Conv{axes}d')(1, 2, 3)") == [("Conv1d", "Conv2d", "Conv3d")]
    assert names("pool = getattr(F, 'max_pool{}d'.format(axes))") == [
        ("max_pool1d", "max_pool2d", "max_pool3d")
    ]
    # A word of the project in the place of what is computed.
    assert names("def f(w='hann'):\n    return getattr(torch, f'{w}_window')") == [("hann_window",)]
    found = names("def f(w):\n    return getattr(torch, w + '_window')(3)")
    assert "hann_window" in found[0]
    assert "kaiser_window" in found[0]


def test_whether_there_is_such_a_name() -> None:
    asked = "def f(w='hann'):\n    return hasattr(torch, f'{w}_window') or hasattr(w, f'{w}_window')"
    assert names(asked) == [("hann_window",)]
    assert names("there = hasattr(nn, kind)", "kinds = ['ReLU', 'Other']") == [("ReLU",)]
    assert names("there = hasattr(nn, 'ReLU')") == []
