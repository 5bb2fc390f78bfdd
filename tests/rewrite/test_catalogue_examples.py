"""Every example of every mapping is rewritten to its `after`, byte for byte, once and for all."""

from __future__ import annotations

import ast
from collections import defaultdict

import pytest
from catalogue_runs import all_examples, fixed, statements, target_of, whole_file

from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.schema import Example, Mapping

pytestmark = pytest.mark.thorough
# One test for a folder: a test for each example costs more in the test runner than in the rewriting.
FOLDERS = defaultdict(list)
for row in all_examples():
    FOLDERS[row[0].rpartition("/")[0]].append(row)


def test_there_are_examples():
    assert sum(map(len, FOLDERS.values())) > 4000


def wrong(mapping: Mapping, example: Example, index: MappingIndex) -> str:
    """What is wrong with the example's rewriting; nothing where it is as written."""
    target = target_of(mapping, example)
    once = fixed(whole_file(example), target, index)
    try:
        ast.parse(once)
    except SyntaxError as error:
        return f"does not parse: {error}\n{once}"
    if statements(once) != example.after.strip("\n"):
        return f"is rewritten to\n{statements(once)}\nnot to\n{example.after}"
    if "torch" not in once:  # nothing is left to be rewritten
        return ""
    twice = fixed(once, target, index)
    return "" if twice == once else f"changes when it is fixed again:\n{statements(twice)}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_examples(folder):
    index = load_index()
    problems = [
        f"{file}[{number}] {problem}"
        for file, number, mapping, example in FOLDERS[folder]
        if (problem := wrong(mapping, example, index))
    ]
    assert not problems, "\n\n".join(problems)
