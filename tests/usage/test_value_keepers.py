"""Which functions of a project keep a value where later code finds it."""

import pytest

from mindport.usage.project import Project

STEP = "import torch\n\ndef train(net, optimizer):\n    net(1).sum().backward()  # 中文 😀\n    optimizer.step()\n"
SET = "class A:\n    def set_memory(self, memory):\n        self.memory = memory\n"


def keepers(*texts: str) -> frozenset[str]:
    project = Project("")
    project.add("train.py", STEP)
    for number, text in enumerate(texts):
        project.add(f"other_{number}.py", text)
    return project.usage("train.py").beside_steps.value_keepers


def method(body: str) -> str:
    return f"class A:\n    def f(self, x, *rest, **named):\n        {body}\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (SET, {"set_memory"}),
        ("def fill(cache, h):\n    cache['h'] = h\n", {"fill"}),
        ("kept = []\ndef keep(h):\n    kept.append(h)\n", {"keep"}),
        (method("self.parts['a'].b = x * 2"), {"f"}),
        (method("y = x + 1\n        self.y = y"), {"f"}),
        (method("self.a, self.b = x, 1"), {"f"}),
        (method("self.all += x"), {"f"}),
        (method("for one in x:\n            self.all.append(one)"), {"f"}),
        (method("self.cell.queue.update(h=x)"), {"f"}),
        (method("self.buffer.copy_(x)"), {"f"}),
        (method("setattr(self, 'h', x)"), {"f"}),
        (method("self.rest = rest"), {"f"}),
        (method("self.named = named"), {"f"}),
        (method("self.fake = self.net(self.real)"), {"f"}),
        (method("return x"), set()),
        (method("y = {}\n        y['x'] = x\n        return y"), set()),
        (method("y = [x]\n        y.append(x)\n        return sum(y)"), set()),
        (method("self.size = x.shape[0]"), set()),
        (method("self.total += x.item()"), set()),
        (method("self.last = x.detach()"), set()),
        (method("self.last = x.data"), set()),
        (method("self.count += 1"), set()),
        (method("self.net.train()"), set()),
        (method("for p in x.parameters():\n            p.requires_grad = False"), set()),
        ("class A:\n    def __init__(self, net):\n        self.net = net\n", set()),
        ("class A:\n    def step(self, loss):\n        self.loss = loss\n", set()),
    ],
)
def test_keepers_are_told_by_what_they_do(text, names):
    assert keepers(text) == names


def test_who_hands_a_value_on_to_one_keeps_it_too():
    calls = "def outer(net, h):\n    inner(net, h)\n\ndef inner(net, h):\n    net.set_memory(h)\n\n"
    calls += "def no(net):\n    net.set_memory()\n"
    assert keepers(calls, SET) == {"outer", "inner", "set_memory"}
    assert keepers(calls) == set()


def test_an_edit_changes_the_answer():
    project = Project("")
    project.add("train.py", STEP)
    project.add("net.py", SET)
    assert project.usage("train.py").beside_steps.value_keepers == {"set_memory"}
    project.add("net.py", SET.replace("self.memory = memory", "return memory"))
    assert project.usage("train.py").beside_steps.value_keepers == set()
    project.add("net.py", SET)
    project.remove("net.py")
    assert project.usage("train.py").beside_steps.value_keepers == set()
