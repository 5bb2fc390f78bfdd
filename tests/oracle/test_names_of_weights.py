"""Optimizers and checkpoints take all weights of a converted network whose layers come into lists later."""

from __future__ import annotations

import json

import pytest

from loaded_frameworks import run_python
from mindport.checking.engine import Engine
from mindport.checking.fixing import fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.target import Device, Target, Version
from mindport.source.text import SourceText
from mindport.usage.project import Project

pytestmark = pytest.mark.oracle

NETWORK = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.downs = nn.ModuleList([])
        self.ups = nn.ModuleList([])
        self.tail = nn.Sequential()
        self.tail.add_module("last", nn.Linear(3, 3))
        self.add_module("head", nn.Linear(3, 3))
        for _ in range(2):
            self.downs.append(nn.Linear(3, 3))
            self.ups.append(nn.ModuleList([nn.Linear(3, 3), nn.ReLU()]))
"""
RUN = """
import json
import mindspore

net = Net()
mindspore.experimental.optim.SGD(net.trainable_params(), lr=0.1)
mindspore.save_checkpoint(net, "net.ckpt")
print(json.dumps(sorted(mindspore.load_checkpoint("net.ckpt"))))
"""


def test_every_weight_has_a_name_of_its_own(tmp_path):
    pytest.importorskip("mindspore")
    project = Project("/project")
    project.add("/project/net.py", NETWORK)
    engine = Engine(Target(Version(2, 10, 0), Device.CPU))
    rules = RuleFilter(Settings(), "/project")
    text = fix_text("/project/net.py", SourceText("/project/net.py", NETWORK), project, engine, rules).text
    (tmp_path / "run.py").write_text(text + RUN, encoding="utf-8")
    done = run_python(["run.py"], tmp_path)
    assert done.returncode == 0, done.stderr
    layers = ["downs.0", "downs.1", "head", "tail.last", "ups.0.0", "ups.1.0"]
    assert json.loads(done.stdout.splitlines()[-1]) == sorted(
        f"{layer}.{kind}" for layer in layers for kind in ("bias", "weight")
    )
