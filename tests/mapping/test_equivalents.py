"""Other ways to write a call for the sake of its second order: what can be told without running them. The oracle
tests run each."""

from __future__ import annotations

import ast

import pytest

from mindport.mapping.equivalents import HOLE, Equivalent, equivalent_of, equivalents
from mindport.mapping.helper_source import with_helpers
from mindport.registry.mindspore import mindspore_facts


@pytest.mark.parametrize("equivalent", equivalents(), ids=lambda one: one.api)
def test_equivalents_speak_of_parameters_that_there_are(equivalent: Equivalent) -> None:
    signatures = mindspore_facts().signatures(equivalent.api)
    assert signatures
    names = {parameter.name for parameter in signatures[0].parameters}
    assert set(HOLE.findall(equivalent.rewrite)) | equivalent.when.keys() <= names
    ast.parse(with_helpers(HOLE.sub("hole", equivalent.rewrite)))


@pytest.mark.parametrize(
    ("api", "arguments", "is_there"),
    [
        ("mindspore.ops.adaptive_avg_pool2d", {"output_size": "1"}, True),
        ("mindspore.ops.adaptive_avg_pool2d", {"output_size": "(1, 1)"}, True),
        ("mindspore.ops.adaptive_avg_pool2d", {"output_size": "2"}, False),
        ("mindspore.ops.adaptive_avg_pool2d", {}, False),
        ("mindspore.ops.adaptive_avg_pool2d", None, False),
        ("mindspore.ops.no_such_name", {}, False),
    ],
)
def test_an_equivalent_needs_its_arguments(
    api: str, arguments: dict[str, str] | None, is_there: bool
) -> None:
    assert (equivalent_of(api, arguments) is not None) is is_there
