"""A network that runs parts of its lists, `self.layers[:-1](x)`: MindSpore names their parameters anew then, some of
them alike, and the steps of a recorded program go on all the same."""

from __future__ import annotations

import json

import pytest

from loaded_frameworks import run_python
from mindport.mapping.helper_source import with_helpers

pytestmark = pytest.mark.oracle

PROGRAM = """
import json
import mindspore
from mindspore import nn, ops
from mindspore.experimental import optim


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(3, 4), nn.Tanh(), nn.Dense(4, 3))

    def construct(self, x):
        first, last = self.layers[:-1], self.layers[-1]
        return x + last(first(x))


net = nn.SequentialCell(Block(), Block())
optimizer = torch_recorded(optim.AdamW)(net.trainable_params(), lr=0.01)
x, losses = mindspore.Tensor([[1.0, 2.0, 3.0]]), []
for _ in range(3):
    optimizer.zero_grad()
    loss = (net(x) ** 2).mean()
    torch_backward(loss)
    optimizer.step()
    losses.append(float(loss))
names = [one.name for one in optimizer.parameters]
print(json.dumps([losses, len(set(names)) == len(names)]))
"""


def test_a_step_behind_a_part(tmp_path):
    pytest.importorskip("mindspore")
    text = with_helpers(PROGRAM)
    (tmp_path / "run.py").write_text(text, encoding="utf-8")
    done = run_python(["run.py"], tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    losses, are_apart = json.loads(done.stdout.splitlines()[-1])
    assert losses == sorted(losses, reverse=True)
    assert are_apart
