"""Groups of an optimizer of which nothing but entries is read and set are marked; no others are."""

from __future__ import annotations

import textwrap

import pytest

from mindport.usage.project import Project

HEAD = "import torch\no = torch.optim.SGD([torch.zeros(2)], lr=0.1)\n"
ENTRIES = {
    "item": "print(o.param_groups[0]['lr'])",
    "set item": "o.param_groups[-1]['lr'] *= 0.1",
    "loop": "for g in o.param_groups:\n    g['lr'] = 0.1",
    "loop in a function": "def f(o: torch.optim.SGD, lr):\n    '学习率 🎉'\n    for g in o.param_groups:\n"
    "        g['lr'] = lr",
    "loop in a method": "class T:\n    def __init__(self):\n        self.o = torch.optim.Adam([torch.zeros(2)])\n"
    "    def f(self):\n        for g in self.o.param_groups:\n            g['betas'] = (0.5, g['betas'][1])",
    "counted": "for i, g in enumerate(o.param_groups):\n    g['lr'] = i * g['initial_lr']",
    "comprehension": "rates = [g['lr'] for g in o.param_groups]",
    "name": "g = o.param_groups[0]\ng['lr'] = 0.1",
    "parameters": "for g in o.param_groups:\n    for p in g['params']:\n        print(p)",
    "count": "n = len(o.param_groups)",
    "twice": "for g in o.param_groups:\n    g['lr'] = 0.1\nfor g in o.param_groups:\n    print(g['lr'])",
    "own entry": "for g in o.param_groups:\n    g['scale'] = 2",
    "formatted": "print(f\"{o.param_groups[0]['lr']:.3f}\")",
}
MORE = {
    "handed on": "f(o.param_groups)",
    "kept": "groups = o.param_groups",
    "group handed on": "for g in o.param_groups:\n    f(g)",
    "group is asked": "for g in o.param_groups:\n    g.get('lr')",
    "updated": "for g in o.param_groups:\n    g.update(lr=0.1)",
    "key unknown": "for g in o.param_groups:\n    g[key] = 0.1",
    "taken away": "for g in o.param_groups:\n    del g['lr']",
    "set beside another": "for g in o.param_groups:\n    g['lr'], n = 0.1, 1",
    "set with another": "for g in o.param_groups:\n    n = g['lr'] = 0.1",
    "of torch alone": "for g in o.param_groups:\n    g['foreach'] = False",
    "other groups": "for g in o.param_groups + others:\n    g['lr'] = 0.1",
    "another thing": "for g in o.param_groups:\n    g['lr'] = 0.1\ng = 3\nprint(g)",
    "a parameter": "def f(g):\n    for g in o.param_groups:\n        g['lr'] = 0.1",
    "set": "o.param_groups = []",
}


def marks(text: str) -> list[bool]:
    project = Project("")
    project.add("module.py", HEAD + textwrap.dedent(text) + "\n")
    uses = [use for use in project.usage("module.py").uses if use.api == "torch.optim.Optimizer.param_groups"]
    return ["entries" in use.signs for use in uses]


@pytest.mark.parametrize("text", ENTRIES.values(), ids=ENTRIES)
def test_entries_alone(text):
    found = marks(text)
    assert found and all(found)


@pytest.mark.parametrize("text", MORE.values(), ids=MORE)
def test_more_than_entries(text):
    found = marks(text)
    assert found and not any(found)
