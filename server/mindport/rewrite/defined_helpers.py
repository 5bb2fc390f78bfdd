"""Helpers that finished texts call: their definitions go below the imports."""

from __future__ import annotations

import ast

from mindport.mapping.helper_source import helper_imports, helper_source, needed_helpers
from mindport.rewrite.imports import behind_imports
from mindport.source.syntax import parse_tree


def own_code(tree: ast.Module) -> ast.Module:
    """A module without the helpers that it defines: they are MindSpore's code already, whatever they look like."""
    return ast.Module([one for one in tree.body if not helper_source(getattr(one, "name", ""))], [])


def with_definition(text: str, helper: str) -> str:
    """`text` with the definitions of a helper and of those that it calls, and the imports that they need; but for what
    the text defines or imports. Raises one of SYNTAX_ERRORS for a text that does not parse."""
    body = parse_tree(text).body
    there = {getattr(one, "name", "") for node in body for one in (node, *getattr(node, "names", ()))}
    if helper in there:
        return text
    missing = [one for one in dict.fromkeys(needed_helpers(helper)) if one not in there]
    imported = {
        f"import {ast.unparse(alias)}"
        for node in body
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    imports = dict.fromkeys(statement for one in missing for statement in helper_imports(one))
    statements = "".join(f"{one}\n" for one in imports if one not in imported)
    newline = "\r\n" if "\r\n" in text else "\n"
    start = behind_imports(text)
    block = statements + "".join(f"\n\n{helper_source(one)}" for one in missing)
    return text[:start] + block.replace("\n", newline) + text[start:]
