"""Training steps, text to text. Each case is a file of `training/`: the code, a line `# becomes`, and what it becomes,
or a line `# stays:` with the reason. Nothing but the steps is rewritten here."""

import ast
from pathlib import Path

import pytest
from loop_texts import cases, rewritten_loops

from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Applicability
from mindport.rewrite.training.rewrites import training_rewrites

CASES = Path(__file__).parent / "training"
CPU = Target(Version(2, 10, 0), Device.CPU)
ASCEND = Target(Version(2, 10, 0), Device.ASCEND)
PATH = "/project/train.py"


def of(text, target=CPU):
    """What the steps of a text become, which fixes that takes, and why others stay."""
    return rewritten_loops(text, lambda text, usage: training_rewrites(text, usage, target))


@pytest.mark.parametrize("name", cases(CASES, "# becomes\n"))
def test_a_step_becomes_a_function_and_its_gradients(name):
    before, _, after = (CASES / f"{name}.txt").read_text().partition("# becomes\n")
    found, kinds, reasons = of(before)
    assert not reasons
    assert found == after
    compile(found, name, "exec")  # also finds a `nonlocal` or a `return` in a wrong place
    assert kinds == {Applicability.SAFE}
    assert of(found)[0] == found
    assert comments(before) == comments(found)


@pytest.mark.parametrize("name", cases(CASES, "# stays:"))
def test_a_step_that_is_too_free_stays_with_a_reason(name):
    text = (CASES / f"{name}.txt").read_text()
    reason = text.partition("# stays: ")[2].partition("\n")[0]
    found, _, reasons = of(text)
    assert found == text
    assert reasons == [reason]


def comments(text):
    return [line.strip() for line in text.splitlines() if line.strip().startswith("#")]


STEP = """import torch
def train(net, x, y, optimizer):
    optimizer.zero_grad()
    loss = {loss}
    loss.backward()
    optimizer.step()
"""


def test_an_argument_that_may_hold_a_graph_makes_the_fix_unsafe():
    assert of(STEP.format(loss="((net(x) - y) ** 2).mean()"))[1] == {Applicability.UNSAFE}
    known = STEP.format(loss="(net(x) ** 2).mean()").replace(
        "    optimizer.zero", "    x = torch.ones(2)\n    optimizer.zero"
    )
    assert of(known)[1] == {Applicability.SAFE}


CALLED = """import torch
from torch import nn
class Net(nn.Module):
    pass
def penalty(net, x):
    return (net(x) ** 2).mean()
def step(net, x, optimizer, scale=1.0):
    optimizer.zero_grad()
    loss = scale * penalty(net, x)
    loss.backward()
    optimizer.step()
    return loss
class Trainer:
    def train_step(self, x):
        self.optimizer.zero_grad()
        loss = penalty(self.net, x)
        loss.backward()
        self.optimizer.step()
def main(loader, other):
    net = Net().to("cpu")
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    trainer = Trainer()
    for x, y in loader:
        {calls}
main(loader, other)
"""
STEP_CALLED = "trainer.train_step(x); "
METHOD_CALLED = "step(net, x, optimizer); "


@pytest.mark.parametrize(
    ("calls", "is_safe"),
    [
        ("step(net, x, optimizer)", True),
        ("step(nn.Linear(3, 2), x=torch.ones(2, 3), optimizer=optimizer, scale=2)", True),
        ("print(float(step(net, x.to('cpu'), optimizer)))", True),
        ("step(net, x, optimizer); step(net, y, optimizer)", True),
        ("step(net, other(x), optimizer)", False),
        ("step(net, x, optimizer); step(net, other(x), optimizer)", False),
        ("net = other; step(net, x, optimizer)", False),
        ("step(*batch)", False),
        ("step(net, **batch)", False),
        ("run(step)", False),
        ("z = other(x); step(net, z, optimizer)", False),
    ],
)
def test_what_every_call_in_the_file_passes_makes_the_fix_safe(calls, is_safe):
    kinds = of(CALLED.format(calls=STEP_CALLED + calls))[1]
    assert kinds == ({Applicability.SAFE} if is_safe else {Applicability.SAFE, Applicability.UNSAFE})


@pytest.mark.parametrize(
    ("calls", "is_safe"),
    [
        ("trainer.train_step(x)", True),
        ("trainer.train_step(other(x))", False),
        ("hook = trainer.train_step", False),
    ],
)
def test_what_every_call_of_a_method_passes_makes_the_fix_safe(calls, is_safe):
    kinds = of(CALLED.format(calls=METHOD_CALLED + calls))[1]
    assert kinds == ({Applicability.SAFE} if is_safe else {Applicability.SAFE, Applicability.UNSAFE})


HALF = """import torch
def train(net, loader, optimizer, scaler):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast():
            loss = ((net(x) - y) ** 2).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
"""


def test_half_precision_stays_on_a_device_that_has_it():
    assert of(HALF)[2] == []
    found, _, reasons = of(HALF, ASCEND)
    assert found == HALF
    assert reasons == ["the loss is scaled for half precision"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = 1\n",
        "def f(:\n    loss.backward()\n",
        "engine.step()\n",
        "import torch\ndef f(x):\n    return x.backward\n",
        "sim = Simulation()\nfor _ in range(3):\n    sim.step()\n    sim.backward_euler()\n",
        "import torch\nscheduler = torch.optim.lr_scheduler.StepLR(opt, 1)\nscheduler.step()\n",
    ],
)
def test_what_is_no_training_is_left_alone(text):
    assert of(text) == (text, set(), [])


def test_windows_line_ends_and_tabs_stay():
    text = STEP.format(loss="(net(torch.ones(2)) ** 2).mean()").replace("    ", "\t")
    found = of(text)[0]
    ast.parse(found)
    assert "\tdef forward():\n\t\tloss = " in found
    crlf = of(text.replace("\n", "\r\n"))[0]
    assert crlf.replace("\r\n", "\n") == found
