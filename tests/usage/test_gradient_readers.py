"""Which functions of a project read gradients that a step left: `p.grad`, not `autograd.grad`."""

import pytest

from mindport.usage.project import Project

STEP = "import torch\n\ndef train(net, optimizer):\n    net(1).sum().backward()  # 中文 😀\n    optimizer.step()\n"
CLIP = "def clip(optimizer):\n    for p in optimizer.param_groups[0]['params']:\n        p.grad.data.clamp_(-1, 1)\n"


def readers(*texts: str) -> frozenset[str]:
    project = Project("")
    project.add("train.py", STEP)
    for number, text in enumerate(texts):
        project.add(f"other_{number}.py", text)
    return project.usage("train.py").beside_steps.gradient_readers


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (CLIP, {"clip"}),
        ("class A:\n    def norm(self, ps):\n        return sum(p.grad.norm() for p in ps)\n", {"norm"}),
        ("async def f(p):\n    def g():\n        return p.grad\n    return g\n", {"g"}),
        ("def clear(ps):\n    for p in ps:\n        p.grad = None\n", set()),
        ("from torch import autograd\ndef penalty(y, x):\n    return autograd.grad(y, x)[0]\n", set()),
        ("def step(self):\n    return self.p.grad\n", set()),
        ("print(p.grad)\n", set()),
        ("def f(p):\n    return p.gradient\n", set()),
        (
            "import torch.nn.utils as utils\ndef limit(optimizer, most):\n"
            "    for group in optimizer.param_groups:\n        utils.clip_grad_norm_(group['params'], most)\n",
            {"limit"},
        ),
        (
            "from torch.nn.utils import clip_grad_value_\ndef limit(net):\n    clip_grad_value_(net, 1)\n",
            {"limit"},
        ),
        ("def train(loss, net):\n    loss.backward()\n    clip_grad_norm_(net.parameters(), 1)\n", set()),
        ("def norm_of(net):\n    return net.clip_grad_ratio\n", set()),
    ],
)
def test_who_reads_gradients(text: str, names: set[str]) -> None:
    assert readers(text) == names


def test_edits() -> None:
    project = Project("")
    project.add("train.py", STEP)
    assert project.usage("train.py").beside_steps.gradient_readers == set()
    project.add("clip.py", CLIP)
    assert project.usage("train.py").beside_steps.gradient_readers == {"clip"}
    project.add("clip.py", CLIP.replace("clip(", "limit("))
    assert project.usage("train.py").beside_steps.gradient_readers == {"limit"}
    project.remove("clip.py")
    assert project.usage("train.py").beside_steps.gradient_readers == set()


def test_a_file_without_steps_is_told_nothing() -> None:
    project = Project("")
    project.add("train.py", "import torch\n")
    project.add("clip.py", CLIP)
    assert project.usage("train.py").beside_steps.gradient_readers == set()
