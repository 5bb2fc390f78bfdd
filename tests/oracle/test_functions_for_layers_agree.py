"""What functions compute in the place of methods and operators of torch, against torch itself: convolutions of another
weight, layers that are drawn again, products and quotients of complex tensors with their gradients, looks that are
written to by functions."""

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

PROGRAM = """import json
import numpy as np
import torch
from torch import nn


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


class Layers(nn.Module):
    def __init__(self, kinds):
        super().__init__()
        self.line = kinds[0](2, 4, 3, padding=1, groups=2)
        self.plane = kinds[1](2, 4, (3, 2), stride=2, padding="valid", padding_mode="circular")
        self.space = kinds[2](2, 4, 3, padding=1, groups=2, bias=False)

    def forward(self, x):
        line = self.line._conv_forward(x, numbers(1, 4, 1, 3), self.line.bias)
        plane = self.plane._conv_forward(x[:, :, None].repeat(1, 1, 5, 1), numbers(2, 4, 2, 3, 2), None)
        shape = (1, 2, 2, 3, 2)
        return line, plane, self.space._conv_forward(x.reshape(shape), numbers(3, 4, 1, 3, 3, 3), None)


class Rotated(nn.Module):
    def __init__(self):
        super().__init__()
        self.angles = nn.Linear(4, 4, bias=False)

    def forward(self, x):
        z = torch.view_as_complex(x.reshape(3, 2, 2))
        w = torch.view_as_complex(self.angles(x).reshape(3, 2, 2))
        turned = torch.view_as_real(z * w / (w + 2) * w.real)
        y = torch.fft.rfft(self.angles(x), dim=-1)
        y = y * torch.conj(torch.fft.rfft(x, dim=-1))
        h = self.angles(x) * 2
        torch.transpose(h, 0, 1)[0] = 0.5
        h.view(-1)[1] = 3.0
        return turned.sum() + torch.fft.irfft(y, n=4, dim=-1).pow(2).mean() + (h**2).sum()


def drawn(m):
    if hasattr(m, "reset_parameters"):
        m.reset_parameters()


def fill(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(((torch.arange(float(p.numel())) % 7 - 3) / 5).view(p.shape))


def train(net, x):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    losses = []
    for step in range(3):
        optimizer.zero_grad()
        loss = net(x)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def spread(net):
    return [bool(0 < p.abs().max().item() < 4 or p.abs().max().item() == 0) for p in net.parameters()]


layers = Layers([nn.Conv1d, nn.Conv2d, nn.Conv3d])
rotated = Rotated()
fill(layers)
fill(rotated)
outputs = [one.detach().numpy().ravel().tolist() for one in layers(numbers(4, 1, 2, 12))]
outputs.append(train(rotated, numbers(5, 3, 4)))
parts = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Embedding(5, 4), nn.Conv2d(1, 2, 3), nn.LayerNorm(4))
with torch.no_grad():
    for p in parts.parameters():
        p.fill_(70.0)
parts.apply(drawn)
outputs.append([float(one) for one in spread(parts)])
print(json.dumps(outputs))
"""


def ported(text: str) -> str:
    project = Project("/project")
    project.add("/project/a.py", text)
    engine = Engine(Target(Version(2, 10, 0), Device.CPU))
    rules = RuleFilter(Settings(), "/project")
    return fix_text(
        "/project/a.py", SourceText("/project/a.py", text), project, engine, rules, unsafe=True
    ).text


def run(text: str, folder) -> list[list[float]]:
    (folder / "run.py").write_text(text, encoding="utf-8")
    done = run_python(["run.py"], folder)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_the_port_gives_what_torch_gives(tmp_path):
    pytest.importorskip("mindspore")
    pytest.importorskip("torch")
    text = ported(PROGRAM)
    for helper in ("torch_conv_forward", "torch_parameter_reset", "torch_complex_quotient", "TorchView"):
        assert helper in text
    expected, found = run(PROGRAM, tmp_path), run(text, tmp_path)
    for one, other in zip(expected, found, strict=True):
        assert other == pytest.approx(one, rel=1e-4, abs=1e-4)
