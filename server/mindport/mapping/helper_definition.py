"""The definition of a helper for a file that means something else by the name of a module that the helper imports
(`from copy import copy`): its functions import that module for themselves."""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterator

from mindport.mapping.helper_source import helper_imports, helper_source
from mindport.source.trees import every_node


def root_of(statement: str) -> str:
    """The name that a statement of a helper binds: `import collections.abc` binds `collections`."""
    return statement.removeprefix("import ").partition(".")[0]


@functools.cache
def helper_with_imports(name: str, roots: frozenset[str]) -> str | None:
    """The definition of a helper in which each function that uses a module of these names imports it; None where one is
    used outside of functions, in a base class or a default."""
    source = helper_source(name)
    statements = [one for one in helper_imports(name) if root_of(one) in roots]
    if not statements:
        return source
    lines = source.splitlines(keepends=True)
    node = ast.parse(source).body[0]
    functions = [node] if isinstance(node, ast.FunctionDef) else list(_methods(node))
    inside = {one for function in functions for statement in function.body for one in every_node(statement)}
    if any(isinstance(one, ast.Name) and one.id in roots for one in every_node(node) if one not in inside):
        return None
    for function in reversed(functions):
        used = {one.id for part in function.body for one in every_node(part) if isinstance(one, ast.Name)}
        own = [statement for statement in statements if root_of(statement) in used]
        if own:
            _import_in(function, own, lines)
    return "".join(lines)


def imports_inside(name: str, node: ast.stmt) -> frozenset[str]:
    """The modules that the functions of a definition of a helper import for themselves."""
    statements = set(helper_imports(name))
    functions = [node] if isinstance(node, ast.FunctionDef) else _methods(node)
    return frozenset(
        root_of(text)
        for function in functions
        for one in function.body
        if isinstance(one, ast.Import) and (text := ast.unparse(one)) in statements
    )


def _methods(node: ast.stmt) -> Iterator[ast.FunctionDef]:
    yield from (one for one in getattr(node, "body", ()) if isinstance(one, ast.FunctionDef))


def _import_in(function: ast.FunctionDef, statements: Collection[str], lines: list[str]) -> None:
    """Put statements at the beginning of the function, below what it says of itself."""
    first = function.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    place = (first.end_lineno or first.lineno) if is_text else first.lineno - 1
    indent = " " * first.col_offset
    lines[place:place] = [*(f"{indent}{one}\n" for one in statements), "\n"]
