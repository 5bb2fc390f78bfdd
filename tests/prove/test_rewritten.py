"""What is run on a device: the case that is judged to apply there, as the same rewriting writes it."""

from __future__ import annotations

import pytest

from mindport.mapping.index import load_index
from mindport.mapping.load import read_mapping
from mindport.model.target import Device, Target, Version
from mindport.prove.rewritten import attempt, rewritten

VERSION = Version(2, 10, 0)
CPU, ASCEND, GPU = (Target(VERSION, device) for device in (Device.CPU, Device.ASCEND, Device.GPU))
MAPPING = """\
torch: {function: torch.cumsum}
summary: one
cases:
  - {verdict: renamed, devices: [Ascend], call: mindspore.mint.cumsum, fix: safe}
  - {verdict: renamed, devices: [CPU], call: mindspore.ops.cumsum, args: {dim: axis}, fix: safe}
examples:
  - {before: "y = torch.cumsum(x, dim=d)", after: "y = ops.cumsum(x, axis=d)", inputs: {x: "rand(2)", d: "0"}, case: 1}
  - {before: "y = torch.cumsum(x, 0)", after: "y = mint.cumsum(x, 0)", inputs: {x: "rand(2)"}, compare: none, case: 0}
  - {before: "y = torch.cumsum(x, 0)", after: "y = mint.cumsum(x, 0)", compare: none, case: 0}
"""


@pytest.fixture(scope="module")
def mapping():
    found = read_mapping(MAPPING, "cumsum.yaml")
    assert not isinstance(found, tuple), found
    return found


def wanted(mapping, target):
    """Case, code and comparison of each example on the target; None for those that are not run."""
    index = load_index().of([mapping])
    found = [attempt(mapping, example, target, index) for example in mapping.examples]
    return [one and (one.case, one.example.after, one.example.compare) for one in found]


def test_on_the_cpu_the_example_is_run_as_it_is_written(mapping):
    assert wanted(mapping, CPU) == [(1, "y = ops.cumsum(x, axis=d)", "value"), None, None]


def test_another_device_has_its_own_case_and_runs_what_the_cpu_cannot(mapping):
    expected = [(0, "y = mint.cumsum(x, dim=d)", "value"), (0, "y = mint.cumsum(x, 0)", "value"), None]
    assert wanted(mapping, ASCEND) == expected


def test_a_device_without_a_case_runs_nothing(mapping):
    assert wanted(mapping, GPU) == [None, None, None]


@pytest.mark.thorough
def test_rewriting_for_the_cpu_gives_what_the_catalogue_says():
    index, same, other = load_index(), 0, []
    for file, found in list(index.mappings())[::9]:
        for example in found.examples:
            if example.compare == "none" or example.case is None:
                continue
            result = rewritten(found, example, CPU, index)
            if result is None or result[0] != example.case:
                continue
            if result[1].strip() == example.after.strip():
                same += 1
            else:
                other.append((file, example.before, result[1]))
    assert same > 150 and len(other) < same / 20, other[:5]
