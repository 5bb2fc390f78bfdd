"""Which classes may be given modules in evaluation mode."""

from __future__ import annotations

import pytest

from mindport.usage.project import Project

NETS = (
    "from torch import nn\n\nclass Loss(nn.Module):\n    def forward(self, x):\n        return x\n\n"
    "class Net(Loss):\n    pass\n"
)


def given(*texts: str) -> frozenset[str]:
    project = Project("/project")
    project.add("nets.py", NETS)
    for number, text in enumerate(texts):
        project.add(f"other_{number}.py", "from nets import *\n" + text)
    return project.usage("nets.py").classes.given_evaluated


@pytest.mark.parametrize(
    "text",
    [
        "t = Net()\nt.eval()  # 教师 🙂\nloss = Loss(t)\n",
        "def main():\n    t = Net()\n    t.eval()\n    loss = Loss(1, teacher=t)\n",
        "loss = Loss(Net().eval())\n",
        "def main(args):\n    t = Net().eval()\n    return Loss(t) if args else None\n",
        "def main(self):\n    self.teacher.train(False)\n    self.loss = Loss(self.teacher)\n",
        "def made():\n    t = Net()\n    t.eval()\n    return t\n\ndef main():\n    t = made()\n    return Loss(t)\n",
        "def made():\n    return Net().eval()\n\ndef main():\n    return Loss(made())\n",
        "class A:\n    def made(self):\n        t = Net()\n        t.eval()\n        return t\n"
        "    def main(self):\n        return Loss(self.made())\n",
        "def main():\n    t.set_train(False)\n    Loss(t)\n",
    ],
)
def test_given_in_evaluation_mode(text: str) -> None:
    assert given(text) == {"Loss"}


@pytest.mark.parametrize(
    "text",
    [
        "t = Net()\nloss = Loss(t)\n",
        "def main():\n    t = Net()\n    loss = Loss(t)\n    t.eval()\n",
        "def main():\n    t = Net()\n    loss = Loss(t)\n\ndef validate(t):\n    t.eval()\n",
        "def main():\n    t.eval()\n    t = Net()\n    loss = Loss(t)\n",
        "def main():\n    self.eval()\n    Loss(self)\n",
        "def main():\n    t.eval('x')\n    Loss(t)\n",
        "def main():\n    t.train()\n    Loss(t)\n",
        "def made():\n    t = Net()\n    t.eval()\n    return Net()\n\ndef main():\n    return Loss(made())\n",
        "t = Net()\nt.eval()\nprint(t)\n",
    ],
)
def test_given_otherwise(text: str) -> None:
    assert given(text) == frozenset()


def test_edits() -> None:
    project = Project("/project")
    project.add("nets.py", NETS)
    assert not project.usage("nets.py").classes.given_evaluated
    project.add("main.py", "from nets import *\nLoss(Net().eval())\n")
    assert project.usage("nets.py").classes.given_evaluated == {"Loss"}
    project.add("main.py", "from nets import *\nNet(Net().eval())\n")
    assert project.usage("nets.py").classes.given_evaluated == {"Net"}
    project.remove("main.py")
    assert not project.usage("nets.py").classes.given_evaluated
