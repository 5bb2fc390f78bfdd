"""Parts of torch_scatter give what its documentation says, in torch, and the same once they are ported, gradients
included. The values were compared with the tables of torch_scatter's own tests when the parts were written."""

import json

import numpy as np
import pytest
from running_programs import ported, printed_by

from mindport.registry.library_parts import parts_of
from mindport.rewrite.library_imports import LibraryImports
from mindport.rewrite.text_edits import with_edits

pytestmark = pytest.mark.oracle

PROGRAM = """import json

import torch
import torch_scatter
from torch_scatter import gather_coo, gather_csr, scatter, scatter_add, scatter_max, scatter_mean, segment_coo
from torch_scatter import scatter_log_softmax, scatter_logsumexp, scatter_softmax, scatter_std
from torch_scatter.scatter import scatter_sum
from torch_scatter.segment_csr import segment_csr

found = {}


def seen(name, value):
    found[name] = value.tolist()


def layers():
    x = (torch.arange(12.0).reshape(6, 2) * 1.7).sin()
    x.requires_grad_()
    index = torch.tensor([0, 2, 0, 3, 2, 0])
    functions = {
        reduce: lambda x, index, dim, reduce=reduce: scatter(x, index, dim=dim, reduce=reduce)
        for reduce in ("sum", "mean", "mul", "min", "max")
    }
    functions["softmax"], functions["log_softmax"] = scatter_softmax, scatter_log_softmax
    functions["std"], functions["logsumexp"] = scatter_std, scatter_logsumexp
    for name, function in functions.items():
        y = function(x, index, dim=0)
        seen(name, y)
        (gradient,) = torch.autograd.grad((y * torch.arange(1.0, y.numel() + 1).reshape(y.shape)).sum(), x)
        seen(name + " gradient", gradient)
    seen("wide", scatter_sum(x[:, None].expand(6, 3, 2), index, 0))
    seen("last axis", torch_scatter.scatter_min(x.t(), index)[0])


def values():
    numbers, index = torch.tensor([1.0, 3.0, 2.0, 4.0, 5.0, 6.0]), torch.tensor([0, 1, 0, 1, 1, 3])
    for reduce in ("sum", "add", "mul", "mean", "min", "max"):
        seen("values " + reduce, scatter(numbers, index, reduce=reduce))
    most, place = scatter_max(numbers, index)
    seen("place of the greatest", place)
    seen("place of the smallest", torch_scatter.scatter_min(numbers, index)[1])
    seen("equal ones", scatter_max(torch.tensor([2.0, 2.0, 1.0]), torch.tensor([0, 0, 0]))[1])
    seen("whole numbers", scatter_mean(torch.tensor([3, 4, -6, -1]), torch.tensor([0, 0, 1, 1])))
    seen("more groups", scatter_add(numbers, index, dim_size=5))
    seen("two indices", scatter(numbers.reshape(2, 3), torch.tensor([[0, 1, 0], [1, 1, 0]]), 1))
    seen("no sum", scatter_logsumexp(torch.tensor([0.0]), torch.tensor([1])))
    total = torch.ones(4)
    scatter_add(numbers, index, out=total)
    seen("on top", total)
    stretches = torch.tensor([0, 2, 2, 6])
    seen("stretches", segment_csr(numbers, stretches, reduce="mean"))
    seen("given back", gather_csr(torch.tensor([7.0, 8.0, 9.0]), stretches))
    ordered = torch.tensor([0, 0, 1, 1, 1, 3])
    seen("sorted", segment_coo(numbers, ordered, reduce="max"))
    seen("given back sorted", gather_coo(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[0, 1, 1], [0, 0, 1]])))
    for reduce in ("max", "mean", "mul"):
        try:
            scatter(numbers, index, out=total, reduce=reduce)
        except NotImplementedError:
            continue
        raise AssertionError("a part gives what it leaves out")


layers()
values()
print("FOUND " + json.dumps(found))
"""
# Worked out by hand.
EXPECTED = {
    "values sum": [3, 12, 0, 6],
    "values add": [3, 12, 0, 6],
    "values mul": [2, 60, 1, 6],
    "values mean": [1.5, 4, 0, 6],
    "values min": [1, 3, 0, 6],
    "values max": [2, 5, 0, 6],
    "place of the greatest": [2, 4, 6, 5],
    "place of the smallest": [0, 1, 6, 5],
    "equal ones": [0],
    "whole numbers": [3, -4],
    "more groups": [3, 12, 0, 6, 0],
    "two indices": [[3, 3], [6, 9]],
    "no sum": [0, 0],
    "on top": [4, 13, 1, 7],
    "stretches": [2, 0, 4.25],
    "given back": [7, 7, 9, 9, 9, 9],
    "sorted": [3, 5, 0, 6],
    "given back sorted": [[1, 2, 2], [3, 3, 4]],
}


def found_by(printed):
    line = next(line for line in printed.splitlines() if line.startswith("FOUND "))
    return json.loads(line[6:])


@pytest.fixture(scope="module")
def in_torch(tmp_path_factory):
    """What the program finds with the parts as they lie in mindport."""
    folder = tmp_path_factory.mktemp("torch")
    parts = parts_of("torch_scatter")
    imports = LibraryImports(PROGRAM, parts)
    (folder / "torch_scatter_parts.py").write_text(parts.source(imports.names), "utf-8")
    (folder / "main.py").write_text(with_edits(PROGRAM, imports.edits("")), "utf-8")
    return found_by(printed_by(folder, "main.py"))


def test_values(in_torch):
    assert {name: in_torch[name] for name in EXPECTED} == EXPECTED


def test_ported(in_torch, tmp_path):
    (tmp_path / "project").mkdir()
    (tmp_path / "project/main.py").write_text(PROGRAM, "utf-8")
    ported(tmp_path / "project", tmp_path / "port")
    assert "import torch\n" not in (tmp_path / "port/torch_scatter_parts.py").read_text("utf-8")
    found = found_by(printed_by(tmp_path / "port", "main.py"))
    assert found.keys() == in_torch.keys()
    for name, value in found.items():
        np.testing.assert_allclose(value, in_torch[name], rtol=1e-4, atol=1e-5, err_msg=name)
