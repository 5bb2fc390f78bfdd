"""The fixes for second-order gradients, each run: against torch, before and after."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from proved import Proved, todays_part

from mindport.checking.engine import Engine
from mindport.checking.findings import findings_about
from mindport.mapping.equivalents import ALL_ARGUMENTS, HOLE, Equivalent, equivalents
from mindport.mapping.helper_source import with_helpers
from mindport.model.target import Device, Target, Version
from mindport.registry.probe import ProbeAnswer, run_probe
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import as_fix
from mindport.rewrite.second_order import jit_rewrite
from mindport.usage.project import Project

pytestmark = pytest.mark.oracle
SAMPLES = Path(__file__).parent.parent / "sample"
# Prints the largest difference of each weight's gradient, relative to the largest of torch's.
COMPARE = """
import json, sys
import numpy, torch
sys.path.insert(0, sys.argv[1])
import mindspore
from train import critic, step
for name in ("critic", "penalty", "train"):
    sys.modules.pop(name)
sys.path.insert(0, sys.argv[2])
from torch import nn
from critic import Critic
model = Critic().double()
model.pool, model.head[1] = nn.Identity(), nn.Linear(32, 1).double()
ours = critic.trainable_params()
for weight, parameter in zip(model.parameters(), ours):
    value = numpy.random.default_rng(0).normal(size=tuple(weight.shape)) * 0.3
    weight.data = torch.tensor(value)
    parameter.set_data(mindspore.Tensor(value.astype("float32")))
mixed = numpy.random.default_rng(1).normal(size=(4, 3, 8, 8))
x = torch.tensor(mixed, requires_grad=True)
gradient, = torch.autograd.grad(model(x).sum(), x, create_graph=True)
loss = ((gradient.flatten(1).norm(2, dim=1) - 1) ** 2).mean()
theirs = torch.autograd.grad(loss, list(model.parameters()), allow_unused=True)
value, found = step(mindspore.Tensor(mixed.astype("float32")))
answer = {"loss": abs(float(value.asnumpy()) - float(loss)) / float(loss)}
for (name, _), wanted, got in zip(model.named_parameters(), theirs, found):
    wanted = numpy.zeros(got.shape) if wanted is None else wanted.numpy()
    answer[name] = float(abs(got.asnumpy() - wanted).max() / max(abs(wanted).max(), 1e-3))
print(json.dumps(answer))
"""


def run(code: str, *arguments: str) -> dict[str, float]:
    """What a script prints on its last line."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_the_offered_fix_makes_every_weight_of_a_critic_right(tmp_path):
    folder = tmp_path / "ported"
    shutil.copytree(SAMPLES / "wgan_ported", folder)
    before = run(COMPARE, str(folder), str(SAMPLES / "wgan"))
    # The loss is right, and nothing is said; the last layer is not trained at all.
    assert before["loss"] < 1e-5 and before["head.1.weight"] == 1, before
    project = Project(str(folder))
    for path in sorted(folder.glob("*.py")):
        project.add(str(path), path.read_text())
    engine = Engine(Target(Version(2, 10), Device.CPU))
    links = project.second_order_links(str(folder / "critic.py"))
    offered = {
        (link.gradient.path, rewrite)
        for link in links
        if link.gradient is not None and (rewrite := jit_rewrite(link, engine.second_order(link)))
    }
    ((path, rewrite),) = offered
    text = Path(path).read_text()
    fix = as_fix(rewrite, text, project.usage(path))
    changed = apply_edits(text, fix.edits)
    Path(path).write_text(changed)
    after = run(COMPARE, str(folder), str(SAMPLES / "wgan"))
    assert max(after.values()) < 1e-5, after
    project.add(path, changed)
    links = project.second_order_links(str(folder / "critic.py"))
    assert not any(finding.rule == "MP202" for one in links for finding in findings_about(one, engine))


# For each case: its module, its expression in torch and its shape. Prints a line for each: how far the gradient of its
# gradient is from torch's in both modes, relative to the largest value, or what it raised.
TWICE = """
import importlib, json, sys, traceback
import numpy, torch
import torch.nn.functional as F
from torch import nn
import mindspore
sys.path.insert(0, sys.argv[1])
torch.set_default_dtype(torch.float64)

def differences(ported, expression, shape):
    values = numpy.random.default_rng(0)
    start = values.normal(size=shape)
    leaf = torch.tensor(start, requires_grad=True)
    x = leaf + 0.1 * leaf * leaf
    y = eval(expression, globals(), {"x": x})
    r = values.normal(size=tuple(y.shape))
    g, = torch.autograd.grad((torch.tensor(r) * (y + 0.1 * y * y)).sum(), leaf, create_graph=True)
    wanted, = torch.autograd.grad((g * g).sum(), leaf)
    ported.r = mindspore.Tensor(r.astype("float32"))
    answer = {}
    for mode, inner in (("pynative", mindspore.grad(ported.f)), ("graph", mindspore.jit(mindspore.grad(ported.f)))):
        def penalty(x):
            return (inner(x) ** 2).sum()
        got = mindspore.grad(penalty)(mindspore.Tensor(start.astype("float32"))).asnumpy()
        answer[mode] = float(abs(got - wanted.numpy()).max() / abs(wanted.numpy()).max())
    return answer

for line in sys.stdin:
    module, expression, shape = json.loads(line)
    try:
        answer = differences(importlib.import_module(module), expression, shape)
    except Exception:
        answer = traceback.format_exc()
    print(json.dumps([module, answer]), flush=True)
"""
PORTED = """
from mindspore import mint, nn, ops
r = None
{layer}
def f(x):
    x = x + 0.1 * x * x
    y = {expression}
    return (r * (y + 0.1 * y * y)).sum()
"""


