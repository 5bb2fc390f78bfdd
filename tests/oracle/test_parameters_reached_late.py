"""A parameter that no loss depends on at first is learned once one does."""

from __future__ import annotations

import json

import pytest

from loaded_frameworks import run_python
from mindport.mapping.helper_source import with_helpers

pytestmark = pytest.mark.oracle

RUN = """
import json

import mindspore

first, second = (mindspore.Parameter(mindspore.tensor([1.0, 2.0]), name=name) for name in ("first", "second"))
optimizer = torch_recorded(mindspore.experimental.optim.{optimizer})([first, second], lr=0.1)
found = []
for step in range(4):
    optimizer.zero_grad()
    torch_backward(((first if step < 2 else second) ** 2).sum())
    optimizer.step()
    found.append(second.tolist())
print(json.dumps(found))
"""


@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "RMSprop"])
def test_a_parameter_reached_late(tmp_path, optimizer):
    pytest.importorskip("mindspore")
    text = with_helpers("torch_backward, torch_recorded") + RUN.format(optimizer=optimizer)
    (tmp_path / "run.py").write_text(text, encoding="utf-8")
    done = run_python(["run.py"], tmp_path)
    assert done.returncode == 0, done.stderr
    before, still, after, last = json.loads(done.stdout.splitlines()[-1])
    assert before == still == [1.0, 2.0]
    assert still != after != last
    if optimizer == "SGD":
        assert [*after, *last] == pytest.approx([0.8, 1.6, 0.64, 1.28])
