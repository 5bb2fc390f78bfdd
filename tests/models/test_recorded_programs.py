"""Programs whose training steps cannot be followed through one function: `mindport fix --unsafe-fixes` leaves the steps
as they stand and records the program. The ports run without torch and have torch's losses."""

import ast
import re

import numpy as np
import pytest
from command import fix
from training_programs import DIFFERENCE, RECORDED, losses, ported, training_programs

from loaded_frameworks import run_python
from mindport.mapping.helper_source import with_helpers

pytestmark = pytest.mark.oracle

_TAKEN = re.compile(rb"torch_backward(?:_of_all)?\(")
PROGRAMS = {name: one for name, one in training_programs().items() if one.file.parent == RECORDED}


def python(*arguments, folder):
    """What a Python process prints; its errors fail the test."""
    done = run_python([*map(str, arguments)], folder)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    return ported(RECORDED, tmp_path_factory.mktemp("port"), "--unsafe-fixes")


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_port_has_the_losses_of_torch(name, port, tmp_path):
    expected, found = losses(PROGRAMS[name], port, tmp_path)
    assert np.isfinite(expected).all() and len(set(expected)) > 4  # something was learnt
    assert np.abs(found - expected).max() < DIFFERENCE


def test_nothing_of_torch_is_left_and_fixing_again_changes_nothing(port):
    before = {file: file.read_bytes() for file in port.glob("*.py")}
    assert "Applied 0 fixes" in fix(port, "--unsafe-fixes")
    for file, content in before.items():
        assert file.read_bytes() == content
        names = {node.id for node in ast.walk(ast.parse(content)) if isinstance(node, ast.Name)}
        assert "torch" not in names, file.name
    used = {file.name for file, content in before.items() if _TAKEN.search(content)}
    assert used == {one.file.name for one in PROGRAMS.values()} | {"torch_equivalents.py"}


AT_THE_EDGES = """
import threading
import numpy as np
from mindspore import Tensor, _no_grad, nn
from mindspore.experimental import optim

net, x = nn.Dense(3, 1), Tensor(np.ones((2, 3), "float32"))
early = net(x).sum()


def said(what):
    try:
        what()
        return net.weight.grad.asnumpy().ravel().tolist()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


print("before the optimizer", said(lambda: torch_backward(early)))
optimizer = torch_recorded(optim.SGD)([*net.trainable_params(), *nn.Dense(3, 1).trainable_params()], lr=0.1)
print("constant", said(lambda: torch_backward(x.sum())))
with _no_grad():
    hidden = net(x).sum()
print("not recorded", said(lambda: torch_backward(hidden)))
print("several values", said(lambda: torch_backward(net(x))))
print("weighed", said(lambda: torch_backward(net(x), Tensor([[1.0], [2.0]]))))
print("added", said(lambda: torch_backward(net(x).sum())))
loss = net(x).sum()
optimizer.zero_grad()
print("kept", said(lambda: torch_backward(loss, retain_graph=True)))
print("again", said(lambda: torch_backward(loss)))
print("unreached", [one.grad is None for one in optimizer.parameters])
loss = net(x).sum()
thread = threading.Thread(target=lambda: print("thread", said(lambda: torch_backward(loss))))
thread.start()
thread.join()
optimizer.zero_grad()


def steps():
    for _ in range(2):
        torch_backward(net(x).sum())
        yield


print("generator", said(lambda: list(steps())))


def closure():
    optimizer.zero_grad()
    loss = (net(x) ** 2).mean()
    torch_backward(loss)
    return loss


seen = [float(optimizer.step(closure)) for _ in range(3)]
print("closure", seen[0] > seen[1] > seen[2])
"""


NOT_RECORDED = (
    "RuntimeError: backward() of a value that was not recorded: it depends on no parameter of an optimizer that was"
    " there when it was computed, or it was computed under no_grad"
)


def test_what_was_not_recorded_raises_and_never_gives_zeros(tmp_path):
    file = tmp_path / "edges.py"
    file.write_text(with_helpers("torch_backward, torch_recorded") + AT_THE_EDGES)
    assert python(file, folder=tmp_path).splitlines() == [
        f"before the optimizer {NOT_RECORDED}",
        f"constant {NOT_RECORDED}",
        f"not recorded {NOT_RECORDED}",
        "several values RuntimeError: backward() of several values needs a gradient for each of them",
        "weighed [3.0, 3.0, 3.0]",
        "added [5.0, 5.0, 5.0]",
        "kept [2.0, 2.0, 2.0]",
        "again [4.0, 4.0, 4.0]",
        "unreached [False, False, True, True]",
        "thread RuntimeError: backward() has to be called in the thread that made the optimizers",
        "generator [4.0, 4.0, 4.0]",
        "closure True",
    ]


AFTER_AN_AXIS_OF_ONE = """
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.experimental import optim

x, weights = np.array([[0.5, 2.0, -1.0]], "float32"), np.array([[1.0, 2.0, 3.0]], "float32")
y = np.exp(x) / np.exp(x).sum()
expected = y * (weights - (y * weights).sum())
single, longer = Parameter(Tensor([[1.0], [2.0]]), name="single"), Parameter(Tensor(x), name="longer")
optimizer = torch_recorded(optim.SGD)([single, longer], lr=0.1)
for axis, function in ((1, ops.softmax), (-1, lambda values, axis: nn.Softmax(axis)(values))):
    optimizer.zero_grad()
    if HOW == "a step before":
        torch_backward(function(single, axis).sum())
        torch_backward((function(longer, axis) * Tensor(weights)).sum())
        found = longer.grad
    elif HOW == "the same step":
        loss = (function(longer, axis) * Tensor(weights)).sum()  # what is computed last is differentiated first
        torch_backward(loss + function(single, axis).sum())
        found = longer.grad
    else:
        torch_grad(function(single, axis).sum(), single, retain_graph=True)
        (found,) = torch_grad((function(longer, axis) * Tensor(weights)).sum(), longer)
    print(np.abs(found.asnumpy() - expected).max() < 1e-6)
"""


@pytest.mark.parametrize("how", ["a step before", "the same step", "gradients asked for"])
def test_gradients_of_softmax_are_right_after_an_axis_of_length_one(how, tmp_path):
    file = tmp_path / "softmax.py"
    helpers = with_helpers("torch_backward, torch_grad, torch_recorded")
    file.write_text(f"{helpers}\nHOW = {how!r}\n{AFTER_AN_AXIS_OF_ONE}")
    assert python(file, folder=tmp_path).split() == ["True", "True"]
