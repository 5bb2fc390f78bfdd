"""Code of thousands of branches or fixes takes time in proportion to its length; the limits are ten times what it
takes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from mindport.cli.main import main
from mindport.model.span import Position
from mindport.rewrite.device_branches import device_branches
from mindport.rewrite.format_strings import fitted_into_format_string, is_in_format_string
from mindport.source.lines import LineIndex

STEP = """import torch
from torch import nn


def train(net: nn.Module, loader, kind):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    if kind == "x":
        return 1
"""


def branches(count: int, body: str) -> str:
    return "".join(f'    elif kind == "k{i}":\n        {body.format(i)}\n' for i in range(count))


@pytest.mark.thorough
def test_a_long_chain_beside_a_training_step(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(STEP + branches(1500, "return {}"), "utf-8")
    started = time.monotonic()
    target = ("--device", "CPU", "--target-version", "2.10.0")
    main(["fix", str(tmp_path), "--unsafe-fixes", "--jobs", "1", *target])
    assert time.monotonic() - started < 60
    assert "torch" not in (tmp_path / "train.py").read_text("utf-8")


def test_branches_that_differ_late() -> None:
    for body in ("x = {}", "if kind:\n            x = {}", "x = y.cuda() + {}", "pass  # {}"):
        started = time.monotonic()
        text = f"import torch\nif True:\n    if kind:\n        x = 1\n{branches(800, body)}"
        assert device_branches(text) == [] or "pass" in body
        assert time.monotonic() - started < 20


def test_thousands_of_places_on_one_line() -> None:
    lines = LineIndex("a = [" + "torch.abs(x), " * 8000 + "f'{torch.abs(x)}']\nb = f'{c}'\n")
    started = time.monotonic()
    for place in range(5, 8000 * 14, 14):
        assert fitted_into_format_string(("y",), lines, Position(1, place)) == ("y",)
    assert not is_in_format_string(lines, Position(1, 5))
    assert is_in_format_string(lines, Position(1, 8000 * 14 + 8))
    assert is_in_format_string(lines, Position(2, 7))
    assert time.monotonic() - started < 10
