"""Programs that have no optimizer and change their weights by hand, as `mindport port` writes them: they have torch's
losses, without torch."""

import subprocess
import sys

import pytest

from loaded_frameworks import run_python

pytestmark = pytest.mark.oracle

PROGRAM = """import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 8)
        self.out = nn.Linear(8, 1)
        for size, layer in ((0.1, self.hidden), (0.2, self.out)):
            nn.init.constant_(layer.weight, size)
            nn.init.constant_(layer.bias, 0.0)

    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x)))


{step}


if __name__ == "__main__":
    x = torch.linspace(-1, 1, 20).view(5, 4)
    y = torch.linspace(0, 1, 5).view(5, 1)
    train(Net(), x, y)
"""
BY_GRAD = """def train(net, x, y):
    for _ in range(3):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        with torch.no_grad():
            for p in net.parameters():
                p -= 0.1 * p.grad
                p.grad.zero_()
        print(loss.item())"""
BY_AUTOGRAD = """def train(net, x, y):
    for _ in range(3):
        loss = F.mse_loss(net(x), y)
        grads = torch.autograd.grad(loss, net.parameters())
        for p, g in zip(net.parameters(), grads):
            p.data.add_(-0.1 * g)
        print(loss.item())"""
LOOKED_AT = """class Looked:
    def __init__(self, net):
        self.net = net

    def saliency(self, x, y):
        loss = F.mse_loss(self.net(x), y)
        loss.backward()
        return [p.grad.abs().sum().item() for p in self.net.parameters()]


def train(net, x, y):
    looked = Looked(net)
    for _ in range(2):  # gradients add up
        for value in looked.saliency(x, y):
            print(value)"""

EXPLAINED = """class Cam:
    def __init__(self, net):
        self.net = net
        net.hidden.register_forward_hook(self.keep)

    def keep(self, module, inputs, output):
        self.seen = output

    def look(self, x):
        out = self.net(x)
        self.seen.retain_grad()
        self.net.zero_grad()
        out.sum().backward()
        return (self.seen.grad * self.seen.detach()).sum(1)


def train(net, x, y):
    cam = Cam(net)
    for _ in range(2):
        print(cam.look(x).abs().sum().item())
    x = x.clone().requires_grad_()
    net(x).pow(2).sum().backward()
    print(x.grad.abs().sum().item())"""


def printed(folder):
    done = run_python(["run.py"], folder)
    assert done.returncode == 0, done.stderr[-3000:]
    return [float(line) for line in done.stdout.split()]


@pytest.mark.parametrize(
    "step",
    [BY_GRAD, BY_AUTOGRAD, LOOKED_AT, EXPLAINED],
    ids=["grad", "autograd", "looked_at", "explained"],
)
def test_the_port_has_the_losses_of_torch(step, tmp_path):
    source, port = tmp_path / "source", tmp_path / "port"
    source.mkdir()
    (source / "run.py").write_text(PROGRAM.format(step=step))
    command = [sys.executable, "-m", "mindport", "port", str(source), "-o", str(port), "--device", "CPU"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert "import torch\n" not in (port / "run.py").read_text()
    expected, found = printed(source), printed(port)
    assert len(expected) >= 3
    assert found == pytest.approx(expected, rel=1e-4)
