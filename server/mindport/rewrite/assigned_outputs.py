"""Writes `torch.index_select(x, 0, i, out=y)` as `y = torch.index_select(x, 0, i)`, and `torch.add(p.data, q,
out=p.data)` as `p.data.copy_(torch.add(p.data, q))`: MindSpore's functions give new tensors and write into none. All
are torch, and a line stays where it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def assigned_outputs(text: str) -> list[TextEdit]:
    """The edits that assign the results of such statements, where the tensor is a variable, an attribute or an element
    that the function itself made, or write them where its size is known to be that of the result; none where the text
    does not parse."""
    if "out=" not in text:
        return []
    return edits_of_tree(text, _edits_of_tree)


def _edits_of_tree(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    torch = _names_of_torch(tree)
    for function in every_node(tree):
        if isinstance(function, _Function):
            yield from _edits(function, lines, torch)


def _edits(function: _Function, lines: LineIndex, torch: frozenset[str]) -> Iterator[TextEdit]:
    made, kept = _made_in(function), dict(_kept_by(function))
    for node in every_node(function):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute() as callee, args=[_, *_]) as call):
                pass
            case _:
                continue
        before = call.args[-1]
        for keyword in call.keywords:
            if keyword.arg == "out":
                break
            before = keyword.value
        else:
            continue
        if not _is_of_torch(callee, torch) or any(one.arg is None for one in call.keywords):
            continue
        out = keyword.value
        if isinstance(out, ast.Name) and out.id in made:
            opening, closing = f"{out.id} = ", ""
        elif (maker := kept.get(ast.unparse(out))) is not None and not maker.args:
            opening, closing = f"{ast.unparse(out)} = ", ""
        elif maker is not None or _is_filled(out, call):
            opening, closing = f"{ast.unparse(out)}.copy_(", ")"
        else:
            continue
        yield TextEdit(start_of(call, lines), start_of(call, lines), opening)
        yield TextEdit(end_of(before, lines), end_of(out, lines), "")
        if closing:
            yield TextEdit(end_of(call, lines), end_of(call, lines), closing)


def _is_filled(out: ast.expr, call: ast.Call) -> bool:
    """Whether a tensor has the size of the result, so that torch fills it as it is: values of a parameter, or an
    operand of the call itself (`torch.maximum(largest[i], x, out=largest[i])`)."""
    if not isinstance(out, (ast.Name, ast.Attribute, ast.Subscript)) or any(
        isinstance(node, ast.Call) for node in every_node(out)
    ):
        return False
    written = ast.unparse(out)
    return written.endswith((".data", ".grad")) or any(ast.unparse(one) == written for one in call.args)


def _kept_by(function: _Function) -> Iterator[tuple[str, ast.Call]]:
    """The attributes, and the elements of lists and tables, as they are written, for which a function itself makes what
    they hold, each with the call that does: one with arguments gives it its size. `self.e = x.new(n)`,
    `self.parts = [x.new(n)]`."""
    for node in every_node(function):
        match node:
            case ast.Assign(targets=[ast.Attribute() as target], value=ast.Call() as call):
                yield ast.unparse(target), call
            case ast.Assign(
                targets=[(ast.Attribute() | ast.Name()) as target], value=ast.List(elts=elements)
            ):
                for number, element in enumerate(elements):
                    if isinstance(element, ast.Call):
                        yield f"{ast.unparse(target)}[{number}]", element
            case ast.Assign(targets=[(ast.Attribute() | ast.Name()) as target], value=ast.Dict() as table):
                for key, element in zip(table.keys, table.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(element, ast.Call):
                        yield f"{ast.unparse(target)}[{ast.unparse(key)}]", element


def _made_in(function: _Function) -> set[str]:
    """The names that a function assigns and that are no parameters of it or variables of others."""
    arguments = function.args
    taken = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    made: set[str] = set()
    for node in every_node(function):
        if isinstance(node, ast.Assign):
            made.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            taken.update(node.names)
    return made - taken


def _names_of_torch(tree: ast.Module) -> frozenset[str]:
    return frozenset(
        name.asname or "torch"
        for node in every_node(tree)
        if isinstance(node, ast.Import)
        for name in node.names
        if name.name == "torch"
    )


def _is_of_torch(callee: ast.Attribute, torch: frozenset[str]) -> bool:
    return ast.unparse(callee).partition(".")[0] in torch
