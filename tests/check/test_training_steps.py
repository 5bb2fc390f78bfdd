"""Training steps in the hands of `check` and `fix`: what is reported, counted, suppressed, and left to be unsafe."""

import msgspec
import pytest

from mindport.checking.fixing import fix_paths
from mindport.checking.project import check_paths
from mindport.config.settings import Settings
from mindport.model.target import Device, Mode, Target, Version
from mindport.model.verdict import Applicability

CPU = Target(Version(2, 10, 0), Device.CPU)
STEP = """import torch


def train(net, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        loss = torch.relu(net(x)).sum()
        loss.backward(){behind}
        {between}
        optimizer.step()
"""
TWO = STEP + STEP.removeprefix("import torch").replace("def train", "def again")


@pytest.fixture
def fix(tmp_path):
    def fixed(text, *, unsafe=False, settings=None):
        path = tmp_path / "train.py"
        path.write_text(text)
        arguments = ([str(path)], settings or Settings(), CPU, str(tmp_path))
        files = fix_paths(*arguments, unsafe=unsafe, allow_dirty=True)
        (found,) = (one for one in files if not one.is_new)
        return found

    return fixed


def test_calls_inside_a_step_are_fixed_with_it_and_nothing_is_left(fix):
    found = fix(STEP.format(behind="", between="print(loss.item())"))
    assert "loss = ops.relu(net(x)).sum()" in found.after.text
    assert "import torch" not in found.after.text
    assert not [one for one in found.report.findings if one.rule in ("MP102", "MP107", "MP116")]
    assert found.applied == 4  # relu, zero_grad, backward, step


@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        ("", {"zero_grad": "safe", "relu": "safe", "backward": "safe", "step": "safe"}),
        # A part of the step stays, and so does the whole step.
        ("  # mindport: ignore[MP107]", {"zero_grad": None, "relu": "safe", "step": None}),
    ],
)
def test_a_check_marks_what_goes_with_a_step_as_fixable(behind, expected, tmp_path):
    path = tmp_path / "train.py"
    path.write_text(STEP.format(behind=behind, between="pass"))
    (report,) = check_paths([str(path)], Settings(), CPU, str(tmp_path), use_cache=False)
    found = zip(report.findings, report.fixes, strict=True)
    assert {one.api.rpartition(".")[2]: fix and fix.value for one, fix in found} == expected


def test_an_optimizer_gets_the_parameters_that_are_not_frozen(fix):
    found = fix(
        "import torch\nnet = torch.nn.Linear(2, 3)\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nprint(list(net.parameters()))\n"
    )
    assert "SGD(net.trainable_params(), lr=0.1)" in found.after.text
    assert "print(list(torch_parameters(net)))" in found.after.text


def test_what_is_suppressed_stays(fix):
    text = STEP.format(behind="  # mindport: ignore[MP102, MP107] by hand", between="pass")
    after = fix(text).after.text
    assert "loss.backward()" in after and "optimizer.step()" in after
    assert "ops.relu" in after


def test_a_rule_that_is_not_selected_keeps_its_steps(fix):
    after = fix(
        STEP.format(behind="", between="pass"), settings=Settings(ignore=["MP102", "MP107"])
    ).after.text
    assert "loss.backward()" in after and "optimizer.step()" in after


def test_a_step_that_stays_is_reported_and_nothing_is_fixed_without_it(fix, tmp_path):
    text = TWO.format(behind="", between="print(net.weight.grad)").replace(
        "print(net.weight.grad)", "print(loss)", 1
    )
    found = fix(text)
    assert found.after.text == text and found.held_back and found.torch_steps
    (left,) = [one for one in found.report.findings if one.rule == "MP116"]
    (report,) = check_paths([str(tmp_path / "train.py")], Settings(), CPU, str(tmp_path))
    assert [one.message for one in report.findings if one.rule == "MP116"] == [left.message]
    assert "gradients are read by hand; `--unsafe-fixes` and `mindport port` do" in left.message


