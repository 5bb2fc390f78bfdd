"""Writes `nn.MaskedLinear` as `MaskedLinear` below `nn.MaskedLinear = MaskedLinear`: what a file puts into a module of
torch is its own, and MindSpore's module of that name is another one. The result is torch, still."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node


def names_put_into_torch(text: str) -> list[TextEdit]:
    """The edits that name such classes and functions of a file directly; none where the text does not parse."""
    if "torch" not in text:
        return []
    return edits_of_tree(text, _edits_of_tree)


def _edits_of_tree(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    modules, own = _modules(tree), _own(tree)
    put = {}
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=owner, attr=name)], value=ast.Name(id=value)):
                if _is_of_torch(owner, modules) and value in own and _is_alone(statement, lines):
                    put[ast.unparse(owner), name] = statement, value
    for (module, name), (at, value) in put.items():
        yield from _edits(tree, module, name, at, value, lines)


def _edits(
    tree: ast.Module, owner: str, name: str, put: ast.Assign, value: str, lines: LineIndex
) -> Iterator[TextEdit]:
    yield TextEdit(lines.line_start(put.lineno), lines.line_start((put.end_lineno or put.lineno) + 1), "")
    for node in every_node(tree):
        match node:
            case ast.Attribute(attr=attribute, ctx=ast.Load()) if (
                attribute == name and node.lineno > put.lineno
            ):
                if ast.unparse(node.value) == owner:
                    yield TextEdit(start_of(node, lines), end_of(node, lines), value)


def _modules(tree: ast.Module) -> set[str]:
    """The names that a file imports modules of torch by."""
    found = set[str]()
    for node in every_node(tree):
        match node:
            case ast.Import(names=names):
                found.update(
                    one.asname for one in names if one.asname and one.name.partition(".")[0] == "torch"
                )
            case ast.ImportFrom(module="torch" | "torch.nn", names=names, level=0):
                found.update(
                    one.asname or one.name for one in names if one.name in ("nn", "optim", "functional")
                )
    return found


def _own(tree: ast.Module) -> set[str]:
    """The classes and functions at the top of a file whose names nothing else in it has."""
    defined = [
        node.name
        for node in tree.body
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    others = {
        node.id for node in every_node(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    others |= {node.arg for node in every_node(tree) if isinstance(node, ast.arg)}
    return {name for name in defined if defined.count(name) == 1 and name not in others}


def _is_of_torch(owner: ast.expr, modules: set[str]) -> bool:
    return ast.unparse(owner) in modules or ast.unparse(owner).startswith("torch.")


def _is_alone(statement: ast.stmt, lines: LineIndex) -> bool:
    """Whether the lines of a statement have nothing but it and a comment in them."""
    end_line = statement.end_lineno or statement.lineno
    behind = lines.text[
        end_of(statement, lines) : lines.line_start(end_line) + len(lines.line_text(end_line))
    ]
    return start_of(statement, lines) == lines.line_start(statement.lineno) and (
        not behind.strip() or behind.strip().startswith("#")
    )
