"""What a recorded program writes to a parameter between two steps of an optimizer: the next step goes on from there."""

from __future__ import annotations

import pytest

from loaded_frameworks import run_python
from mindport.mapping.helper_source import with_helpers

pytestmark = pytest.mark.oracle

START = """
import mindspore
from mindspore import Tensor, ops
from mindspore.experimental import optim

net = mindspore.nn.Dense(2, 1, weight_init=Tensor([[1.0, 1.0]]), bias_init=Tensor([0.0]))
weight, x = net.weight, Tensor([[1.0, 1.0]])
first, second = (torch_recorded(optim.{optimizer})(net.trainable_params(), lr=0.1) for _ in range(2))


def step(optimizer):
    before = weight.asnumpy().copy()
    optimizer.zero_grad()
    torch_backward(net(x).sum())
    optimizer.step()
    return abs(weight.asnumpy() - before).max() > 0.01


def write(value):
    {write}


found = []
for number in range(3):
    found.append(step(first))
    write(Tensor([[5.0, 6.0]]) * (number + 1))
    found.append(weight.tolist() == [[5.0 * (number + 1), 6.0 * (number + 1)]])
    found += [step(first), step(second)]
print(found)
"""
WRITES = [
    "weight[()] = value",
    "weight[:] = value",
    "weight.data = value",
    "weight.set_data(value)",
    "weight.assign_value(value)",
    "net.load_state_dict({'weight': mindspore.Parameter(value), 'bias': net.bias})",
    "mindspore.load_param_into_net(net, {'weight': mindspore.Parameter(value)})",
    "TorchElements(weight)[()] = value",
    "TorchElements(weight)[0] = value[0]",
    "weight[:] = value; TorchElements(weight)[()] = value",
    "torch_in_place(Tensor.add, torch_in_place(Tensor.mul, TorchElements(weight), 0.0), value)",
]


def run(tmp_path, text):
    (tmp_path / "run.py").write_text(
        with_helpers("torch_backward, torch_recorded, torch_in_place, TorchElements") + text, encoding="utf-8"
    )
    done = run_python(["run.py"], tmp_path)
    if done.returncode == 0:
        return done.stdout.splitlines()[-1]
    return next(line for line in done.stderr.splitlines() if "Error: " in line)


@pytest.mark.parametrize("write", WRITES)
def test_an_optimizer_goes_on_with_what_was_written(tmp_path, write):
    assert run(tmp_path, START.format(optimizer="SGD", write=write)) == str([True] * 12)


@pytest.mark.parametrize("optimizer", ["Adam", "RMSprop"])
def test_whatever_the_optimizer(tmp_path, optimizer):
    assert run(tmp_path, START.format(optimizer=optimizer, write=WRITES[0])) == str([True] * 12)


def test_another_shape_raises(tmp_path):
    write = "global x; weight.set_data(Tensor([[1.0, 2.0, 3.0]]), slice_shape=True); x = ops.ones((1, 3))"
    assert run(tmp_path, START.format(optimizer="SGD", write=write)) == (
        "RuntimeError: weight has another shape or type than at the last step of its optimizer: make the optimizer anew"
    )
