"""A definition whose functions import for themselves what a file calls otherwise is still that helper."""

from __future__ import annotations

import ast
import symtable

import pytest

from mindport.mapping.helper_definition import helper_with_imports, imports_inside, root_of
from mindport.mapping.helper_source import helper_imports, helper_source
from mindport.registry.location import mappings_folder
from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.helper_module import unchanged_helpers

HELPERS = sorted(path.stem for path in (mappings_folder() / "_helpers").glob("*.py"))
OTHERS = [
    (name, root)
    for name in HELPERS
    for root in dict.fromkeys(map(root_of, helper_imports(name)))
    if root != "mindspore"
]


@pytest.mark.parametrize(("name", "root"), OTHERS)
def test_functions_import_what_they_use(name: str, root: str) -> None:
    definition = helper_with_imports(name, frozenset((root,)))
    if definition is None:  # a base class, a decorator or a default has it
        assert root in names_outside_of_functions(helper_source(name))
        return
    assert imports_inside(name, ast.parse(definition).body[0]) == {root}
    assert unchanged_helpers(f"import mindspore\n\n\n{definition}") == {name}
    assert unchanged_helpers(f"import mindspore\n\n\n{definition.replace('import', 'import  ', 1)}") == set()
    assert root not in read_from_module(definition)


def read_from_module(text: str) -> set[str]:
    tables = [symtable.symtable(text, "", "exec")]
    for table in tables:
        tables += table.get_children()
    return {one.get_name() for table in tables for one in table.get_symbols() if one.is_global()}


def names_outside_of_functions(text: str) -> set[str]:
    tree = ast.parse(text)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    inside = {
        one
        for node in ast.walk(tree)
        if isinstance(node, kinds)
        for part in node.body
        for one in ast.walk(part)
    }
    return {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and one not in inside}


@pytest.mark.parametrize(
    ("heading", "is_above"),
    [
        ("import copy", True),
        ("from os import path", True),
        ("def f(copy):\n    copy = 1", True),
        ("from copy import copy, deepcopy", False),
        ("copy = 3", False),
        ("for copy in 'ab':\n    pass", False),
        ("def copy(x):\n    return x  # 复制 🙂", False),
        ("def f():\n    global copy\n    copy = 1", False),
        ("import shutil as copy", False),
    ],
)
def test_a_text_keeps_what_it_means_by_a_name(heading: str, is_above: bool) -> None:
    text = with_definition(f"{heading}\n", "torch_deepcopy")
    assert text.count("import copy\n") == 1
    assert ("\n    import copy\n" in text) is not is_above
    assert unchanged_helpers(text) == {"torch_deepcopy"}
    assert with_definition(text, "torch_deepcopy") == text
