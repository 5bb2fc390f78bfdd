"""What draws random numbers, as `mindport fix` writes it, draws others each time, and the same again after the same
seed: comparing shapes with torch's would not show that MindSpore's ops.randperm gives one order for ever."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.oracle

DRAWS = {
    "permutation": "torch.randperm(50)",
    "permutation_of_32_bits": "torch.randperm(50, dtype=torch.int32)",
    "uniform": "torch.rand(50)",
    "like": "torch.rand_like(torch.zeros(50))",
    "normal": "torch.randn(50)",
    "normal_like": "torch.randn_like(torch.zeros(50))",
    "of_mean": "torch.normal(0.0, 1.0, (50,))",
    "of_means": "torch.normal(torch.zeros(50), torch.ones(50))",
    "integers": "torch.randint(0, 999, (50,))",
    "integers_like": "torch.randint_like(torch.zeros(50, dtype=torch.int64), 999)",
    "bernoulli": "torch.bernoulli(torch.full((50,), 0.5))",
    "categories": "torch.multinomial(torch.ones(50), 50, replacement=True)",
    "without_replacement": "torch.multinomial(torch.ones(50), 50)",
    "categorical": "torch.distributions.Categorical(torch.ones(99) / 99).sample((50,))",
    "dropped": "F.dropout(torch.ones(50), 0.5)",
    "layer": "nn.Linear(5, 10).weight.detach()",
    "initialised": "nn.init.normal_(torch.empty(50))",
    "in_place": "torch.zeros(50).uniform_()",
    "random_integers": "torch.zeros(50).random_(0, 999)",
}
BY_GENERATOR = {
    "permutation": "torch.randperm(50, generator=g)",
    "uniform": "torch.rand(50, generator=g)",
    "normal": "torch.randn(50, generator=g)",
    "of_means": "torch.normal(torch.zeros(50), 1.0, generator=g)",
    "integers": "torch.randint(0, 999, (50,), generator=g)",
}
SEED = "torch.manual_seed(seed)"
PROGRAMS = {
    **{name: (draw, "", SEED) for name, draw in DRAWS.items()},
    **{
        f"{name}_by_generator": (draw, "g = torch.Generator()", "g.manual_seed(seed)")
        for name, draw in BY_GENERATOR.items()
    },
}
# `drawn` has what is drawn twice after the seed 3, again after the same, and after the seed 4.
PROGRAM = """import torch
import torch.nn as nn
import torch.nn.functional as F

{set_up}


def draw():
    return {draw}


drawn = []
for seed in (3, 3, 4):
    {seed}
    drawn.append([draw().float().tolist(), draw().float().tolist()])
"""
RUN_ALL = """import json, runpy, sys, traceback
for name in sys.argv[1:]:
    try:
        found = runpy.run_path(f"{name}.py")["drawn"]
    except Exception:
        found = traceback.format_exc()
    print(json.dumps([name, found]))
"""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """By the name of a program, what it draws when it is converted; what it raised, where it fails."""
    folder = tmp_path_factory.mktemp("draws")
    for name, (draw, set_up, seed) in PROGRAMS.items():
        (folder / f"{name}.py").write_text(PROGRAM.format(draw=draw, set_up=set_up, seed=seed))
    run = {"capture_output": True, "text": True, "timeout": 300, "check": True, "cwd": folder}
    fix = [sys.executable, "-m", "mindport", "fix", "--unsafe-fixes", "--device", "CPU"]
    subprocess.run([*fix, *(f"{name}.py" for name in PROGRAMS)], **run)
    for name in PROGRAMS:
        assert "import torch\n" not in (folder / f"{name}.py").read_text(), name
    done = subprocess.run([sys.executable, "-c", RUN_ALL, *PROGRAMS], **run)
    return dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith('["'))


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_draw_is_another_one(name, drawn):
    found = drawn[name]
    assert isinstance(found, list), found
    first, again, other = found
    assert first[0] != first[1]
    assert first == again
    assert first[0] != other[0]
