"""The gradient of a penalty is taken where the network is called, so that its function can be differentiated."""

from __future__ import annotations

import pytest

from mindport.rewrite.gradients_by_callers import gradients_by_callers
from mindport.rewrite.text_edits import with_edits

METHOD = """import torch

class Solver:
    def penalty(self, y, x):
        \"\"\"(L2_norm(dy/dx) - 1)**2, 层 🙂.\"\"\"
        weight = torch.ones(y.size()).to(self.device)
        dydx = torch.autograd.grad(outputs=y, inputs=x,
                                   grad_outputs=weight, create_graph=True)[0]
        return torch.mean((dydx.view(x.size(0), -1).norm(dim=1) - 1) ** 2)

    def train(self, x):
        out, _ = self.D(x)  # 🙂
        return self.penalty(out, x)
"""
BY_CALLER = """import torch

class Solver:
    def penalty(self, dydx, x):
        \"\"\"(L2_norm(dy/dx) - 1)**2, 层 🙂.\"\"\"
        return torch.mean((dydx.view(x.size(0), -1).norm(dim=1) - 1) ** 2)

    def train(self, x):
        out, _ = self.D(x)  # 🙂
        return self.penalty(torch.autograd.grad(out, x, torch.ones_like(out), create_graph=True)[0], x)
"""
FUNCTION = """import torch
def r1(d_out, x_in):
    batch = x_in.size(0)
    grad = torch.autograd.grad(d_out.sum(), x_in, create_graph=True)[0]
    return grad.pow(2).view(batch, -1).sum(1).mean()
def loss(nets, x, y):
    out = nets.critic(x, y)
    return out.mean() + r1(out, x)
"""


def rewritten(text: str, *others: str) -> str:
    texts = {str(at): one for at, one in enumerate((text, *others))}
    return with_edits(text, gradients_by_callers(texts).get("0", ()))


def test_a_method() -> None:
    assert rewritten(METHOD) == BY_CALLER
    assert rewritten(BY_CALLER) == BY_CALLER


def test_a_function_that_sums_up() -> None:
    text = rewritten(FUNCTION)
    assert "def r1(grad, x_in):\n    batch = x_in.size(0)\n    return" in text
    assert "+ r1(torch.autograd.grad(out.sum(), x, create_graph=True)[0], x)\n" in text


PENALTY = """import torch
from torch.autograd import grad

def penalty(x, out):
    slopes = grad(outputs=out, inputs=x, grad_outputs=torch.ones_like(out), create_graph=True)[0]
    return ((slopes.flatten(1).norm(2, dim=1) - 1) ** 2).mean()
"""
BY_CALLERS = """import torch
from torch.autograd import grad

def penalty(x, slopes):
    return ((slopes.flatten(1).norm(2, dim=1) - 1) ** 2).mean()
"""
CALLER = """import torch
from losses import penalty

def step(critic, real):
    mixed = real * 0.5
    score = critic(mixed)
    return CALL
"""
GRADIENT = "torch.autograd.grad({}, create_graph=True)[0]"


@pytest.mark.parametrize(
    ("call", "after"),
    [
        (
            "penalty(mixed, score)",
            f"penalty(mixed, {GRADIENT.format('score, mixed, torch.ones_like(score)')})",
        ),
        (
            "penalty(out=score, x=mixed)",
            f"penalty(slopes={GRADIENT.format('score, mixed, torch.ones_like(score)')}, x=mixed)",
        ),
        ("penalty(mixed, critic(mixed))", f"penalty(mixed, {GRADIENT.format('critic(mixed).sum(), mixed')})"),
        (
            "penalty(mixed, score) * 10",
            f"penalty(mixed, {GRADIENT.format('score, mixed, torch.ones_like(score)')}) * 10",
        ),
    ],
)
def test_calls_in_another_file(call: str, after: str) -> None:
    caller = CALLER.replace("CALL", call)
    assert rewritten(PENALTY, "x = 1", caller) == BY_CALLERS
    assert rewritten(caller, PENALTY) == CALLER.replace("CALL", after)
    assert rewritten("import torch\n", PENALTY, caller) == "import torch\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("CALL", "penalty(mixed, score + 1)"),
        ("CALL", "penalty(*mixed)"),
        ("CALL", "penalty(mixed, critic(real))"),
        ("CALL", "partial(penalty, mixed)"),
        ("CALL", "globals()['penalty'](mixed, score)"),
        ("penalty\n", "penalty as weight\n"),
        ("import torch\n", "import mindtorch as torch\n"),
        ("import torch\n", "torch = numpy.load_framework()\n"),
        ("def step(critic", "def step(critic,,"),
    ],
)
def test_one_call_of_another_file_that_does_not_fit(old: str, new: str) -> None:
    good = CALLER.replace("CALL", "penalty(mixed, score)")
    bad = (CALLER if old == "CALL" else good).replace(old, new)
    for text in (PENALTY, good, bad):
        others = [one for one in (PENALTY, good, bad) if one is not text]
        assert rewritten(text, *others) == text


