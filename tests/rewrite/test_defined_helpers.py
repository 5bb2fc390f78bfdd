"""Definitions of helpers go into a text together with those that they call."""

from __future__ import annotations

import ast

import pytest

from mindport.mapping.helper_source import needed_helpers
from mindport.registry.location import mappings_folder
from mindport.rewrite.defined_helpers import with_definition

HELPERS = sorted(path.stem for path in (mappings_folder() / "_helpers").glob("*.py"))


def defined(text: str) -> list[str]:
    return [node.name for node in ast.parse(text).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]


@pytest.mark.parametrize("helper", HELPERS)
def test_what_a_helper_calls_is_defined_above_it(helper):
    text = with_definition("import torch\n\nx = 1\n", helper)
    assert defined(text) == list(dict.fromkeys(needed_helpers(helper)))
    assert text.endswith("\nx = 1\n")
    assert with_definition(text, helper) == text


@pytest.mark.parametrize(
    "statement",
    ["from .layers import torch_complex_parts", "def torch_complex_parts(value):\n    return value"],
)
def test_what_the_text_has_stays(statement):
    text = with_definition(f"import mindspore\n{statement}\n", "torch_complex_product")
    assert text.count("torch_complex_parts\n") + text.count("def torch_complex_parts") == 1
    assert text.count("import mindspore\n") == 1
    assert "def torch_complex_product" in text
