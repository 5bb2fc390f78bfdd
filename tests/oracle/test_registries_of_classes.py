"""Registries that find classes by their modules and names, as those of RT-DETR and its kin, find them once ported."""

import re

import pytest
from running_programs import ported, printed_by

pytestmark = pytest.mark.oracle

CORE = """import functools
import importlib
import inspect
import sys

TABLE = {}
OTHER = {}


def register(cls):
    TABLE[cls.__name__] = schema(cls)
    return cls


def schema(cls: type):
    spec = inspect.getfullargspec(cls.__init__)
    found = {"_name": cls.__name__, "_pymodule": importlib.import_module(cls.__module__)}
    names = [name for name in spec.args if name != "self"]
    defaults = spec.defaults or ()
    for name, value in zip(names[len(names) - len(defaults):], defaults):
        found[name] = value
    return found


def create(name, **kwargs):
    cls = getattr(TABLE[name]["_pymodule"], name)
    taken = inspect.getfullargspec(cls.__init__).args
    assert set(kwargs) <= set(taken) & {"self", *inspect.signature(cls).parameters}, (name, taken)
    return cls(**kwargs)


def register_in(table=OTHER, name=None):
    def decorator(foo):
        register_name = foo.__name__ if name is None else name
        if inspect.isfunction(foo):
            @functools.wraps(foo)
            def wrapped(*args, **kwargs):
                return foo(*args, **kwargs)
            table[foo.__name__] = wrapped
            return wrapped
        table[register_name] = entry(foo)
        return foo
    return decorator


def entry(module: type):
    return dict(_name=module.__name__, _pymodule=sys.modules[module.__module__])


def create_in(name, **kwargs):
    cfg = OTHER[name]
    return cfg(**kwargs) if callable(cfg) else getattr(cfg["_pymodule"], cfg["_name"])(**kwargs)
"""
PARTS = """import torch.nn as nn
import torch.optim as optim
from torch.optim import lr_scheduler

from core import register, register_in

SGD = register(optim.SGD)
AdamW = register(optim.AdamW)
MultiStepLR = register(lr_scheduler.MultiStepLR)
ExponentialLR = register(lr_scheduler.ExponentialLR)
register(nn.CrossEntropyLoss)
register_in()(optim.AdamW)
register_in()(lr_scheduler.MultiStepLR)


@register
class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.fc = nn.Linear(3, width)

    def forward(self, x):
        return self.fc(x)


@register_in()
class Wide(Net):
    pass


@register_in()
def small(width=2):
    return Net(width)
"""
MAIN = """import torch

import parts
from core import create, create_in


def train(net, optimizer, schedule, criterion):
    with torch.no_grad():
        net.fc.weight.fill_(0.1)
        net.fc.bias.fill_(0.2)
    for step in range(4):
        x = torch.arange(6.0).reshape(2, 3) / (step + 1)
        loss = criterion(net(x), torch.tensor([0, 1]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return round(loss.item(), 4), round(net.fc.weight.sum().item(), 4), round(float(optimizer.param_groups[0]["lr"]), 6)


if __name__ == "__main__":
    criterion = create("CrossEntropyLoss")
    for kind in ("SGD", "AdamW"):
        for schedule, options in (("MultiStepLR", {"milestones": [2]}), ("ExponentialLR", {"gamma": 0.5})):
            net = create("Net", width=6)
            optimizer = create(kind, params=net.parameters(), lr=0.1)
            print(kind, schedule, train(net, optimizer, create(schedule, optimizer=optimizer, **options), criterion))
    net = create_in("Wide")
    optimizer = create_in("AdamW", params=net.parameters(), lr=0.1)
    print(train(net, optimizer, create_in("MultiStepLR", optimizer=optimizer, milestones=[1, 3]), criterion))
    print(create_in("small").fc.weight.shape[0])
"""


def test_classes_are_found_by_module_and_name(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    for name, text in (("core", CORE), ("parts", PARTS), ("main", MAIN)):
        (project / f"{name}.py").write_text(text, "utf-8")
    ported(project, tmp_path / "port")
    expected, found = (printed_by(folder, "main.py") for folder in (project, tmp_path / "port"))
    assert re.sub(r"[\d.e-]+", "", found) == re.sub(r"[\d.e-]+", "", expected)
    numbers = [
        [float(one) for one in re.findall(r"-?\d+\.?\d*(?:e-\d+)?", text)] for text in (found, expected)
    ]
    assert numbers[0] == pytest.approx(numbers[1], abs=2e-4)
