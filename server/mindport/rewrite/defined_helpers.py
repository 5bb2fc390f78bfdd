"""Helpers that finished texts call: their definitions go below the imports."""

from __future__ import annotations

import ast

from mindport.mapping.helper_source import helper_imports, helper_source
from mindport.rewrite.imports import behind_imports
from mindport.source.syntax import parse_tree


def own_code(tree: ast.Module) -> ast.Module:
    """A module without the helpers that it defines: they are MindSpore's code already, whatever they look like."""
    return ast.Module([one for one in tree.body if not helper_source(getattr(one, "name", ""))], [])


def with_definition(text: str, helper: str) -> str:
    """`text` with the definition of a helper and the imports that it needs, unless it defines or imports the name.
    Raises one of SYNTAX_ERRORS for a text that does not parse."""
    body = parse_tree(text).body
    if helper in {getattr(one, "name", "") for node in body for one in (node, *getattr(node, "names", ()))}:
        return text
    imported = {
        f"import {ast.unparse(alias)}"
        for node in body
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    statements = "".join(f"{one}\n" for one in helper_imports(helper) if one not in imported)
    newline = "\r\n" if "\r\n" in text else "\n"
    start = behind_imports(text)
    block = f"{statements}\n\n{helper_source(helper)}"
    return text[:start] + block.replace("\n", newline) + text[start:]
