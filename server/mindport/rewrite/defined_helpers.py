"""Helpers that finished texts call: their definitions go below the imports."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.mapping.helper_definition import helper_with_imports, root_of
from mindport.mapping.helper_source import helper_imports, helper_source, needed_helpers
from mindport.rewrite.imports import behind_imports
from mindport.rewrite.module_names import names_of_others
from mindport.source.syntax import parse_tree


def own_code(tree: ast.Module) -> ast.Module:
    """A module without the helpers that it defines: they are MindSpore's code already, whatever they look like."""
    return ast.Module([one for one in tree.body if not helper_source(getattr(one, "name", ""))], [])


def with_definition(text: str, helper: str) -> str:
    """`text` with the definitions of a helper and of those that it calls, and the imports that they need; but for what
    the text defines or imports. Modules whose names mean something else there are imported by the helpers' functions,
    where that can be. Raises one of SYNTAX_ERRORS for a text that does not parse."""
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
    imports, definitions = definitions_in(text, missing)
    newline = "\r\n" if "\r\n" in text else "\n"
    start = behind_imports(text)
    block = "".join(f"{one}\n" for one in imports if one not in imported)
    block += "".join(f"\n\n{one}" for one in definitions)
    return text[:start] + block.replace("\n", newline) + text[start:]


def definitions_in(text: str, helpers: Iterable[str]) -> tuple[list[str], list[str]]:
    """The imports that helpers need above them in a text, and their definitions. Modules whose names mean something
    else there are imported by their functions, where that can be."""
    taken = names_of_others(text)
    own = {one: frozenset(map(root_of, helper_imports(one))) & taken for one in helpers}
    own = {one: roots if helper_with_imports(one, roots) else frozenset[str]() for one, roots in own.items()}
    imports = dict.fromkeys(
        statement
        for one, roots in own.items()
        for statement in helper_imports(one)
        if root_of(statement) not in roots
    )
    return list(imports), [helper_with_imports(one, roots) or "" for one, roots in own.items()]
