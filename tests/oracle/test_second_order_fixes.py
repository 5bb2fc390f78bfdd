"""The fixes for second-order gradients, each run: against torch, before and after."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


TWICE = """
import json, sys
import numpy, torch
import torch.nn.functional as F
from torch import nn
import mindspore
sys.path.insert(0, sys.argv[1])
import ported
values = numpy.random.default_rng(0)
start = values.normal(size={shape})
torch.set_default_dtype(torch.float64)
x = torch.tensor(start, requires_grad=True)
x2 = x
x = x + 0.1 * x * x
y = {torch}
r = values.normal(size=tuple(y.shape))
g, = torch.autograd.grad((torch.tensor(r) * (y + 0.1 * y * y)).sum(), x2, create_graph=True)
wanted, = torch.autograd.grad((g * g).sum(), x2)
ported.r = mindspore.Tensor(r.astype("float32"))
answer = {{}}
for mode, inner in (("pynative", mindspore.grad(ported.f)), ("graph", mindspore.jit(mindspore.grad(ported.f)))):
    def penalty(x):
        return (inner(x) ** 2).sum()
    got = mindspore.grad(penalty)(mindspore.Tensor(start.astype("float32"))).asnumpy()
    answer[mode] = float(abs(got - wanted.numpy()).max() / abs(wanted.numpy()).max())
print(json.dumps(answer))
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


@pytest.mark.parametrize("equivalent", equivalents(), ids=lambda one: one.api)
def test_an_equivalent_is_right_at_second_order(equivalent: Equivalent, tmp_path):
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
    is_layer = equivalent.api.rpartition(".")[2][0].isupper()
    layer, expression = (f"layer = {text}", "layer(x)") if is_layer else ("", text)
    (tmp_path / "ported.py").write_text(with_helpers(PORTED.format(layer=layer, expression=expression)))
    difference = run(TWICE.format(shape=equivalent.input, torch=equivalent.torch), str(tmp_path))
    if equivalent.in_graph:
        del difference["pynative"]
    assert max(difference.values()) < 1e-5, difference
    assert not re.search(r"\$", text)


@pytest.mark.parametrize(
    ("ported", "in_torch"),
    [
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
    ],
)
@pytest.mark.parametrize("shape", [(2, 3, 7, 5), (3, 6, 6)], ids=str)
def test_pooling_written_otherwise(ported: str, in_torch: str, shape: tuple[int, ...], tmp_path):
    (tmp_path / "ported.py").write_text(with_helpers(PORTED.format(layer="", expression=ported)))
    difference = run(TWICE.format(shape=shape, torch=in_torch), str(tmp_path))
    assert max(difference.values()) < 1e-5, difference


@pytest.mark.parametrize(
    ("ported", "in_torch"),
    [
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
    ],
)
def test_pictures_resized_and_padded_otherwise(ported: str, in_torch: str, tmp_path):
    (tmp_path / "ported.py").write_text(with_helpers(PORTED.format(layer="", expression=ported)))
    difference = run(TWICE.format(shape=(2, 3, 7, 5), torch=in_torch), str(tmp_path))
    assert max(difference.values()) < 1e-5, difference


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