def test_an_unsafe_step_is_fixed_when_asked_for(fix):
    text = STEP.format(behind="", between="pass").replace(
        "    for x in loader:\n", "    x = loader\n    if x:\n"
    )
    text = text.replace("net(x)", "net(loader)")
    assert "loss.backward()" in fix(text).after.text
    assert "optimizer(grads)" in fix(text, unsafe=True).after.text


# A step that no safe fix converts, and whether recording the program does.
LEFT = {
    "a parameter that no network has": (
        """\
import torch
w = torch.nn.Parameter(torch.randn(3))
optimizer = torch.optim.SGD([w], lr=0.1)
loss = (w * torch.ones(3)).sum()  # 损失 🚀
loss.backward()
optimizer.step()
""",
        True,
    ),
    "backward and step in two methods": (
        """\
import torch
class Trainer:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())
    def loss(self, x):
        self.net(x).sum().backward()
    def update(self):
        self.optimizer.step()
Trainer(torch.nn.Linear(2, 2)).loss(torch.ones(2))
""",
        True,
    ),
    "gradients that can be differentiated again": (
        """\
import torch
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.ones(1, 2)).sum().backward(create_graph=True)
optimizer.step()
""",
        False,
    ),
}


@pytest.mark.parametrize(("text", "is_recorded"), LEFT.values(), ids=list(LEFT))
def test_check_says_what_fix_does_with_a_step_that_stays(text, is_recorded, fix, tmp_path):
    unsafe = fix(text, unsafe=True)
    assert not unsafe.torch_steps if is_recorded else unsafe.torch_steps
    assert ("torch_backward(" in unsafe.after.text) is is_recorded
    assert fix(text).applied == 0
    (report,) = check_paths([str(tmp_path / "train.py")], Settings(), CPU, str(tmp_path), use_cache=False)
    found = list(zip(report.findings, report.fixes, strict=True))
    steps = [(one, mend) for one, mend in found if one.rule == "MP116"]
    assert steps
    for one, mend in steps:
        assert ("`--unsafe-fixes` and `mindport port` do" in one.message) is is_recorded
        assert (mend is Applicability.UNSAFE) is is_recorded
    # Nothing is promised to a safe fix that leaves the whole program alone.
    assert Applicability.SAFE not in report.fixes
    calls = [mend for one, mend in found if one.api.endswith((".backward", ".step"))]
    assert calls and all((mend is Applicability.UNSAFE) is is_recorded for mend in calls)


def test_in_graph_mode_no_program_is_recorded(tmp_path):
    path = tmp_path / "train.py"
    path.write_text(LEFT["a parameter that no network has"][0])
    graph = msgspec.structs.replace(CPU, mode=Mode.GRAPH)
    (report,) = check_paths([str(path)], Settings(), graph, str(tmp_path), use_cache=False)
    (message,) = [one.message for one in report.findings if one.rule == "MP116"]
    assert "this training step is not converted" in message
    assert Applicability.UNSAFE not in [
        fix for one, fix in zip(report.findings, report.fixes, strict=True) if one.rule == "MP116"
    ]


MAKER = """import torch
from torch import nn, optim

from loop import train


def main():
    net = nn.Linear(3, 2)
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    optimizer.zero_grad()
    train(net, [torch.ones(2, 3)], optimizer)
"""
HELD = """class Runner:
    def __init__(self, losses):
        self.losses = losses

    def run(self):
        self.losses[0].backward()


"""


@pytest.mark.thorough
@pytest.mark.parametrize(("more", "is_recorded"), [("", False), (HELD, True)])
def test_who_makes_an_optimizer_clears_gradients_only_where_steps_are_recorded(tmp_path, more, is_recorded):
    (tmp_path / "main.py").write_text(MAKER)
    (tmp_path / "loop.py").write_text(
        "import torch\n\n\n" + more + STEP.removeprefix("import torch").format(behind="", between="").lstrip()
    )
    paths = [str(tmp_path / name) for name in ("main.py", "loop.py")]
    files = fix_paths(paths, Settings(), CPU, str(tmp_path), unsafe=True, allow_dirty=True)
    main = next(one.after.text for one in files if one.path.endswith("main.py"))
    assert ("optimizer.zero_grad()" in main) is is_recorded
    assert ("torch_recorded(" in main) is is_recorded
