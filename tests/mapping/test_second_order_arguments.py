"""Which constant arguments MindSpore's name gets, from a call of torch's name or of its own."""

from __future__ import annotations

import pytest

from mindport.checking.engine import Engine
from mindport.mapping.second_order import mindspore_names
from mindport.mapping.second_order_arguments import UNREAD, known_arguments
from mindport.model.target import Device, Target, Version
from mindport.usage.project import Project

ENGINE = Engine(Target(Version(2, 10), Device.CPU))


@pytest.mark.parametrize(
    ("call", "name", "arguments"),
    [
        # A template: its own constants, and what fills its holes.
        ("nn.MaxPool2d(2)", "mindspore.nn.MaxPool2d", {"kernel_size": "2", "stride": "2"}),
        (
            "nn.MaxPool2d(2, padding=1)",
            "mindspore.nn.MaxPool2d",
            {
                "kernel_size": "2", "stride": "2", "pad_mode": "'pad'", "padding": "1", "dilation": "1",
                "return_indices": "False", "ceil_mode": "False",
            },
        ),
        ("nn.MaxPool2d(size)", None, {}),
        # A call with its arguments named as MindSpore does, and what the mapping adds.
        ("nn.MaxPool2d(2, 2)", "mindspore.nn.MaxPool2d", {"kernel_size": "2", "stride": "2"}),
        (
            "nn.MaxPool2d(2, 2, ceil_mode=True)",
            "mindspore.nn.MaxPool2d",
            {"kernel_size": "2", "stride": "2", "ceil_mode": "True", "pad_mode": "'pad'"},
        ),
        ("nn.LeakyReLU(0.2)", "mindspore.nn.LeakyReLU", {"alpha": "0.2"}),
        ("nn.LeakyReLU(slope)", "mindspore.nn.LeakyReLU", {"alpha": UNREAD}),
        ("torch.cat(xs, 1)", "mindspore.ops.cat", {"axis": "1"}),
        ("torch.cat(xs)", "mindspore.ops.cat", {}),
        # Which parameter gets which is not known.
        ("torch.cat(*rest)", None, None),
        ("torch.cat(xs, **keywords)", None, None),
    ],
)  # fmt: skip
def test_arguments_of_a_torch_call(call: str, name: str | None, arguments: dict[str, str] | None) -> None:
    project = Project()
    project.add("a.py", f"import torch\nfrom torch import nn\nxs = [torch.ones(2)]  # 张量 🚀\ny = {call}\n")
    (use,) = [one for one in project.usage("a.py").uses if one.call is not None and one.span.line == 4]
    judgement = ENGINE.assess(use).judgement
    names = list(mindspore_names(judgement))
    if name is not None:
        assert names[:1] == [name]
    found = known_arguments(use, judgement, names[0], ENGINE.mindspore, ENGINE.torch)
    assert found == arguments
