"""Which arguments of a project's functions get what a network computed, whichever file the caller stands in."""

import pytest

from mindport.usage.project import Project

STEP = """import torch  # 中文 😀


def fit(net, h, y, scale=1):
    loss = net(h).sum() - y
    loss.backward()
    optimizer.step()


def fit_both(net, a, b):
    fit(net, a, b)


class Trainer:
    def learn(self, h, *, mask=None):
        self.net(h).sum().backward()
        self.optimizer.step()
"""
CALLER = """import torch
from train import Trainer, fit, fit_both

encoder, net = make()
optimizer = torch.optim.SGD([*encoder.parameters(), *net.parameters()], lr=0.1)


def encode(x):
    return encoder(x)


@torch.no_grad()
def frozen(x):
    return encoder(x)


def main(x, y, trainer):
    {body}
"""


def given(body: str) -> set[str]:
    project = Project("")
    project.add("train.py", STEP)
    project.add("main.py", CALLER.format(body=body.replace("\n", "\n    ")))
    return set(project.usage("train.py").beside_steps.graph_arguments) - {"encode:x", "frozen:x"}


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        ("fit(net, encoder(x), y)", {"fit:h"}),
        ("fit(net, y=encoder(x), h=x)", {"fit:y"}),
        ("fit(net, encode(x) * 2, y)", {"fit:h"}),
        ("h = encoder.forward(x)\nfit(net, h, y)", {"fit:h"}),
        ("for h in encoder(x):\n    fit(net, h, y)", {"fit:h"}),
        ("if y:\n    fit(net, [encoder(x)], y)", {"fit:h"}),
        ("fit_both(net, encoder(x), y)", {"fit_both:a", "fit:h"}),
        ("trainer.learn(encoder(x))", {"learn:h"}),
        ("trainer.learn(x, mask=encoder(x).sigmoid())", {"learn:mask"}),
        ("self.h, k = encoder(x), x\nfit(net, self.h, k)", {"fit:h"}),
        ("fit(net, x, y)", set()),
        ("fit(net, encoder(x).detach(), y)", set()),
        ("fit(net, encoder(x).data, y)", set()),
        ("h = encoder(x)\nh = x\nfit(net, h, y)", set()),
        ("with torch.no_grad():\n    fit(net, encoder(x), y)", set()),
        ("with torch.no_grad():\n    h = encoder(x)\nfit(net, h, y)", set()),
        ("fit(net, frozen(x), y)", set()),
        ("fit(net, load(x), y)", set()),
        ("fit(net, encoder(x).argmax(1), y)", set()),
        ("fit(net, encoder(x) > 0, encoder(x).item())", set()),
        ("fit(net, x, y, scale=len(encoder(x)))", set()),
        ("fit(net, lambda: encoder(x), y)", set()),
        ("fit(net, *encoder(x))", set()),
        ("other(encoder(x))", set()),
    ],
)
def test_arguments_with_a_graph_are_told_by_the_calls(body, arguments):
    assert given(body) == arguments


def test_the_answer_follows_the_files():
    project = Project("")
    project.add("train.py", STEP)
    assert project.usage("train.py").beside_steps.graph_arguments == frozenset()
    project.add("main.py", CALLER.format(body="fit(net, encoder(x), y)"))
    assert "fit:h" in project.usage("train.py").beside_steps.graph_arguments
    project.remove("main.py")
    assert project.usage("train.py").beside_steps.graph_arguments == frozenset()
