"""Stars hide what is passed: only a function with torch's own parameters can take it all unseen."""

from __future__ import annotations

import pytest
from snippet import HEADER, rewritten

from mindport.mapping.index import MappingIndex
from mindport.mapping.load import read_mapping

TAKES_THE_SAME = """
torch: {method: torch.nn.Module.add_module}
summary: Adds a child under a name.
cases: [{verdict: composed, rewrite: "torch_add_module($input, $name, $module)", fix: unsafe}]
"""
REORDERED = TAKES_THE_SAME.replace("$name, $module", "$module, $name")
CONVERTED = TAKES_THE_SAME.replace("fix: unsafe", "args: {name: {convert: upper}}, fix: unsafe")
ANOTHER_FUNCTION = TAKES_THE_SAME.replace("torch_add_module", "torch_filled")
LESS = TAKES_THE_SAME.replace(", $module", "")
WITH_CONDITION = TAKES_THE_SAME.replace("verdict", "when: {name: {literal: true}}, verdict")


@pytest.mark.parametrize(
    ("mapping", "call", "expected"),
    [
        (TAKES_THE_SAME, "net.add_module(*stage)", "torch_add_module(net, *stage)"),
        (TAKES_THE_SAME, "net.add_module('a', *rest)", "torch_add_module(net, 'a', *rest)"),
        (TAKES_THE_SAME, "net.add_module(module=m, **rest)", "torch_add_module(net, module=m, **rest)"),
        (TAKES_THE_SAME, "net.add_module( *a or b )", "torch_add_module(net, *a or b)"),
        (TAKES_THE_SAME, "(a or b).add_module(*stage)", "torch_add_module(a or b, *stage)"),
        (REORDERED, "net.add_module(*stage)", None),
        (CONVERTED, "net.add_module(*stage)", None),
        (ANOTHER_FUNCTION, "net.add_module(*stage)", None),
        (LESS, "net.add_module(*stage)", None),
        (WITH_CONDITION, "net.add_module(*stage)", None),
    ],
)
def test_a_function_with_torch_s_parameters_takes_them_unseen(mapping, call, expected):
    text = f"{HEADER}{call}\n"
    found = rewritten(text, MappingIndex.of([read_mapping(mapping, "x.yaml")]))
    assert found.splitlines()[-1] == (expected or call)


BY_PLACE = """
torch: {function: torch.eye}
summary: A matrix with ones on the diagonal.
cases: [{verdict: renamed, call: mindspore.ops.eye, args: {device: {drop: true}, out: {drop: true}}, fix: unsafe}]
"""
OF_OTHER_ORDER = """
torch: {function: torch.full}
summary: A tensor of one value.
cases: [{verdict: renamed, call: mindspore.ops.full, args: {fill_value: fill_values}, fix: unsafe}]
"""
OF_METHODS = """
torch: {method: torch.Tensor.narrow}
summary: A part along an axis.
cases: [{verdict: renamed, call: mindspore.Tensor.narrow, fix: unsafe}]
"""


@pytest.mark.parametrize(
    ("mapping", "call", "expected"),
    [
        (BY_PLACE, "torch.eye(*m.shape)", "ops.eye(*m.shape)"),
        (BY_PLACE, "torch.eye(3, *sizes)", "ops.eye(3, *sizes)"),
        (BY_PLACE, "torch.eye(*m.shape, device='层🚀')", "ops.eye(*m.shape)"),
        (BY_PLACE, "torch.eye(*m.shape, dtype=d)", "ops.eye(*m.shape, dtype=d)"),
        (OF_OTHER_ORDER, "torch.full(*what)", None),
        (OF_METHODS, "x.narrow(*part)", "x.narrow(*part)"),
    ],
)
def test_what_stands_behind_one_star_reaches_the_same_places(mapping, call, expected):
    text = f"{HEADER}{call}\n"
    found = rewritten(text, MappingIndex.of([read_mapping(mapping, "x.yaml")]))
    assert found.splitlines()[-1] == (expected or call)


COLLECTS = """
torch: {method: torch.Tensor.new_zeros}
summary: A tensor of zeros with the dtype of this one.
cases: [{verdict: renamed, rewrite: "$input.new_zeros($size)", args: {device: {drop: true}}, fix: unsafe}]
"""
SPREADS = COLLECTS.replace("$size", "$*size")
WITH_TYPE = COLLECTS.replace("$size", "$size, dtype=$dtype")
OF_TENSORS = """
torch: {function: torch.meshgrid}
summary: Coordinate grids from vectors.
cases: [{verdict: renamed, rewrite: "ops.meshgrid(*$tensors, indexing=$indexing)", fix: unsafe}]
"""


