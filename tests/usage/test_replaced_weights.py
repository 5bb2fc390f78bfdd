"""Where weights may get other memory once the first step was taken, every file with steps says so."""

import pytest

from mindport.usage.project import Project

TRAIN = """from other import *

def train(net, optimizer, batches):
    for batch in batches:
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()
        {call}

def main():
    {before}
    train(make(), optimizer, batches)

main()
"""
EMA = """class Average:
    def __init__(self, net):
        for p in net.parameters():
            p.data = p.data * 1

    def apply(self):
        for name, p in self.net.named_parameters():
            p.data = self.shadow[name]
"""
LOAD = "def load(net, path):\n    net.load_state_dict(read(path))\n"


def marks(project: Project) -> bool:
    return project.usage("train.py").beside_steps.replaces_weights


@pytest.mark.parametrize(
    ("other", "call", "before", "expected"),
    [
        (EMA, "average.apply()", "pass", True),
        (EMA, "pass", "average.apply()", False),
        (EMA, "pass", "pass", True),  # nothing calls it: whoever imports it may
        (EMA, "Average(net)", "average.apply()", False),
        (LOAD, "load(net, best)", "pass", True),
        (LOAD, "pass", "load(net, path)", False),
        (LOAD + "def best(net):\n    load(net, 'best')\n", "best(net)", "load(net, path)", True),
        (LOAD + "def best(net):\n    load(net, 'best')\n", "pass", "best(net)", False),
        ("", "net.load_state_dict(best)", "pass", True),
        ("", "pass", "net.load_state_dict(best)", False),
        ("", "self.target.load_state_dict(net.state_dict())", "pass", True),
        ("", "optimizer.load_state_dict(best)", "pass", False),
        ("", "self.lr_scheduler.load_state_dict(best)", "pass", False),
        ("", "net.weight.data -= 0.1", "pass", True),
        ("", "net.weight.data = value", "pass", True),
        ("", "x.copy_(net.weight.data)", "pass", False),
        ("", "pass", "for p in net.parameters(): p.data = torch.zeros(3)", False),
        ("def reset_parameters(net):\n    net.weight.data = x\n", "pass", "reset_parameters(net)", False),
        ("def shift(net):\n    net.weight.data += 1\n", "shift(net)", "pass", True),
        ("def start(m):\n    m.weight.data = x\n", "pass", "net.apply(start)", False),
    ],
)
def test_where_weights_are_replaced(other: str, call: str, before: str, expected: bool) -> None:
    project = Project("")
    project.add("train.py", TRAIN.format(call=call, before=before))
    project.add("other.py", other)
    assert marks(project) is expected


STEP = "def step(batch):\n    net(batch).sum().backward()\n    optimizer.step()\n"


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        ("step(a)\nnet.load_state_dict(best)\nstep(b)", True),
        ("step(a)\nload(net, best)\nstep(b)", True),
        ("step(a)\nnet.weight.data = value\noptimizer.step()", True),
        ("net.load_state_dict(best)\nstep(a)\nstep(b)", False),
        ("step(a)\nstep(b)\nnet.load_state_dict(best)\ntest(net)", False),
        ("step(a)\nload(net, best)\ntest(net)", False),
        ("env.step(a)\nnet.load_state_dict(best)\nstep(b)", False),
        ("step(a)\noptimizer.load_state_dict(best)\nstep(b)", False),
    ],
)
def test_weights_that_are_replaced_between_two_steps(then: str, expected: bool) -> None:
    for function in ("", "def main():\n    ", "def rest():\n    "):
        indent = "\n    " if function else "\n"
        project = Project("")
        project.add("train.py", f"from other import load\n{STEP}{function}{then.replace(chr(10), indent)}\n")
        project.add("other.py", LOAD if " load(" in f" {then}".replace("\n", " ") else "")
        project.add("start.py", "from train import rest\nrest()\n")
        assert marks(project) is expected


def test_the_order_of_edits_never_shows() -> None:
    project = Project("")
    project.add("train.py", TRAIN.format(call="pass", before="pass"))
    assert marks(project) is False
    project.add("other.py", LOAD)
    assert marks(project) is True
    project.add("train.py", TRAIN.format(call="pass", before="load(net, path)"))
    assert marks(project) is False
    project.add("third.py", "for net in nets:\n    while True:\n        load(net, path)\n")
    assert marks(project) is True
    project.remove("third.py")
    assert marks(project) is False
    project.remove("other.py")
    assert marks(project) is False


def test_a_file_without_steps_says_nothing() -> None:
    project = Project("")
    project.add("train.py", "import torch\n")
    project.add("other.py", EMA)
    assert marks(project) is False
