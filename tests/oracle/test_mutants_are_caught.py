"""The runs behind the catalogue's claims tell its mutants from it: a few that are named, and each day another part of
all."""

import datetime
import subprocess
import sys
from pathlib import Path

import pytest

from mindport.mapping.index import load_index
from mindport.prove.proof import target_of
from mindport.prove.workers import Line, Worker
from mutation.population import population
from mutation.trial import ATTACKED, CAUGHT, REFUSED, UNKNOWN, UNWRITTEN, Trial

pytestmark = pytest.mark.oracle

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "mutate_catalogue.py"
TARGET = target_of("2.10.0", "CPU")
FILES = (
    "torch/cumprod.yaml",
    "torch/nn/LeakyReLU.yaml",
    "torch/nn/init/uniform_.yaml",
    "torch/std.yaml",
)
# The place, what changes, and what becomes of it.
NAMED = [
    ("torch/nn/LeakyReLU.yaml", "args.negative_slope.default: 0.01 dropped", (CAUGHT,)),
    ("torch/std.yaml", "add.ddof", (CAUGHT,)),
    ("torch/std.yaml", "when.dim", (CAUGHT, REFUSED)),
    ("_helpers/torch_std.py", "ddof= dropped", (CAUGHT,)),
    ("torch/nn/init/uniform_.yaml", "when.generator", (UNKNOWN, UNWRITTEN, REFUSED)),
]


@pytest.fixture(scope="module")
def judged():
    """Judges the first mutant of a place with a change."""
    index = load_index()
    mappings = {file: mapping for file, mapping in index.mappings() if file in FILES}
    mutants = population(mappings, TARGET)
    trial = Trial(mappings, index, TARGET, Path(sys.executable), 60)
    line = Line(lambda: Worker(Path(sys.executable)), 60, is_repeated=False)

    def judge(place, change):
        return trial.judge(next(one for one in mutants if place in one.place and change in one.change), line)

    yield judge
    line.stop()


@pytest.mark.parametrize(("place", "change", "fates"), NAMED)
def test_a_named_mutant(judged, place, change, fates):
    found = judged(place, change)
    assert found.fate in fates, found


def test_what_the_author_did_not_choose_tells_where_his_samples_do_not(judged):
    assert judged("_helpers/torch_cumprod.py", "dtype = mindspore.int64").fate == ATTACKED


def test_most_of_todays_part_is_caught():
    """Some are no other catalogue, which no run can tell: docs/proof.md has the share. The floor leaves room for the
    draw."""
    seed = datetime.date.today().toordinal()
    command = [sys.executable, str(SCRIPT), "--sample", "20", "--seed", str(seed), "--floor", "0.6"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