@pytest.mark.parametrize(
    ("mapping", "call", "expected"),
    [
        (COLLECTS, "x.new_zeros(*size)", "x.new_zeros(torch_size(*size))"),
        (COLLECTS, "x.new_zeros(2, *size, device=d)", "x.new_zeros(torch_size(2, *size))"),
        (COLLECTS, "x.new_zeros(*size or (2,))", "x.new_zeros(torch_size(*size or (2,)))"),
        (COLLECTS, "x.new_zeros(*size, dtype=d)", None),
        (COLLECTS, "x.new_zeros(*size, **options)", None),
        (COLLECTS, "x.new_zeros(**options)", None),
        (SPREADS, "x.new_zeros(*size)", "x.new_zeros(*size)"),
        (SPREADS, "x.new_zeros(*a, 2, *b, device=d)", "x.new_zeros(*a, 2, *b)"),
        (WITH_TYPE, "x.new_zeros(*size, dtype=d)", "x.new_zeros(torch_size(*size), dtype=d)"),
        (WITH_TYPE, "x.new_zeros(*size)", None),
        (OF_TENSORS, 'torch.meshgrid(*grids, indexing="ij")', None),
    ],
)
def test_what_torch_collects_may_come_behind_stars(mapping, call, expected):
    text = f"{HEADER}{call}\n"
    found = rewritten(text, MappingIndex.of([read_mapping(mapping, "x.yaml")]))
    assert found.splitlines()[-1] == (expected or call)


IN_PLACE = """
torch: {method: torch.Tensor.clamp_}
summary: Limits the tensor itself.
cases:
  - {when: {max: {passed: false}}, verdict: composed, rewrite: "limited($input, min=$min)", fix: unsafe}
  - {verdict: composed, rewrite: "limited($input, $min, $max)", fix: unsafe}
  - {when: {$call: false}, verdict: composed, rewrite: "torch_clamp_($input, $min, $max)", fix: unsafe}
"""


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("y = x.squeeze().clamp_(*bounds)", "y = torch_clamp_(x.squeeze(), *bounds)"),
        ("x.clamp_(*bounds)", "torch_clamp_(x, *bounds)"),
        ("y = x.clamp_(**options) + 1", "y = torch_clamp_(x, **options) + 1"),
        ("y = x.clamp_(0, 1)", "y = limited(x, 0, 1)"),
        ("x[0].clamp_(*bounds)", None),
        ("f = x.clamp_", None),
    ],
)
def test_what_changes_a_tensor_takes_hidden_arguments(call, expected):
    found = rewritten(f"{HEADER}{call}\n", MappingIndex.of([read_mapping(IN_PLACE, "x.yaml")]))
    assert found.splitlines()[-1] == (expected or call)


ONLY_BY_NAME = """
torch: {method: torch.Tensor.uniform_}
summary: Fills the tensor with random numbers.
cases: [{verdict: composed, rewrite: "torch_uniform_($input, $from_, $to)", fix: unsafe}]
"""


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("x.uniform_(*limits)", "torch_uniform_(x, *limits)"),
        ("x.uniform_(-1, *limits)", "torch_uniform_(x, -1, *limits)"),
        ("x.uniform_(*limits, generator=g)", None),
        ("x.uniform_(**options)", None),
        ("x.uniform_(*limits, **options)", None),
    ],
)
def test_one_star_reaches_nothing_that_goes_by_name(call, expected):
    found = rewritten(f"{HEADER}{call}\n", MappingIndex.of([read_mapping(ONLY_BY_NAME, "x.yaml")]))
    assert found.splitlines()[-1] == (expected or call)


AS_STATEMENT = """
torch: {method: torch.Tensor.uniform_}
summary: Fills the tensor with random numbers.
cases:
  - {when: {generator: {passed: true}}, verdict: differs, why: Not here.}
  - {when: {$result: discarded}, verdict: composed, rewrite: "$input[()] = filled($from_, $to)", fix: unsafe}
  - {verdict: composed, rewrite: "filled($input, $from_, $to)", fix: unsafe}
  - {when: {$call: false}, verdict: composed, rewrite: "torch_uniform_($input, $from_, $to)", fix: unsafe}
"""


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("x.uniform_(*limits)", "torch_uniform_(x, *limits)"),
        ("y = x.uniform_(*limits)", "y = torch_uniform_(x, *limits)"),
        ("x.uniform_(0, 2)", "x[()] = filled(0, 2)"),
        ("x.uniform_(*limits, generator=g)", None),
        ("x.uniform_(**options)", None),
    ],
)
def test_a_chosen_statement_that_cannot_be_written_leaves_it_to_the_function(call, expected):
    found = rewritten(f"{HEADER}{call}\n", MappingIndex.of([read_mapping(AS_STATEMENT, "x.yaml")]))
    assert found.splitlines()[-1] == (expected or call)
