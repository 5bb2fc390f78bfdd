"""Every example of every mapping is rewritten to its `after`, byte for byte, once and for all."""

from __future__ import annotations

import ast

import pytest
from catalogue_runs import all_examples, replaced, with_header, without_imports

from mindport.mapping.index import load_index

EXAMPLES = [
    pytest.param(mapping, example, id=f"{file}[{number}]")
    for file, number, mapping, example in all_examples()
]


def test_there_are_examples():
    assert len(EXAMPLES) > 1000


@pytest.mark.parametrize(("mapping", "example"), EXAMPLES)
def test_example(mapping, example):
    index = load_index()
    once = replaced(with_header(example.before), mapping, example, index)
    ast.parse(once)
    assert without_imports(once) == example.after.strip("\n")
    assert replaced(once, mapping, example, index) == once
