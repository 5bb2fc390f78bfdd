"""What is measured of one word or number says nothing of another that is computed in another way."""

from __future__ import annotations

import pytest

from mindport.mapping.second_order import LinkOutcome, second_order_of
from mindport.mapping.second_order_arguments import UNREAD, defaults_of
from mindport.model.target import Device, Mode, Target
from mindport.registry.bprops import second_order_facts
from mindport.registry.mindspore import mindspore_facts

FINE, MISSING, WRONG = LinkOutcome.FINE, LinkOutcome.MISSING, LinkOutcome.WRONG
REFUSED, UNKNOWN = LinkOutcome.REFUSED, LinkOutcome.UNKNOWN
PAD, NORM = "mindspore.ops.pad", "mindspore.ops.norm"


@pytest.mark.parametrize(
    ("api", "arguments", "pynative", "graph"),
    [
        (PAD, {"padding": "(2, 2, 1, 1)"}, FINE, WRONG),
        (PAD, {"padding": "(1, 1, 1, 1)", "mode": "'constant'"}, FINE, WRONG),
        (PAD, {"padding": "(1, 1, 1, 1)", "mode": "'reflect'"}, MISSING, MISSING),
        (PAD, {"padding": "(1, 1)", "mode": "'replicate'"}, MISSING, MISSING),
        (PAD, {"padding": "(2, 2)", "mode": "'circular'"}, MISSING, MISSING),
        (PAD, {"mode": UNREAD}, MISSING, WRONG),
        (NORM, {"ord": "2", "dim": "1"}, FINE, FINE),
        (NORM, {"ord": "1", "dim": "1"}, WRONG, FINE),
        (NORM, {"ord": "1", "dim": "1", "keepdim": "True"}, FINE, FINE),
        (NORM, {"ord": "1"}, WRONG, REFUSED),
        ("mindspore.Tensor.max", {}, FINE, REFUSED),
        ("mindspore.Tensor.min", {}, FINE, REFUSED),
        ("mindspore.ops.max", {}, FINE, REFUSED),
        ("mindspore.ops.relu", {}, FINE, FINE),
        ("mindspore.ops.relu", {"word": "'never measured'"}, UNKNOWN, UNKNOWN),
    ],
)
def test_second_order_of_arguments(
    api: str, arguments: dict[str, str], pynative: LinkOutcome, graph: LinkOutcome
) -> None:
    facts = second_order_facts()
    defaults = defaults_of(api, mindspore_facts())
    found = [
        second_order_of(
            api, Target(facts.collected_version, Device.CPU, mode), mode, facts, arguments, defaults=defaults
        ).outcome
        for mode in (Mode.PYNATIVE, Mode.GRAPH)
    ]
    assert found == [pynative, graph]
