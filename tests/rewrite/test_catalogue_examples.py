"""Every example of every mapping is rewritten to its `after`, byte for byte, once and for all."""

from __future__ import annotations

import ast

import pytest
from catalogue_runs import all_examples, fixed, statements, target_of, whole_file

from mindport.mapping.index import load_index

EXAMPLES = [
    pytest.param(mapping, example, id=f"{file}[{number}]")
    for file, number, mapping, example in all_examples()
]


def test_there_are_examples():
    assert len(EXAMPLES) > 1000


@pytest.mark.parametrize(("mapping", "example"), EXAMPLES)
def test_example(mapping, example):
    index, target = load_index(), target_of(mapping, example)
    once = fixed(whole_file(example), target, index)
    ast.parse(once)
    assert statements(once) == example.after.strip("\n")
    assert fixed(once, target, index) == once
