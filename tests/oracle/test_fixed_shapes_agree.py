"""Selections written with a fixed shape, converted and run in both modes against what torch computes before: values and
gradients, where something is selected and where nothing is, with infinities and what is no number left out."""

import importlib.util
import itertools
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "rewrite"))

from selections import FIXED, function

from mindport.checking.engine import Engine
from mindport.checking.fixing import fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.target import Device, Mode, Target, Version
from mindport.source.text import SourceText
from mindport.usage.project import Project

pytestmark = pytest.mark.oracle

PATH = "/project/module.py"
_NUMBERS = itertools.count()
NAN, INF = float("nan"), float("inf")
TABLES = {
    "some": [[1.5, -2.0, 0.5], [3.0, -0.25, 0.75]],
    "none": [[-1.5, -2.0, -0.5], [-3.0, -0.25, -0.75]],
    "odd": [[1.5, NAN, 0.5], [3.0, -INF, 0.75]],
}


def converted(text):
    project = Project("/project")
    project.add(PATH, text)
    engine = Engine(Target(Version.parse("2.10.0"), Device.CPU, Mode.GRAPH))
    found = fix_text(PATH, SourceText(PATH, text), project, engine, RuleFilter(Settings()), unsafe=True).text
    assert "torch" not in found
    return found


def loaded(text, folder, monkeypatch):
    """The function in a text, from a module of its own: a graph is compiled from its source."""
    name = f"selection_{next(_NUMBERS)}"
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module.f


@pytest.mark.parametrize("before", [row[0] for row in FIXED])
def test_the_fixed_shape_computes_what_torch_does(before, tmp_path, monkeypatch):
    ms, torch = pytest.importorskip("mindspore"), pytest.importorskip("torch")
    import numpy

    text = function(before)
    theirs = loaded(text, tmp_path, monkeypatch)
    mine = loaded(converted(text), tmp_path, monkeypatch)
    for table in TABLES.values():
        x = numpy.array(table, "float32")
        y = numpy.array(TABLES["some"], "float32")[::-1].copy()
        arrays = (x, y, y > 0, numpy.array([[0, 2], [3, 0]]))
        tensors = [torch.tensor(one) for one in arrays]
        tensors[0].requires_grad_()
        expected = theirs(*tensors)
        expected.sum().backward()
        for run in (mine, ms.jit(mine)):
            inputs = [ms.Tensor(one) for one in arrays]
            got = run(*inputs)
            assert got.shape == tuple(expected.shape)
            assert str(got.dtype).lower() == str(expected.dtype).removeprefix("torch.")
            numpy.testing.assert_allclose(got.asnumpy(), expected.detach().numpy(), rtol=1e-5, atol=1e-6)
            gradient = ms.grad(lambda *given, run=run: run(*given).sum())(*inputs)
            numpy.testing.assert_allclose(gradient.asnumpy(), tensors[0].grad.numpy(), rtol=1e-5, atol=1e-6)
