"""Optimizers of MindSpore are not told to clear gradients that nobody keeps; whatever else has such a method is."""

from __future__ import annotations

import pytest

from mindport.rewrite.idle_clearing import without_idle_clearing

BEFORE = "import torch\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("optimizer.zero_grad()\nrun()\n", "optimizer\nrun()\n"),
        ("self.optim_d.zero_grad(set_to_none=True)\n", "self.optim_d\n"),
        ("opt.zero_grad()\n", "opt\n"),
        ("self.optimizers[0].zero_grad()\n", "self.optimizers[0]\n"),
        ("solver = optim.SGD(p, lr)\nsolver.zero_grad()\n", "solver = optim.SGD(p, lr)\nsolver\n"),
        (
            "self.solver = TorchAdam(p)\nself.solver.zero_grad()\n",
            "self.solver = TorchAdam(p)\nself.solver\n",
        ),
        ("if c: optimizer.zero_grad()  # 清零\n", "if c: optimizer  # 清零\n"),
    ],
)
def test_optimizers_clear_nothing(text: str, expected: str) -> None:
    assert without_idle_clearing(BEFORE, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "optimizer.zero_grad()\nloss.backward()\n",  # the step is left as it was
        "net.zero_grad()\n",
        "solver.zero_grad()\n",
        "trainer = TorchTrainer(net)\ntrainer.zero_grad()\n",
        "x = optimizer.zero_grad()\n",
        "hook(optimizer.zero_grad)\n",
        "class Optimizer:\n    def zero_grad(self):\n        self.optimizer.zero_grad()\n",
        "s = 'optimizer.zero_grad()'\n",
        "optimizer.zero_grad(\n",  # does not parse
    ],
)
def test_what_stays(text: str) -> None:
    assert without_idle_clearing(BEFORE, text) == text


def test_a_text_about_mindspore_stays() -> None:
    assert without_idle_clearing("import mindspore\n", "optimizer.zero_grad()\n") == "optimizer.zero_grad()\n"