@dataclass(frozen=True)
class Case:
    """What is written for an expression of torch in `x`, and the shape of that."""

    name: str
    text: str
    torch: str
    shape: tuple[int, ...]
    modes: tuple[str, ...] = ("pynative", "graph")

    @property
    def key(self) -> str:
        return f"{self.name}: {self.torch} of {self.shape} as {self.text}"


def case_of(equivalent: Equivalent) -> Case:
    values = {"negative_slope": "0.01", "kernel_size": "2", "stride": "2", "padding": "1", "output_size": "2"}
    values |= {
        "count_include_pad": "True",
        "mode": "'constant'",
        "value": "0.5",
        "weight": "0.25 * ops.ones((1,))",
    }
    if equivalent.api == "mindspore.ops.pad":
        values["padding"] = "(1, 1, 2, 0)"
    given = re.match(r"[\w.]+(\(.*?\))(\(x\))?$", equivalent.torch)
    assert given is not None
    text = equivalent.rewrite.replace(ALL_ARGUMENTS, given[1])
    text = HOLE.sub(lambda hole: values.get(hole[1], "x"), text)
    assert "$" not in text
    is_layer = equivalent.api.rpartition(".")[2][0].isupper()
    layer, expression = (f"layer = {text}", "layer(x)") if is_layer else ("", text)
    modes = ("graph",) if equivalent.in_graph else ("pynative", "graph")
    written = PORTED.format(layer=layer, expression=expression)
    return Case(equivalent.api, written, equivalent.torch, tuple(equivalent.input), modes)


def written_otherwise(ported: str, in_torch: str, shape: tuple[int, ...]) -> Case:
    return Case(f"{ported} of {shape}", PORTED.format(layer="", expression=ported), in_torch, shape)


POOLED = [
    # Windows that overlap, do not fit, are not square; and equal values, as a rectifier leaves them.
    ("max_pool2d_by_slices(x, 3, 2)", "F.max_pool2d(x, 3, 2)"),
    ("max_pool2d_by_slices(x, (3, 2), (1, 2))", "F.max_pool2d(x, (3, 2), (1, 2))"),
    ("max_pool2d_by_slices(ops.relu(x), 2)", "F.max_pool2d(F.relu(x), 2)"),
    ("avg_pool2d_by_slices(x, 3, 2)", "F.avg_pool2d(x, 3, 2)"),
    ("avg_pool2d_by_slices(x, (3, 2), (1, 2))", "F.avg_pool2d(x, (3, 2), (1, 2))"),
    ("max_pool2d_by_slices(x, 3, 2, 1)", "F.max_pool2d(x, 3, 2, 1)"),
    ("max_pool2d_by_slices(x, (3, 2), 1, (1, 0))", "F.max_pool2d(x, (3, 2), 1, (1, 0))"),
    ("avg_pool2d_by_slices(x, 3, 2, 1)", "F.avg_pool2d(x, 3, 2, 1)"),
    (
        "avg_pool2d_by_slices(x, (3, 4), 2, (1, 2), False)",
        "F.avg_pool2d(x, (3, 4), 2, (1, 2), False, False)",
    ),
    ("adaptive_avg_pool2d_by_weights(x, (4, 3))", "F.adaptive_avg_pool2d(x, (4, 3))"),
    ("adaptive_avg_pool2d_by_weights(x, (None, 2))", "F.adaptive_avg_pool2d(x, (None, 2))"),
]
RESIZED_AND_PADDED = [
    ("interpolate_by_weights(x, (4, 9))", "F.interpolate(x, (4, 9))"),
    ("interpolate_by_weights(x, 5, mode='bilinear')", "F.interpolate(x, 5, mode='bilinear')"),
    (
        "interpolate_by_weights(x, (3, 8), mode='bilinear', align_corners=True)",
        "F.interpolate(x, (3, 8), mode='bilinear', align_corners=True)",
    ),
    ("interpolate_by_weights(x, None, (2, 3))", "F.interpolate(x, None, (2, 3))"),
    ("pad_by_indices(x, (3, 1), 'reflect')", "F.pad(x, (3, 1, 0, 0), 'reflect')"),
    ("pad_by_indices(x, (0, 2, 3, 1), 'circular')", "F.pad(x, (0, 2, 3, 1), 'circular')"),
    ("pad_by_indices(x, (5, 2, 0, 9), 'replicate')", "F.pad(x, (5, 2, 0, 9), 'replicate')"),
]
CASES = [
    *map(case_of, equivalents()),
    *(written_otherwise(*one, shape) for one in POOLED for shape in ((2, 3, 7, 5), (3, 6, 6))),
    *(written_otherwise(*one, (2, 3, 7, 5)) for one in RESIZED_AND_PADDED),
]
# Each compiles a graph of its second gradient: what ran once as it is written now is run again in turns.
PROVED = Proved("second_order", {one.key: f"{with_helpers(one.text)}\n{one.modes}\n{TWICE}" for one in CASES})
TODAY = frozenset(PROVED.to_run(todays_part()))


