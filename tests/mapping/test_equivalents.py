"""Other ways to write a call for the sake of its second order: what can be told without running them. The oracle
tests run each."""

from __future__ import annotations

import ast

import pytest

from mindport.mapping.equivalents import ALL_ARGUMENTS, HOLE, Equivalent, equivalents, equivalents_of
from mindport.mapping.helper_source import with_helpers
from mindport.registry.mindspore import mindspore_facts


@pytest.mark.parametrize("equivalent", equivalents(), ids=lambda one: one.api)
def test_equivalents_speak_of_parameters_that_there_are(equivalent: Equivalent) -> None:
    signatures = mindspore_facts().signatures(equivalent.api)
    assert signatures
    names = {parameter.name for parameter in signatures[0].parameters}
    assert set(HOLE.findall(equivalent.rewrite)) | equivalent.when.keys() <= names
    ast.parse(with_helpers(HOLE.sub("hole", equivalent.rewrite.replace(ALL_ARGUMENTS, "()"))))


@pytest.mark.parametrize(
    ("api", "arguments", "in_graph", "rewrites"),
    [
        (
            "mindspore.ops.adaptive_avg_pool2d",
            {"output_size": "(1, 1)"},
            False,
            ["$input.mean((-2, -1), keep_dims=True)", "adaptive_avg_pool2d_by_weights($input, $output_size)"],
        ),
        (
            "mindspore.ops.adaptive_avg_pool2d",
            {"output_size": "2"},
            False,
            ["adaptive_avg_pool2d_by_weights($input, $output_size)"],
        ),
        (
            "mindspore.ops.adaptive_avg_pool2d",
            None,
            False,
            ["adaptive_avg_pool2d_by_weights($input, $output_size)"],
        ),
        ("mindspore.nn.ELU", {"alpha": "1.0"}, False, ["ELUByExp($*)"]),
        ("mindspore.nn.ELU", {"alpha": "0.5"}, False, []),
        ("mindspore.nn.ELU", {}, False, []),
        ("mindspore.nn.ELU", None, True, []),
        ("mindspore.nn.GroupNorm", {}, True, ["GroupNormByMoments($*)"]),
        ("mindspore.nn.GroupNorm", {}, False, []),
        ("mindspore.ops.no_such_name", {}, True, []),
    ],
)
def test_an_equivalent_needs_its_arguments(
    api: str, arguments: dict[str, str] | None, in_graph: bool, rewrites: list[str]
) -> None:
    assert [one.rewrite for one in equivalents_of(api, arguments, in_graph=in_graph)] == rewrites
