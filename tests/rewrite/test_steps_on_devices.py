"""Training steps are written as functions safely where that was run, which is on CPU, and nowhere else."""

import pytest

from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Applicability
from mindport.rewrite.training.rewrites import training_rewrites
from mindport.usage.project import Project

TEXT = """import torch
from torch import nn

def train(x, y):
    net = nn.Linear(3, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loss_fn = nn.MSELoss()
    for _ in range(3):
        optimizer.zero_grad()
        loss = loss_fn(net(x), y)
        loss.backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("device", "applicability"),
    [
        (Device.CPU, Applicability.SAFE),
        (Device.ASCEND, Applicability.UNSAFE),
        (Device.GPU, Applicability.UNSAFE),
    ],
)
def test_a_step_is_safe_where_it_was_run(device, applicability):
    project = Project("/project")
    project.add("/project/train.py", TEXT)
    usage = project.usage("/project/train.py")
    found = training_rewrites(TEXT, usage, Target(Version(2, 10), device)).rewrites
    assert {one.rewrite.applicability for one in found} == {applicability}
