"""What a network writes to elements of its parameters while it learns: values and steps are those of torch."""

from __future__ import annotations

import json

import pytest

from loaded_frameworks import run_python

pytestmark = pytest.mark.oracle

NETWORK = """import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 2)
        self.layer.weight.data[:] = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])
        self.layer.bias.data[:] = torch.tensor([0.1, -0.2])

    def forward(self, x):
        self.layer.weight.data[:, {index}]{write}
        return self.layer(x)


def losses(net):
    x = torch.tensor([[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]])
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    found = []
    for step in range(4):
        optimizer.zero_grad()
        loss = (net(x) ** 2).sum()
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found
"""
RUN = """
import json

net = Masked()
print(json.dumps([losses(net), net.layer.weight.tolist()]))
"""


@pytest.mark.parametrize("write", [" = 0", ".zero_()", " *= 0.5"])
@pytest.mark.parametrize("index", ["1:", "-1"])
def test_steps_after_elements_were_written(tmp_path, write, index):
    pytest.importorskip("mindspore")
    from mindport.checking.engine import Engine
    from mindport.checking.fixing import fix_text
    from mindport.config.rule_filter import RuleFilter
    from mindport.config.settings import Settings
    from mindport.model.target import Device, Target, Version
    from mindport.source.text import SourceText
    from mindport.usage.project import Project

    text = NETWORK.format(index=index, write=write)
    project = Project("/project")
    project.add("/project/a.py", text)
    engine = Engine(Target(Version(2, 10, 0), Device.CPU))
    rules = RuleFilter(Settings(), "/project")
    port = fix_text(
        "/project/a.py", SourceText("/project/a.py", text), project, engine, rules, unsafe=True
    ).text
    assert "TorchElements(self.layer.weight)[" in port
    results = []
    for name, code in (("torch_side", text), ("port", port)):
        (tmp_path / f"{name}.py").write_text(code + RUN, encoding="utf-8")
        done = run_python([f"{name}.py"], tmp_path)
        assert done.returncode == 0, done.stderr
        results.append(json.loads(done.stdout.splitlines()[-1]))
    (losses, weights), (ours, found) = results
    assert ours == pytest.approx(losses, rel=1e-5)
    assert [*found[0], *found[1]] == pytest.approx([*weights[0], *weights[1]], rel=1e-4, abs=1e-5)
