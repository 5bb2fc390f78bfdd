"""Optimizers of a project's own in a program that is recorded: their base, the classes they are given, and arguments as
torch took them once."""

import pytest

from mindport.checking.engine import Engine
from mindport.checking.fix_round import Fixer, fix_once
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.target import Device, Target, Version
from mindport.source.text import SourceText
from mindport.usage.project import Project

PATH = "/project/a.py"
CPU = Target(Version(2, 10, 0), Device.CPU)
ASCEND = Target(Version(2, 10, 0), Device.ASCEND)


def port(text, *, target=CPU, is_recorded=True):
    """A text after one round of all fixes, and the uses that were fixed or stay as they are."""
    project = Project("/project")
    project.add(PATH, text)
    rules = RuleFilter(Settings(), "/project")
    fixer = Fixer(Engine(target), rules, unsafe=True, records=is_recorded)
    usage = project.usage(PATH)
    made = fix_once(PATH, SourceText(PATH, text), usage, fixer)
    return (made.text, {usage.uses[index].api for index in made.fixed_uses}) if made else (text, set())


OWN = """import torch
from torch import optim


class Own(optim.Optimizer):
    def __init__(self, params, lr, **kwargs):
        super().__init__(params, dict(lr=lr))
        self.defaults.update(kwargs)

    def __setstate__(self, state):
        super().__setstate__(state)

    def load_state_dict(self, state_dict):
        super().load_state_dict(state_dict)

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self.state[p]["step"] = self.state[p].get("step", 0) + 1
                    p.data.add_(p.grad, alpha=-group["lr"])


def is_one(one: optim.Optimizer):
    return isinstance(one, optim.Optimizer)
"""


def test_an_optimizer_of_ones_own_has_a_base_with_the_attributes_of_torch():
    text, fixed = port(OWN)
    assert "class Own(TorchOptimizer):" in text and "class TorchOptimizer(" in text
    assert "one: mindspore.experimental.optim.Optimizer" in text
    assert "isinstance(one, mindspore.experimental.optim.Optimizer)" in text
    assert 'p.data.add(p.grad, alpha=-group["lr"])' in text
    inherited = ("param_groups", "state", "defaults", "load_state_dict", "step")
    assert fixed >= {f"torch.optim.Optimizer.{name}" for name in inherited}


def test_attributes_of_other_optimizers_are_still_reported():
    fixed = port("import torch\n\n\ndef rates(weights):\n    return torch.optim.Adam(weights).defaults\n")[1]
    assert "torch.optim.Optimizer.defaults" not in fixed


@pytest.mark.parametrize(
    ("written", "recorded"),
    [
        ("Own(weights, optim.SGD)", "Own(weights, torch_recorded(TorchSGD))"),
        ("Own(weights, base=optim.Adam)", "Own(weights, base=torch_recorded(TorchAdam))"),
        ("optim.SGD(weights, **kwargs)", "torch_recorded(TorchSGD)(weights, **kwargs)"),
        ("optim.LBFGS(weights, max_iter=5)", "TorchLBFGS(weights, max_iter=5)"),
        ("isinstance(weights, optim.SGD)", "isinstance(weights, mindspore.experimental.optim.SGD)"),
    ],
)
def test_optimizers_that_are_handed_on_are_recorded(written, recorded):
    text = "from torch import optim\nfrom elsewhere import Own\n\n\ndef make(weights, **kwargs):\n"
    text += f"    return {written}\n"
    assert f"    return {recorded}\n" in port(text)[0]


@pytest.mark.parametrize(
    ("base", "recorded"),
    [
        ("optim.Adam", "torch_recorded_base(TorchAdam)"),
        ("optim.SGD", "torch_recorded_base(TorchSGD)"),
        ("optim.AdamW", "torch_recorded_base(TorchAdamW)"),
        ("optim.Optimizer", "TorchOptimizer"),
        ("optim.lr_scheduler.StepLR", "TorchStepLR"),
    ],
)
def test_what_derives_from_an_optimizer_is_recorded(base, recorded):
    text = f"from torch import optim\n\n\nclass Shared({base}):  # 共享 🙂\n    pass\n"
    assert f"class Shared({recorded}):" in port(text)[0]
    assert "torch_recorded_base" not in port(text, is_recorded=False)[0]


def test_where_steps_are_converted_they_are_not():
    text = "from torch import optim\n\nKINDS = [optim.SGD, optim.Adam]\n"
    assert "KINDS = [TorchSGD, TorchAdam]" in port(text, is_recorded=False)[0]


FORMER = """import torch


def change(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor, rate):
    {statement}
"""


@pytest.mark.parametrize(
    ("statement", "ported"),
    [
        ("x.add_(-rate, y)", "x[()] = x.add(y, alpha=-rate)"),
        ("x.sub_(0.5, y)", "x[()] = x.sub(y, alpha=0.5)"),
        ("x.addcmul_(1 - rate, y, z)", "x[()] = ops.addcmul(x, y, z, value=1 - rate)"),
        ("x.addcdiv_(-rate, y, z)", "x[()] = x + (-rate) * y / z"),
        (
            "x.mul_(rate).add_(1 - rate, y)",
            "x[()] = x.copy().mul(rate)\n    x[()] = x.add(y, alpha=1 - rate)",
        ),
    ],
)
def test_a_factor_before_the_tensors_is_passed_by_its_name(statement, ported):
    for target in (CPU, ASCEND) if ").add_" not in statement else (CPU,):
        text = port(FORMER.format(statement=statement), target=target)[0]
        assert text.endswith(f"    {ported}\n"), target.device


@pytest.mark.parametrize(
    "statement",
    ["x.add_(*rate)", "x.add_(y, alpha=rate)", "x.addcmul_(y, z)", "x.add_(y)", "x.sub_(y, **rate)"],
)
def test_other_arguments_are_as_they_are_written(statement):
    text = port(FORMER.format(statement=statement))[0]
    assert "alpha=" not in text.replace("alpha=rate", "") and "value=" not in text
