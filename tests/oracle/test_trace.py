"""A program traced in torch itself: what is seen of tensors, layers, loaders and optimizers, and what comes of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from mindport.checking.project import check_paths
from mindport.config.settings import DEFAULT_TRACE, Settings
from mindport.model.target import Device, Target, Version
from mindport.prove.trace import trace_program
from mindport.prove.trace_command import TraceCommand

pytestmark = pytest.mark.oracle

PROGRAM = """\
import torch
from torch import nn
from torch.utils.data import DataLoader


class Loud(torch.Tensor):
    seen = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.seen.append(func)
        return super().__torch_function__(func, types, args, kwargs or {})


def double(x):
    return x * 2


class Rows:
    def __len__(self):
        return 10

    def __getitem__(self, index):
        return torch.ones(3) * index, index % 2


class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layer = nn.Sequential(nn.Linear(3, 2), getattr(nn, kind)())

    @torch.no_grad()
    def most(self, x):
        return self(x).max(1)

    def forward(self, x):
        z = self.layer(x)
        return abs(z) + 1


def sizes(rows):
    return rows.size()


def fit(net, optimizer, schedule, device, batches):
    criterion = nn.CrossEntropyLoss()
    for x, y in batches:
        globals()['sizes'](x)
        x = x.to(device, non_blocking=True)
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        schedule.step()
        values, places = net.most(x)
        count = (places == y).sum().item()


net = torch.compile(Net('Softplus'))
optimizer = torch.optim.Adam(net.parameters())
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
double(torch.ones(2).as_subclass(Loud))
print('calls of the subclass:', len(Loud.seen))
fit(net, optimizer, schedule, 'cpu', DataLoader(Rows(), batch_size=4, num_workers=1))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traced")
    (folder / "train.py").write_text(PROGRAM)
    return folder


@pytest.fixture(scope="module")
def trace(project):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project)
        command = TraceCommand("", (), ("train.py",))
        return trace_program(command, Path(sys.executable), project, steps=5, seconds=200)


@pytest.fixture(scope="module")
def calls(trace):
    lines = PROGRAM.splitlines()
    found = {}
    for one in trace.files["train.py"].calls:
        line, start, end_line, end = one.place
        if line == end_line:
            found.setdefault(lines[line - 1][start:end], {})[one.name] = one
    return found


def test_a_class_of_the_programs_own_is_not_asked_by_the_look_out(project, trace, capfd):
    subprocess.run([sys.executable, "train.py"], cwd=project, check=True)
    alone = [line for line in capfd.readouterr().out.splitlines() if line.startswith("calls of the subclass")]
    assert alone == ["calls of the subclass: 1"]
    command = TraceCommand("", (), ("train.py",))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project)
        trace_program(command, Path(sys.executable), project, steps=5, seconds=200)
    assert alone[0] in capfd.readouterr().out.splitlines()
    [double] = [one for one in trace.files["train.py"].functions if one.name == "double"]
    assert double.parameters["x"].types == ("train.py:Loud",)


def test_the_program_ran_to_its_end(trace):
    assert (trace.ending, trace.error, trace.steps) == ("exit", "", 3)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("abs(z)", "torch.Tensor.abs"),
        ("x.to(device, non_blocking=True)", "torch.Tensor.to"),
        ("getattr(nn, kind)()", "torch.nn.modules.activation.Softplus"),
        ("nn.Linear(3, 2)", "torch.nn.modules.linear.Linear"),
        ("self.layer(x)", "torch.nn.Module.__call__"),
        ("loss.backward()", "torch.Tensor.backward"),
        ("optimizer.zero_grad()", "torch.optim.optimizer.Optimizer.zero_grad"),
        ("optimizer.step()", "torch.optim.adam.Adam.step"),
        ("schedule.step()", "torch.optim.lr_scheduler.LRScheduler.step"),
        ("(places == y).sum().item()", "torch.Tensor.item"),
    ],
)
def test_what_was_called(calls, code, name):
    assert name in calls[code]


def test_what_tensors_were(calls):
    x = calls["x.to(device, non_blocking=True)"]["torch.Tensor.to"]
    assert x.arguments[0].tensor.shape == (None, 3) and x.arguments[0].tensor.devices == ("cpu",)
    assert x.arguments[1].values == ("cpu",) and x.keywords["non_blocking"].values == (True,)
    assert calls["(places == y).sum()"]["torch.Tensor.sum"].arguments[0].tensor.dtypes == ("torch.bool",)
    assert calls["abs(z)"]["torch.Tensor.abs"].arguments[0].tensor.requires_grad in (
        (True, False),
        (False, True),
    )


def test_a_check_with_it_guesses_less(project, trace):
    def guesses() -> set[int]:
        [report] = check_paths(
            [str(project / "train.py")],
            Settings(),
            Target(Version(2, 10, 0), Device.CPU),
            str(project),
            False,
        )
        return {one.span.line for one in report.findings if one.rule in ("MP109", "MP111")}

    before = guesses()
    place = project / DEFAULT_TRACE
    place.parent.mkdir()
    place.write_bytes(msgspec.json.encode(trace))
    after = guesses()
    place.unlink()
    assert after < before
