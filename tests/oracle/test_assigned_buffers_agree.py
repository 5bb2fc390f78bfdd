"""A network whose buffers get other tensors, in its methods and while a gradient is taken, gives what it gives in torch
after `mindport fix`."""

import json
import subprocess
import sys

import pytest

from loaded_frameworks import run_python

pytestmark = pytest.mark.oracle

PROGRAM = """import json
import torch
import torch.nn as nn
import torch.nn.functional as F


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
        self.register_buffer("queue", torch.arange(12.0).reshape(4, 3))
        self.queue = F.normalize(self.queue, dim=1)
        self.register_buffer("average", None)
        self.register_buffer("steps", torch.zeros(1), persistent=False)

    def forward(self, x):
        y = x * self.weight
        self.steps += 1
        if self.average is None:
            self.average = y.detach()
        self.average = 0.9 * self.average + 0.1 * y.detach()
        self.queue = torch.cat((self.queue[1:], y.detach()[:1]))
        return (y * self.average).sum() + (self.queue @ y.t()).mean()


net = Memory()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
found = []
for step in range(4):
    x = torch.arange(6.0).reshape(2, 3) + step
    optimizer.zero_grad()
    loss = net(x)
    loss.backward()
    optimizer.step()
    found.append(loss.item())
found += [net.queue.sum().item(), net.average.sum().item(), net.steps.item()]
print(json.dumps([found, sorted(net.state_dict())]))
"""


def test_buffers_that_get_other_tensors(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    run = {"capture_output": True, "text": True, "timeout": 300, "check": True}
    expected, names = json.loads(run_python([program.name], tmp_path).stdout.splitlines()[-1])
    subprocess.run([sys.executable, "-m", "mindport", "fix", "--device", "CPU", str(program)], **run)
    assert "import torch\n" not in program.read_text()
    found, names_found = json.loads(run_python([program.name], tmp_path).stdout.splitlines()[-1])
    assert found == pytest.approx(expected, rel=1e-5)
    assert names_found == names
