"""A list of layers with None in it has torch's names of weights, and runs in both modes."""

from __future__ import annotations

import json

import pytest

from loaded_frameworks import run_python
from mindport.rewrite.lists_of_cells import with_lists_of_cells

pytestmark = pytest.mark.oracle

NETWORK = """import mindspore
from mindspore import nn


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([])
        chosen = [nn.Dense(3, 3) for _ in range(3)]
        chosen[0] = None
        self.chosen = nn.CellList(chosen)
        self.chosen[0] = nn.Dense(3, 3)
        self.chosen[1] = None
        self.chosen += [None]
        for i in range(3):
            self.layers.append(nn.CellList([nn.Dense(3, 3), nn.Dense(3, 3) if i == 1 else None]))

    def construct(self, x):
        for first, second in self.layers:
            x = first(x)
            if second is not None:
                x = second(x)
        for layer in self.chosen:
            if layer is not None:
                x = layer(x)
        return x if self.layers[0][1] is None else x + 1
"""
RUN = """
import json
import numpy

net = Net()
x = mindspore.Tensor(numpy.array([[1, -2, 3]], numpy.float32))
weights = [name for name, _ in net.parameters_and_names()]
expected = net(x).asnumpy()
mindspore.set_context(mode=mindspore.GRAPH_MODE)
agrees = numpy.allclose(net(x).asnumpy(), expected, atol=1e-6)
print(json.dumps([weights, bool(agrees), len(net.layers[0]), len(net.layers[0][:1])]))
"""


def test_a_list_with_none_is_built_and_run(tmp_path):
    pytest.importorskip("mindspore")
    (tmp_path / "run.py").write_text(with_lists_of_cells(NETWORK) + RUN, encoding="utf-8")
    done = run_python(["run.py"], tmp_path)
    assert done.returncode == 0, done.stderr
    weights, agrees, length, part = json.loads(done.stdout.splitlines()[-1])
    layers = ("layers.0.0", "layers.1.0", "layers.1.1", "layers.2.0", "chosen.0", "chosen.2")
    assert weights == [f"{layer}.{kind}" for layer in layers for kind in ("weight", "bias")]
    assert (agrees, length, part) == (True, 2, 1)
