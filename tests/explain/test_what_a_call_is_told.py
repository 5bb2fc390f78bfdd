"""A card tells of what differs only what may concern the call, each thing once, in a fixed order; a page tells the
cases for the target first, and names no sign of the mappings."""

from __future__ import annotations

import re

import pytest
from snippet import CPU, HEADER, Kind, read_with_runs, target_for, usage_of

from mindport.explain.card import api_card
from mindport.explain.conditions import in_words
from mindport.explain.name_page import api_page
from mindport.explain.sign_words import sign_words
from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.judge import judge
from mindport.mapping.match import KINDS_OF_USE
from mindport.model.target import Device, Mode
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts

DROPOUT = """\
torch: {module: torch.nn.Dropout}
summary: Drops.
cases:
  - verdict: differs
    call: mindspore.nn.Dropout
    args: {p: {to: p, default: '0.5'}, inplace: {drop: true}}
    fix: unsafe
    silent: The first position is keep_prob.
    why: By name it is the same.
    differences:
      - With inplace=True torch overwrites the input.
      - "`p=1` raises."
      - Without seed=3 the numbers differ.
      - A list raises in graph mode.
"""
CAT = """\
torch: {function: torch.cat}
summary: Joins.
cases:
  - {verdict: renamed, call: mindspore.ops.cat, args: {dim: axis}, fix: unsafe, why: WHY, differences: [One dtype.]}
"""


def card(text: str, source: str, target=CPU) -> str:
    usage = usage_of(f"{HEADER}{source}\n", {"x": Kind.TENSOR, "n": Kind.INT})
    index = MappingIndex.of([read_with_runs(text, "x.yaml")])
    use = usage.uses[0]
    return api_card(judge(use, target, index, torch_facts(), mindspore_facts(target.version)), use, target)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("nn.Dropout()", set()),
        ("nn.Dropout(0.1)", set()),
        ("nn.Dropout(0.1, False)", set()),
        ("nn.Dropout(0.1, inplace=False)", set()),
        ("nn.Dropout(0.1, True)", {"inplace=True"}),
        ("nn.Dropout(0.1, inplace=True)", {"inplace=True"}),
        ("nn.Dropout(0.1, n)", {"inplace=True"}),  # nobody knows
        ("nn.Dropout(1)", {"p=1"}),
        ("nn.Dropout(n)", {"p=1"}),
        ("nn.Dropout(**x)", {"inplace=True", "p=1"}),
    ],
)
def test_what_holds_for_one_value_is_told_where_it_may_be_passed(source: str, told: set[str]) -> None:
    found = card(DROPOUT, source)
    assert {one for one in ("inplace=True", "p=1") if f"{one}" in found.replace("(p=", "(")} == told
    assert "Without seed=3" in found


@pytest.mark.parametrize(("mode", "is_told"), [(Mode.PYNATIVE, False), (Mode.GRAPH, True)])
def test_what_holds_for_graphs_is_told_for_graphs(mode: Mode, is_told: bool) -> None:
    assert ("A list raises in graph mode." in card(DROPOUT, "nn.Dropout()", target_for(mode=mode))) is is_told


@pytest.mark.parametrize(
    ("why", "is_told"),
    [
        ("The keyword `dim` is called `axis`.", False),
        ("Its `dim` is the same.", True),
        ("The `axis` comes first.", True),
        ("The same but for `dimension` and `axis`.", True),
    ],
)
def test_what_the_explanation_says_is_not_computed_again(why: str, is_told: bool) -> None:
    found = card(CAT.replace("WHY", f"'{why}'"), "torch.cat([x], dim=1)")
    assert ("`dim` is called `axis`." in found.replace(why, "")) is is_told


def test_a_card_says_what_to_write_then_what_differs_then_why_then_what_was_run_then_where() -> None:
    found = card(DROPOUT, "nn.Dropout(0.1, True)")
    parts = ("mindspore.nn.Dropout(p=0.1)", "**Silently", "- With inplace", "By name", "Evidence:", "Target:")
    places = [found.index(part) for part in parts]
    assert places == sorted(places)
    assert found.count("MindSpore 2.10.0") == 1


def test_a_page_tells_the_cases_of_other_devices_last() -> None:
    on_cpu = api_page("torch.nn.Conv2d", CPU)
    on_ascend = api_page("torch.nn.Conv2d", target_for(device=Device.ASCEND))
    assert on_cpu is not None and on_ascend is not None
    heads = [re.findall("^## (.*)$", page, re.MULTILINE) for page in (on_cpu, on_ascend)]
    assert "Always (Ascend)" in heads[0][2:]
    assert heads[1][0] == "Always (Ascend)"
    assert sorted(heads[0][1:]) != heads[0]


def test_every_condition_of_the_mappings_is_said_in_words() -> None:
    for name in KINDS_OF_USE:
        assert sign_words(name, holds=True), name
        assert sign_words(name, holds=False), name
    assert sign_words("dim", holds=True) is None
    index = load_index()
    for name in index.names():
        mapping = index.find(name)
        assert mapping is not None
        for case in mapping.cases:
            assert "$" not in in_words(case).replace("'$'", ""), name
