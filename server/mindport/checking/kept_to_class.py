"""Keeps a conversion to the one class that the user named: what whole-file passes changed elsewhere goes back, and of
new imports and definitions only those stay that the class needs."""

from __future__ import annotations

import ast
import builtins
import io
from collections.abc import Iterable

from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.usage.scope_storage import DEFINITIONS

_Import = (ast.Import, ast.ImportFrom)


def kept_to_class(before: str, after: str, name: str) -> str:
    """`before` with the top-level class `name` as it is in `after`, and what that needs. Unchanged where the class
    needs a name that means something else in the rest of the file."""
    try:
        old, new = parse_tree(before), parse_tree(after)
    except SYNTAX_ERRORS:
        return before
    was, became = _class(old, name), _class(new, name)
    if was is None or became is None:
        return before
    known = {bound: ast.unparse(one) for one in old.body for bound in _bound(one)}
    elsewhere = frozenset[str]().union(*(_read(one) for one in old.body if one is not was))
    needed = _needed(new, became, known, elsewhere)
    if needed is None:
        return before
    lines, new_lines = _split(before), _split(after)
    start, end = _lines(was)
    result = [*lines[:start], *_ended(_source(became, new_lines)), *lines[end:]]
    anew = {bound for one in needed for bound in _bound(one)}
    for one in old.body:
        if isinstance(one, _Import) and anew.issuperset(_bound(one)) and _lines(one)[1] <= start:
            first, last = _lines(one)
            result[first:last] = [""] * (last - first)
    imports = [one for one in needed if isinstance(one, _Import)]
    definitions = [one for one in needed if not isinstance(one, _Import)]
    place = _behind_imports(old, start)
    added = [line for one in imports for line in _ended(_source(one, new_lines))]
    for one in definitions:
        added += ["\n", "\n", *_ended(_source(one, new_lines))]
    if added and not place:  # nothing to stand behind
        added += ["\n", "\n"]
    return "".join([*result[:place], *added, *result[place:]])


def _split(text: str) -> list[str]:
    """The lines with their ends, as Python counts them."""
    return list(io.StringIO(text, newline=""))


def _class(module: ast.Module, name: str) -> ast.ClassDef | None:
    return next((one for one in module.body if isinstance(one, ast.ClassDef) and one.name == name), None)


def _needed(
    new: ast.Module, became: ast.ClassDef, known: dict[str, str], elsewhere: frozenset[str]
) -> list[ast.stmt] | None:
    """The new statements at the top of the file that the class needs, in their order; None where one of them would take
    a name from the rest, which reads those `elsewhere`."""
    by_name = {bound: one for one in new.body if one is not became for bound in _bound(one)}
    wanted = _read(became)
    found: dict[int, ast.stmt] = {}
    while wanted:
        name = wanted.pop()
        one = by_name.get(name)
        if one is None or id(one) in found or ast.unparse(one) == known.get(name):
            continue
        if not isinstance(one, (*_Import, *DEFINITIONS)):
            continue  # wrapped or rewritten for the rest of the file
        if any(
            ast.unparse(one) != known.get(bound, ast.unparse(one))
            and (bound in elsewhere or isinstance(one, DEFINITIONS))
            for bound in _bound(one)
        ):
            return None  # another thing of the same name
        found[id(one)] = one
        wanted |= _read(one)
    return [one for one in new.body if id(one) in found]


def _bound(statement: ast.stmt) -> Iterable[str]:
    """The names that a statement at the top of a file gives a meaning."""
    if isinstance(statement, DEFINITIONS):
        yield statement.name
    for node in every_node(statement) if not isinstance(statement, DEFINITIONS) else ():
        if isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _read(statement: ast.stmt) -> set[str]:
    names = {
        node.id
        for node in every_node(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    return names - vars(builtins).keys()


def _lines(node: ast.stmt) -> tuple[int, int]:
    """The 0-based first line, decorators included, and the line behind the last."""
    decorators = node.decorator_list if isinstance(node, DEFINITIONS) else []
    first = min([node.lineno, *(one.lineno for one in decorators)])
    return first - 1, node.end_lineno or node.lineno


def _source(node: ast.stmt, lines: list[str]) -> list[str]:
    start, end = _lines(node)
    return lines[start:end]


def _ended(lines: list[str]) -> list[str]:
    """The lines, the last one with an end."""
    return lines if not lines or lines[-1].endswith("\n") else [*lines[:-1], f"{lines[-1]}\n"]


def _behind_imports(module: ast.Module, limit: int) -> int:
    """The 0-based line behind the imports at the top that stand before a line; else behind what must come first."""
    place = 0
    for index, one in enumerate(module.body):
        start, end = _lines(one)
        if start >= limit:
            break
        is_docstring = index == 0 and isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
        if is_docstring or isinstance(one, _Import):
            place = end
    return place
