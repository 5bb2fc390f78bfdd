"""A training step and what it trains are converted together or not at all, and the end of `fix` says so; where a step
has to be rewritten by hand, it says that the program is between two frameworks."""

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

STEP_OF_CALLERS = STEP.format(arguments="").replace(
    "step(net, optimizer, torch.ones(2, 3), ", "step(net, optimizer, net(x), "
)
HELD_BACK = "Held back: 1 file around training steps in net.py"
BETWEEN = "between two frameworks: training steps of torch are left in net.py"
CASES = [
    pytest.param(NET + PLAIN_STEP, (), "", "", id="step that is a safe fix"),
    pytest.param(NET + STEP_OF_CALLERS, (), HELD_BACK, "--unsafe-fixes", id="step that is no safe fix"),
    pytest.param(NET + STEP_OF_CALLERS, ("--unsafe-fixes",), "", "", id="step that is converted"),
    pytest.param(
        NET + HARD_STEP, ("--unsafe-fixes",), BETWEEN, "by hand", id="step that cannot be converted"
    ),
    pytest.param(NET + FAR_STEP, ("--unsafe-fixes",), "", "", id="step that is recorded"),
    pytest.param(NET + FAR_STEP, (), HELD_BACK, "mindport port", id="step that would be recorded"),
    pytest.param(NET, (), "", "", id="no step"),
    pytest.param(
        "def step(loss, optimizer):\n    loss.backward()\n    optimizer.step()\n",
        (),
        "",
        "",
        id="nothing became MindSpore",
    ),
]


@pytest.mark.thorough
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
        assert "between two frameworks" not in end and "Held back" not in end


FILES = {
    "net.py": NET,
    "unused.py": NET,
    "shapes.py": "import torch\n\n\ndef area(x):\n    return torch.relu(x)\n",
    "trainer.py": "import torch\n" + FAR_STEP.partition("net = ")[0].replace("F.mse_loss", "torch.dist"),
    "main.py": "import torch\nimport trainer\nfrom net import Net\n\nnet = Net()\n"
    "trainer.train(net, torch.optim.SGD(net.parameters(), lr=0.1))\n",
    "other.py": "import torch\nfrom unused import Net\nfrom shapes import area\n\nprint(area(Net()(torch.ones(2))))\n",
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("options", "changed"),
    [((), {"unused.py", "shapes.py", "other.py"}), (("--unsafe-fixes",), set(FILES))],
)
def test_the_files_of_a_program_are_held_back_together(
    options: tuple[str, ...],
    changed: set[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    target = ("--device", "CPU", "--target-version", "2.10.0")
    main(["fix", "--no-cache", *target, *options, "."])
    assert {name for name, text in FILES.items() if Path(name).read_text(encoding="utf-8") != text} == changed
    assert ("Held back: 3 files" in capsys.readouterr().err) is (not options)
    # What is fixed again is not changed again.
    before = {name: Path(name).read_text(encoding="utf-8") for name in FILES}
    main(["fix", "--no-cache", *target, *options, "."])
    assert {name: Path(name).read_text(encoding="utf-8") for name in FILES} == before
