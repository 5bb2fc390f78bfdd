"""The rules of the function bench: what may be drawn, what is made up, and what counts as what."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy
import pytest

from function_bench.made_inputs import candidates, edges
from function_bench.mindspore_runs import numbers_alone
from function_bench.population import Function, drawn
from function_bench.trees import SmallClosures, remarks_of
from function_bench.verdicts import DTYPE, EQUAL, NAMED, NO_NUMBER, RAISING, REVIEW, SILENT, judged
from mindport.probes.oracle.compare import ArrayValue, compare

pytestmark = pytest.mark.oracle

MODULE = '''
import torch
import torch.nn as nn

def double(x):
    return torch.mul(x, 2)

def same_text(x):
    return torch.mul(x, 2)

def halve(x, by=2):
    """Half."""
    return torch.div(x, by)

def no_argument(x=1):
    return torch.ones(x)

def plain(x):
    return x + 1

def some(x):
    yield torch.exp(x)

class Grid:
    def __init__(self, step):
        self.step = torch.tensor(step)

    def place(self, x):
        return torch.floor(x / self.step)

    def size(self):
        return torch.ones(3)

    @staticmethod
    def flat(x):
        return torch.flatten(x)

class Layer(nn.Module):
    def forward(self, x):
        return torch.exp(x)
'''


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Two packages; one has files that nobody draws from."""
    for name, text in {
        "one/__init__.py": "",
        "one/ops.py": MODULE,
        "one/tests/ops.py": MODULE,
        "one/broken.py": "def (",
        "one/numbers.py": "def double(x):\n    return torch.mul(x, 2)\n",
        "two/ops.py": "import torch\ndef other(x):\n    return torch.mul(x, 2)\ndef own(y):\n    return torch.exp(y)\n",
    }.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return tmp_path


def test_what_may_be_drawn_follows_the_written_rule(sources: Path):
    found = drawn(sources, ["one", "two"], 10, 0, lambda file: True)
    assert {one.place for one in found} == {
        "one/ops.py::double",
        "one/ops.py::halve",
        "one/ops.py::Grid.place",
        "one/ops.py::Grid.flat",
        "two/ops.py::own",
    }
    assert found == drawn(sources, ["one", "two"], 10, 0, lambda file: True)


def test_a_package_gives_no_more_than_it_may_and_files_can_be_passed_over(sources: Path):
    assert len(drawn(sources, ["one"], 2, 0, lambda file: True)) == 2
    assert drawn(sources, ["one"], 2, 0, lambda file: False) == []
    is_small = SmallClosures(sources, frozenset({"one", "two"}))
    assert is_small("one/ops.py")
    assert not is_small("one/broken.py")


def test_made_up_arguments_follow_annotations_names_and_defaults():
    def function(image, mask, label, dim: int, scale: float, boxes: "list[Tensor]", mode="sum", p=2):  # noqa: F821, UP037
        return mode == "mean"

    made = list(itertools.islice(candidates(function, 3), 60))
    assert {one["image"][1].dtype.kind for one in made} == {"f", "i"}
    assert {one["dim"][0] for one in made} == {"value"}
    assert all(isinstance(one["dim"][1], int) and isinstance(one["scale"][1], float) for one in made)
    assert all(kind == "tensor" for one in made for kind, _ in one["boxes"][1])
    assert {one["mask"][1].dtype.kind for one in made} >= {"b", "f"}
    assert {one["label"][1].dtype.kind for one in made} >= {"i"}
    assert not {"mode", "p"} & set(made[0])
    assert {one["mode"][1] for one in made if "mode" in one} == {"mean"}
    again = itertools.islice(candidates(function, 3), 60)
    assert [repr(one) for one in made] == [repr(one) for one in again]


def test_edges_change_what_they_are_named_after():
    made = {"x": ("tensor", numpy.array([[0.4, 1.6], [2.5, -0.2]], numpy.float32)), "n": ("value", 2)}
    found = dict(edges(made, 0))
    assert numpy.isnan(found["NaN"]["x"][1]).any()
    assert numpy.isinf(found["infinite"]["x"][1]).any()
    assert found["no row"]["x"][1].shape == (0, 2)
    assert found["float64"]["x"][1].dtype == numpy.float64
    assert (found["ties"]["x"][1] == numpy.round(made["x"][1])).all()
    assert all(one["n"] == ("value", 2) for one in found.values())
    assert dict(edges({"n": ("value", 2)}, 0)) == {}


PORT_MD = """# Port to MindSpore

## Still torch (1)

These lines were not converted.

- MP112: torch.hub.load is left

  - `one/ops.py:4` (was `one/ops.py:3`): `torch.hub.load()`

## To review (1)

- MP110: torch.x is y

  - `one/ops.py:9`: `y()`
"""


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        ({"class": "equal"}, EQUAL),
        ({"class": "dtype"}, DTYPE),
        ({"class": "no number", "ran": 20}, NO_NUMBER),
        ({"class": "different", "ran": 20}, SILENT),
        ({"class": "different", "ran": 8}, REVIEW),
        ({"class": "different", "ran": 3}, NAMED),
        ({"class": "raising", "ran": 3}, NAMED),
        ({"class": "raising", "ran": 20}, RAISING),
    ],
)
def test_a_difference_is_named_where_the_port_says_something_of_what_ran(
    tmp_path: Path, outcome: dict[str, object], verdict: str
):
    (tmp_path / "PORT.md").write_text(PORT_MD)
    first = outcome.get("ran", 20)
    ran = [("one/ops.py", first, int(str(first)) + 2)]
    one = {"message": "", "place": ("one/ops.py", 20), **outcome}
    function = Function("one", "one/ops.py", "f")
    found = judged(
        function, [{"edge": ""}], {"outcomes": [one], "ran": ran}, remarks_of(tmp_path), is_far=False
    )
    assert found.verdict == verdict


def test_nan_beside_infinity_is_no_difference_of_numbers():
    def array(*values: float) -> ArrayValue:
        return ArrayValue(numpy.array(values, numpy.float32), "float32")

    nan, inf = float("nan"), float("inf")
    pairs = [
        (array(1, nan, inf), array(1, inf, -inf), True),
        ((array(nan), {"a": array(2)}), (array(inf), {"a": array(2)}), True),
        (array(1, nan), array(1, 0), False),
        (array(1, 0), array(1, nan), False),
        (array(1, nan), array(2, inf), False),
        (array(1), array(1, nan), False),
    ]
    for one, other, is_same in pairs:
        assert (compare(*numbers_alone(one, other)).difference is None) == is_same
