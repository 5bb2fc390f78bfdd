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
    "random": "torch.zeros(50).random_(0, 999)",
}
BY_GENERATOR = {
    "permutation": "torch.randperm(50, generator=g)",
    "uniform": "torch.rand(50, generator=g)",
    "normal": "torch.randn(50, generator=g)",
    "of_means": "torch.normal(torch.zeros(50), 1.0, generator=g)",
    "integers": "torch.randint(0, 999, (50,), generator=g)",
}
PROGRAM = """import json
import torch
import torch.nn as nn
import torch.nn.functional as F

{set_up}


def draw():
    return {draw}


drawn = []
for seed in (3, 3, 4):
    {seed}
    drawn.append([draw().float().tolist(), draw().float().tolist()])
print(json.dumps(drawn))
"""


def drawn(folder, draw, set_up="", seed="torch.manual_seed(seed)"):
    """What the converted program draws: twice after the seed 3, again after the same, and after the seed 4."""
    program = folder / "program.py"
    program.write_text(PROGRAM.format(draw=draw, set_up=set_up, seed=seed))
    run = {"capture_output": True, "text": True, "timeout": 300, "check": True}
    subprocess.run(
        [sys.executable, "-m", "mindport", "fix", "--unsafe-fixes", "--device", "CPU", str(program)], **run
    )
    assert "import torch\n" not in program.read_text()
    done = subprocess.run([sys.executable, str(program)], **run)
    return json.loads(done.stdout.splitlines()[-1])


def check(found):
    first, again, other = found
    assert first[0] != first[1]
    assert first == again
    assert first[0] != other[0]


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_each_draw_is_another_one(draw, tmp_path):
    check(drawn(tmp_path, draw))


@pytest.mark.parametrize("draw", BY_GENERATOR.values(), ids=BY_GENERATOR)
def test_draws_follow_a_generator(draw, tmp_path):
    check(drawn(tmp_path, draw, "g = torch.Generator()", "g.manual_seed(seed)"))
