"""The end of `fix` says where a program is left between two frameworks: training steps of torch's in code that became
MindSpore."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.cli.main import main

NET = """\
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def forward(self, x):
        return F.relu(x)

"""
STEP = """
def step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward({arguments})
    optimizer.step()
    return float(loss)


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
step(net, optimizer, torch.ones(2, 3), torch.zeros(2, 4))
"""
PLAIN_STEP = STEP.format(arguments="")
HARD_STEP = STEP.format(arguments="inputs=list(model.parameters())")
FAR_STEP = """
def update(loss):
    loss.backward()
    return loss.item()


def train(model, optimizer):
    optimizer.zero_grad()
    print(update(F.mse_loss(model(torch.ones(2, 3)), torch.zeros(2, 4))))
    optimizer.step()


net = Net()
train(net, torch.optim.SGD(net.parameters(), lr=0.1))
"""

BETWEEN = "between two frameworks: training steps of torch are left in net.py"
CASES = [
    pytest.param(NET + PLAIN_STEP, (), BETWEEN, "--unsafe-fixes", id="step that is no safe fix"),
    pytest.param(NET + PLAIN_STEP, ("--unsafe-fixes",), "", "", id="step that is converted"),
    pytest.param(
        NET + HARD_STEP, ("--unsafe-fixes",), BETWEEN, "by hand", id="step that cannot be converted"
    ),
    pytest.param(NET + FAR_STEP, ("--unsafe-fixes",), "", "", id="step that is recorded"),
    pytest.param(NET + FAR_STEP, (), BETWEEN, "--unsafe-fixes", id="step that would be recorded"),
    pytest.param(NET, (), "", "", id="no step"),
    pytest.param(
        "def step(loss, optimizer):\n    loss.backward()\n    optimizer.step()\n",
        (),
        "",
        "",
        id="nothing became MindSpore",
    ),
]


@pytest.mark.parametrize(("text", "options", "said", "way_out"), CASES)
def test_end_of_fix(
    text: str,
    options: tuple[str, ...],
    said: str,
    way_out: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text(text, encoding="utf-8")
    main(["fix", "--no-cache", "--device", "CPU", "--target-version", "2.10.0", "--diff", *options, "net.py"])
    end = capsys.readouterr().err
    if said:
        assert said in end
        assert way_out in end
    else:
        assert "between two frameworks" not in end