def test_two_functions_of_a_name() -> None:
    caller = CALLER.replace("CALL", "penalty(mixed, score)")
    other = PENALTY + "\n# another one\n"
    assert rewritten(PENALTY, other, caller) == PENALTY
    assert rewritten(caller, PENALTY, other) == caller
    assert rewritten(METHOD, METHOD.replace("train", "test")) == BY_CALLER  # each calls its own


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.penalty(out, x)", "self.penalty(out + 1, x)"),
        ("self.penalty(out, x)", "list(map(self.penalty, out, x))"),
        ("out, _ = self.D(x)", "out, _ = self.D(z)"),
        ("torch.ones(y.size())", "torch.rand(y.size())"),
        ("dydx.view", "y.mean() + dydx.view"),
        ("dydx.view", "weight.mean() + dydx.view"),
        ("create_graph=True", "create_graph=False"),
        ("inputs=x", "inputs=self.w"),
        ("    def penalty", "    @staticmethod\n    def penalty"),
        ("def penalty(self, y, x)", "def penalty(self, y, x, *more)"),
        ("def train(self, x):", "def train(self, x:"),
    ],
)
def test_what_stays(old: str, new: str) -> None:
    text = METHOD.replace(old, new)
    assert text != METHOD
    assert gradients_by_callers({"a.py": text}) == {}


@pytest.mark.parametrize("target", ["slopes, = {}", "(slopes,) = {}  # 梯度 🙂", "[slopes] = {}"])
def test_the_only_gradient_of_several(target: str) -> None:
    call = "grad(outputs=out, inputs=x, grad_outputs=torch.ones_like(out), create_graph=True)"
    penalty = PENALTY.replace(f"slopes = {call}[0]", target.format(call))
    assert penalty != PENALTY
    caller = CALLER.replace("CALL", "penalty(mixed, score)")
    assert rewritten(penalty, caller) == BY_CALLERS


def test_a_call_in_a_script() -> None:
    steps = "for real in data:\n    score = critic(real)\n    loss = penalty(real, {})\n"
    script = f"import torch\nfrom losses import penalty\n\n{steps}"
    assert rewritten(PENALTY, script.format("score")) == BY_CALLERS
    gradient = GRADIENT.format("score, real, torch.ones_like(score)")
    assert rewritten(script.format("score"), PENALTY) == script.format(gradient)
    other = script.replace("score = critic(real)", "def f(real):\n        score = critic(real)")
    assert rewritten(PENALTY, other.format("score")) == PENALTY


@pytest.mark.parametrize(
    "start",
    [
        "import numpy\n",
        "from torch import nn\n",
        '"""层 🙂."""\nfrom __future__ import annotations\nimport os\n',
    ],
)
def test_torch_is_imported_where_the_gradient_is_taken(start: str) -> None:
    caller = CALLER.replace("CALL", "penalty(mixed, score)")
    written = rewritten(caller.replace("import torch\n", start), PENALTY)
    last = start.splitlines()[-1]
    assert written.startswith(start.replace(last, f"import torch\n{last}"))
    assert "penalty(mixed, torch.autograd.grad(" in written
    assert rewritten(
        PENALTY.replace("import torch\n", "from torch.autograd import grad\n"), caller
    ) == BY_CALLERS.replace("import torch\n", "from torch.autograd import grad\n")


def test_a_function_that_takes_a_mean() -> None:
    text = rewritten(FUNCTION.replace("d_out.sum()", "d_out.mean()"))
    assert "+ r1(torch.autograd.grad(out.mean(), x, create_graph=True)[0], x)\n" in text


def test_torch_is_imported_once_for_two_penalties() -> None:
    text = FUNCTION.replace("import torch\n", "from torch import autograd\n")
    text = text.replace("torch.autograd", "autograd")
    second = text.replace("r1", "r2").partition("\n")[2]
    assert rewritten(text + second).count("import torch\n") == 1
