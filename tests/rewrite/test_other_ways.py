"""The migration guide's equivalent replacements: what is written, and calls for which none is."""

import pytest

from mindport.mapping.other_ways import other_ways
from mindport.registry.torch import torch_facts
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose
from mindport.rewrite.other_ways import rewritten_otherwise
from mindport.source.lines import LineIndex
from mindport.usage.project import Project

PATH = "/project/module.py"
HEAD = "import torch\nimport torch.nn.functional as F\ndef f(x: torch.Tensor, n: int):\n    return "


def rewritten(call):
    text = f"{HEAD}{call}\n"
    project = Project("/project")
    project.add(PATH, text)
    usage = project.usage(PATH)
    found = [one for use in usage.uses for one in rewritten_otherwise(use, LineIndex(text), torch_facts())]
    return [
        apply_edits(text, compose(text, [one], usage, PATH)).rpartition("return ")[2].strip() for one in found
    ]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("x.squeeze(1)", "x.reshape(x.shape[:1] + x.shape[2:])"),
        ("torch.flatten(x, 1)", "x.reshape(x.shape[0], -1)"),
        ("x.unsqueeze(0)", "x.reshape(x.shape[:0] + (1,) + x.shape[0:])"),
        ("F.adaptive_avg_pool2d(x, 1)", "ops.mean(x, (-2, -1), True)"),
        ("F.adaptive_avg_pool2d(x + 1, output_size=(1, 1))", "ops.mean(x + 1, (-2, -1), True)"),
        ("F.adaptive_max_pool2d(x, 1)", "ops.amax(x, (-2, -1), True)"),
        ("F.max_pool2d(x, 2, 2, return_indices=True)", "(ops.max_pool2d(x, 2, 2, 0), None)"),
        ("torch.sort(x, descending=True)", "ops.topk(x, x.shape[-1])"),
        ("x.sort()", "ops.topk(x, x.shape[-1], largest=False)"),
    ],
)
def test_the_equivalent_is_written(call, expected):
    assert rewritten(call) == [expected]


@pytest.mark.parametrize(
    "call",
    [
        "x.squeeze()",  # which axes go is not known
        "x.squeeze(n)",
        "x.unsqueeze(-1)",
        "x.flatten(2)",
        "torch.flatten(x, n)",
        "F.adaptive_avg_pool2d(x, 2)",
        "F.adaptive_avg_pool2d(x, n)",
        "F.adaptive_max_pool2d(x, 1, True)",
        "F.max_pool2d(x, 2)",
        "F.max_pool2d(x, 2, return_indices=True, ceil_mode=True)",
        "torch.sort(x, 0)",
        "torch.sort(F.relu(x))",  # it would be computed twice
        "torch.relu(x)",
    ],
)
def test_no_equivalent_is_written(call):
    assert rewritten(call) == []


def test_every_way_is_for_a_name_of_torch_and_writes_its_example():
    for name, ways in other_ways().items():
        assert torch_facts().canonical(name) == name
        for way in ways:
            assert rewritten(way.example.before), way.example.before
