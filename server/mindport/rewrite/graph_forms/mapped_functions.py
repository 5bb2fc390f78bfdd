"""`map` of a function that reads a variable around it, or of a lambda that reads any other name: graph mode says that
it cannot yet. A generator expression means the same: it takes the iterable at once and calls when it is asked for the
next."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

# What sees its variables later than the call, when a generator has gone on, and what belongs to a scope of its own.
_KEEPS_SCOPE = (ast.Lambda, ast.GeneratorExp, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)
# What needs parentheses to be iterated in a comprehension.
_LOOSE = (ast.IfExp, ast.Lambda, ast.NamedExpr, ast.Starred)


def mapped_functions(function: ast.FunctionDef, lines: LineIndex) -> Iterator[TextEdit]:
    """The edits of each such call in a function."""
    local = set(_bound(function))
    if local & {"map", "zip"}:
        return
    own = dict(_own_functions(function, local))
    only_argument = {
        node.args[0]
        for node in every_node(function)
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords
    }
    inside: list[TextEdit] = []
    for node in every_node(function):
        if not isinstance(node, ast.Call) or ast.unparse(node.func) != "map" or node.keywords:
            continue
        start, end = start_of(node, lines), end_of(node, lines)
        is_there = lines.text.startswith("map", start)  # places in formatted strings are not exact
        new = _generator(node, own, lines) if is_there else None
        if new is None or any(one.start < end and start < one.end for one in inside):
            continue
        is_enclosed = node in only_argument and lines.text[start - 1] + lines.text[end] == "()"
        inside.append(TextEdit(start, end, new if is_enclosed else f"({new})"))
    yield from inside


def _own_functions(function: ast.FunctionDef, local: set[str]) -> Iterator[tuple[str, ast.arguments]]:
    """The functions that are made in a function and read its variables: name and parameters."""
    for node in every_node(function):
        if isinstance(node, ast.FunctionDef) and node is not function and _reads(node, local - {node.name}):
            yield node.name, node.args
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            target = node.targets[0]
            if isinstance(target, ast.Name) and _reads(node.value, local):
                yield target.id, node.value.args


def _reads(function: ast.AST, local: set[str]) -> bool:
    """Whether a function reads variables around it."""
    read = {node.id for node in every_node(function) if isinstance(node, ast.Name)}
    return bool((read - set(_bound(function))) & local)


def _reads_more(function: ast.Lambda) -> bool:
    """Whether a function reads any name besides its parameters: one of the file counts as a variable, too."""
    read = {node.id for node in every_node(function.body) if isinstance(node, ast.Name)}
    return bool(read - set(_bound(function)))


def _bound(node: ast.AST) -> Iterator[str]:
    """Every name that is bound somewhere in a node."""
    for one in every_node(node):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            yield one.id
        elif isinstance(one, ast.arg):
            yield one.arg
        elif isinstance(one, (ast.FunctionDef, ast.ClassDef)) and one is not node:
            yield one.name
        elif isinstance(one, ast.alias):
            yield (one.asname or one.name).partition(".")[0]


def _generator(call: ast.Call, own: dict[str, ast.arguments], lines: LineIndex) -> str | None:
    """A call of `map` as a generator expression without its parentheses; None where it stays."""
    function, *iterables = call.args or [call.func]
    if not iterables or any(isinstance(one, _LOOSE) for one in iterables):
        return None
    if isinstance(function, ast.Name) and function.id in own:
        names = _parameters(own[function.id])
        element = f"{function.id}({', '.join(names)})"
        behind_element = _comma_behind(function, iterables[0], lines)
        if function.id in names or behind_element is None:
            return None
    elif isinstance(function, ast.Lambda):
        names = _parameters(function.args)
        keeps = any(isinstance(node, _KEEPS_SCOPE) for node in every_node(function.body))
        behind_element = _comma_behind(function.body, iterables[0], lines)
        if keeps or not names or not _reads_more(function) or behind_element is None:
            return None
        start = end_of(function.args.args[-1], lines)
        colon = lines.text[start : start_of(function.body, lines)]
        if colon.strip("( \t\r\n") != ":":
            return None
        element = lines.text[start + colon.index(":") + 1 : behind_element].strip()
    else:
        return None
    if len(names) != len(iterables) or not names:
        return None
    values = lines.text[behind_element + 1 : end_of(call, lines) - 1]
    if "#" in lines.text[end_of(iterables[-1], lines) : end_of(call, lines)]:
        return None
    values = values.strip().removesuffix(",").rstrip()
    values = values if len(names) == 1 else f"zip({values})"
    return f"{element} for {', '.join(names)} in {values}"


def _parameters(arguments: ast.arguments) -> list[str]:
    """The names of plain parameters; none where there are others."""
    others = (arguments.posonlyargs, arguments.kwonlyargs, arguments.defaults)
    if any(others) or arguments.vararg or arguments.kwarg:
        return []
    return [one.arg for one in arguments.args]


def _comma_behind(node: ast.expr, following: ast.expr, lines: LineIndex) -> int | None:
    """The offset of the comma between two arguments; None where a comment is there, too."""
    end = end_of(node, lines)
    between = lines.text[end : start_of(following, lines)]
    return None if "#" in between else end + between.index(",")
