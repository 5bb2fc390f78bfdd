"""What mindport says of second-order gradients against what was measured."""

from __future__ import annotations

import pytest

from mindport.mapping.second_order import LinkOutcome, second_order_of
from mindport.model.target import Mode, Target
from mindport.registry.bprops import Measurement, Result, SecondOrderFacts, second_order_facts

FAILED = (Result.WRONG, Result.RAISES)
# Raises that no registration tells of; each is known to the measured data.
NOT_FROM_THE_REGISTRY = (
    "on CPU",  # a kernel that this device lacks
    "can not be greater than",  # a kernel that takes fewer dimensions
    "memcpy failed",  # a kernel that fails
    "encounter a problem",  # a defect inside a bprop
    "TypeError",  # what the compiler thinks of a function's parameters
    "ShapeCalc's bprop",  # shapes that only the values tell: masks, unique
)


def rows(facts: SecondOrderFacts) -> list[Measurement]:
    apis = sorted(facts.measured_apis())
    return [row for api in apis for row in facts.measured(api) if row.result is not Result.NOT_RUN]


def test_there_is_enough_to_speak_of() -> None:
    facts = second_order_facts()
    assert facts.measured_version == facts.collected_version
    measured = {(row.apis, row.code) for row in rows(facts)}
    assert len(measured) >= 400
    for start in ("mindspore.ops.", "mindspore.nn.", "mindspore.mint.", "mindspore.Tensor."):
        assert sum(apis[0].startswith(start) for apis, _ in measured) >= 30, start
    assert sum(apis == ("mindspore.Tensor.__getitem__",) for apis, _ in measured) >= 15


@pytest.mark.thorough
def test_nothing_measured_wrong_or_raising_is_called_fine() -> None:
    facts = second_order_facts()
    assert facts.measured_version is not None
    failed = [row for row in rows(facts) if row.result in FAILED]
    assert len(failed) > 100
    for row in failed:
        target = Target(facts.measured_version, row.device, row.mode)
        for arguments in (row.arguments, None):
            wide = row.of_all_inputs
            answer = second_order_of(row.apis[0], target, row.mode, facts, arguments, wide)
            assert answer.outcome is not LinkOutcome.FINE, (row.code, row.mode, arguments)


def test_the_registry_alone_predicts_graph_mode() -> None:
    """A link without a bprop raises, and nearly everything that raises has one."""
    facts = second_order_facts()
    in_graph = [row for row in rows(facts) if row.mode is Mode.GRAPH and not row.of_all_inputs]
    missed, false_alarms, found = [], [], 0
    for row in in_graph:
        chains = [c for c in facts.chain(row.apis[0]) if c.arguments == row.arguments]
        if not chains:
            continue  # nothing ran here that could be traced
        said = any(chain.missing for chain in chains)
        raised = row.result is Result.RAISES
        found += said and raised
        if raised and not said and not any(word in row.text for word in NOT_FROM_THE_REGISTRY):
            missed.append((row.code, row.text))
        if said and not raised:
            false_alarms.append(row.code)
    assert found >= 20
    assert len(missed) <= 1, missed
    assert len(false_alarms) <= 0.02 * len(in_graph), false_alarms
