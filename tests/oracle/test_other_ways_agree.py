"""Each equivalent replacement, run against torch: the values and the gradients."""

import pytest

from mindport.mapping.other_ways import other_ways
from mindport.registry.torch import torch_facts
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose
from mindport.rewrite.other_ways import rewritten_otherwise
from mindport.source.lines import LineIndex
from mindport.usage.project import Project

pytestmark = pytest.mark.oracle

PATH = "/project/module.py"
WAYS = [pytest.param(way, id=way.example.before) for ways in other_ways().values() for way in ways]


def first_of(value):
    return value[0] if isinstance(value, tuple) else value


@pytest.mark.parametrize("way", WAYS)
def test_a_way_computes_what_torch_does(way, tmp_path):
    ms, torch = pytest.importorskip("mindspore"), pytest.importorskip("torch")
    import numpy

    text = f"import torch\nimport torch.nn.functional as F\ndef f(x: torch.Tensor):\n    return {way.example.before}\n"
    project = Project("/project")
    project.add(PATH, text)
    usage = project.usage(PATH)
    (rewrite,) = [
        one for use in usage.uses for one in rewritten_otherwise(use, LineIndex(text), torch_facts())
    ]
    ported = apply_edits(text, compose(text, [rewrite], usage, PATH)).replace("x: torch.Tensor", "x")
    names: dict[str, object] = {}
    exec(text, names)
    theirs = names["f"]
    exec(ported, names)
    mine = names["f"]
    for seed in range(3):
        x = numpy.random.default_rng(seed).normal(size=way.example.inputs["x"]).astype("float32")
        tensor = torch.tensor(x, requires_grad=True)
        expected = first_of(theirs(tensor))
        got = first_of(mine(ms.Tensor(x)))
        assert got.shape == tuple(expected.shape)
        numpy.testing.assert_allclose(got.asnumpy(), expected.detach().numpy(), rtol=1e-5, atol=1e-6)
        weights = numpy.random.default_rng(seed + 9).normal(size=expected.shape).astype("float32")
        (expected * torch.tensor(weights)).sum().backward()

        def weighted(value, mine=mine, weights=weights):
            return (first_of(mine(value)) * ms.Tensor(weights)).sum()

        gradient = ms.grad(weighted)(ms.Tensor(x))
        numpy.testing.assert_allclose(gradient.asnumpy(), tensor.grad.numpy(), rtol=1e-5, atol=1e-6)