@pytest.fixture(scope="module")
def differences(request, tmp_path_factory) -> dict[Case, dict[str, float] | str]:
    """What the chosen cases answer, all in one process: loading the frameworks takes longer than most of them."""
    folder = tmp_path_factory.mktemp("twice")
    cases = {
        f"ported_{place}": item.callspec.params["case"]
        for place, item in enumerate(request.session.items)
        if item.path == request.path and "differences" in item.fixturenames
    }
    for module, case in cases.items():
        (folder / f"{module}.py").write_text(with_helpers(case.text))
    done = subprocess.run(
        [sys.executable, "-c", TWICE, str(folder)],
        input="\n".join(json.dumps([module, one.torch, one.shape]) for module, one in cases.items()),
        capture_output=True,
        text=True,
        timeout=1500,
        check=False,
    )
    answers = dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith('["ported_'))
    found = {case: answers.get(module, done.stderr[-3000:]) for module, case in cases.items()}
    if found.keys() == set(CASES):
        PROVED.keep(case.key for case, answer in found.items() if agrees(case, answer))
    return found


def agrees(case: Case, answer: dict[str, float] | str) -> bool:
    return isinstance(answer, dict) and max(answer[mode] for mode in case.modes) < 1e-5


@pytest.mark.parametrize("case", [one for one in CASES if one.key in TODAY], ids=lambda one: one.name)
def test_what_is_written_is_right_at_second_order(case, differences):
    assert agrees(case, differences[case]), differences[case]


USER_CODE = """
from mindspore import mint, nn, ops


def pooled(x):
    return ops.max_pool2d(x, 2)


def on_no_cpu(x):
    return mint.nn.functional.gelu(x)


def product(x, y):
    return ops.sigmoid(x) * y


def broken(x):
    return x.no_such_member


class Critic(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.Sigmoid(), nn.Flatten(), nn.Dense(64, 1))

    def construct(self, x):
        return self.layers(x)
"""


@pytest.mark.parametrize(
    ("entry", "shapes", "expected"),
    [
        ("pooled", [[1, 2, 4, 4]], ("MaxPoolGradWithArgmaxV2", ["graph", "pynative"], None)),
        ("on_no_cpu", [[2, 3]], ("GeluGradExt", ["forward", "graph"], None)),
        ("product", [[2, 3], [2, 3]], ("", [], False)),
        ("Critic", [[2, 3, 4, 4]], ("", [], True)),
        ("broken", [[2]], ("", ["forward", "graph"], None)),
        ("nothing", [[2]], ("", ["build"], None)),
    ],
)
def test_the_installed_mindspore_differentiates_twice(entry, shapes, expected, tmp_path):
    (tmp_path / "user_code.py").write_text(USER_CODE)
    request = {
        "file": str(tmp_path / "user_code.py"),
        "entry": entry,
        "inputs": shapes,
        "device": "CPU",
        "path": [],
    }
    answer = run_probe(Path(sys.executable), "double_gradient", request, 200)
    assert isinstance(answer, ProbeAnswer), answer
    missing, failed, is_cut = expected
    assert (answer.content["missing"], list(answer.content["error"])) == (missing, failed)
    difference = answer.content["difference"]
    assert (None if difference is None else difference > 0.1) is is_cut


@pytest.mark.parametrize(
    ("entry", "found", "failed"),
    [
        ("Critic", [[2, 3, 4, 4]], []),
        ("product", [[2, 4], [2, 4]], []),
        ("pooled", [[2, 3, 8, 8]], ["graph", "pynative"]),
        ("broken", None, ["inputs"]),
    ],
)
def test_shapes_are_tried_where_nobody_says_them(entry, found, failed, tmp_path):
    (tmp_path / "user_code.py").write_text(USER_CODE)
    request = {
        "file": str(tmp_path / "user_code.py"),
        "entry": entry,
        "inputs": None,
        "device": "CPU",
        "path": [],
    }
    answer = run_probe(Path(sys.executable), "double_gradient", request, 200)
    assert isinstance(answer, ProbeAnswer), answer
    assert (answer.content["inputs"], list(answer.content["error"])) == (found, failed)


def test_the_installed_registry_is_asked():
    names = ["Elu", "EluGrad", "StridedSliceGrad", "NoSuchOperator"]
    answer = run_probe(Path(sys.executable), "bprops", {"operators": names}, 100)
    assert isinstance(answer, ProbeAnswer), answer
    assert answer.content["has"] == dict(zip(names, (True, False, True, False), strict=True))
    assert answer.content["source"] == ["C++", "Python"] and answer.content["version"].startswith("2.")
