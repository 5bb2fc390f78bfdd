"""Writes `torch.index_select(x, 0, i, out=y)` as `y = torch.index_select(x, 0, i)`: MindSpore's functions give new
tensors and write into none. Both are torch, and a line stays where it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def assigned_outputs(text: str) -> list[TextEdit]:
    """The edits that assign the results of such statements, where the tensor is a variable that the function itself
    made; none where the text does not parse."""
    if "out=" not in text:
        return []
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return []
    lines = LineIndex(text)
    return [
        edit
        for function in ast.walk(tree)
        if isinstance(function, _Function)
        for edit in _edits(function, lines)
    ]


def _edits(function: _Function, lines: LineIndex) -> Iterator[TextEdit]:
    made = _made_in(function)
    for node in ast.walk(function):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute() as callee, args=[*_, last]) as call):
                pass
            case _:
                continue
        match call.keywords:
            case [ast.keyword(arg="out", value=ast.Name(id=name))] if name in made and _is_of_torch(callee):
                start = start_of(call, lines)
                yield TextEdit(start, start, f"{name} = ")
                yield TextEdit(end_of(last, lines), end_of(call.keywords[0].value, lines), "")


def _made_in(function: _Function) -> set[str]:
    """The names that a function assigns and that are no parameters of it or variables of others."""
    arguments = function.args
    taken = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    made: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            made.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            taken.update(node.names)
    return made - taken


def _is_of_torch(callee: ast.Attribute) -> bool:
    return ast.unparse(callee).startswith("torch.")
