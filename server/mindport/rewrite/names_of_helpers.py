"""Lets names of torch that a file calls as converted code calls what stands for them, `from torch.utils.data import
DataLoader as TorchDataLoader`, make room for that. The result is torch, still."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.mapping.helper_source import helper_source
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node
from mindport.usage.torch_model import TORCH_ROOTS


def names_of_helpers(text: str) -> list[TextEdit]:
    """The edits that give such names others; none for a name that the file binds otherwise as well, and none where the
    text does not parse."""
    if " as Torch" not in text and " as torch_" not in text:
        return []
    return edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    taken = {word for node in every_node(tree) for word in _words(node)}
    for alias in _aliases(tree):
        own = alias.asname or ""
        uses = [node for node in every_node(tree) if isinstance(node, ast.Name) and node.id == own]
        if (
            not uses
            or any(not isinstance(node.ctx, ast.Load) for node in uses)
            or _is_bound_otherwise(tree, own)
        ):
            continue
        new = alias.name
        while new in taken:
            new += "_"
        taken.add(new)
        end = end_of(alias, lines)
        start = end - len(own) if new != alias.name else start_of(alias, lines) + len(alias.name)
        yield TextEdit(start, end, new if new != alias.name else "")
        yield from (TextEdit(start_of(node, lines), end_of(node, lines), new) for node in uses)


def _aliases(tree: ast.Module) -> Iterator[ast.alias]:
    """The names of torch that are imported by the name of a helper."""
    for node in every_node(tree):
        match node:
            case ast.ImportFrom(module=str(module), level=0) if module.partition(".")[0] in TORCH_ROOTS:
                yield from (alias for alias in node.names if alias.asname and helper_source(alias.asname))


def _is_bound_otherwise(tree: ast.Module, name: str) -> bool:
    """Whether anything but one import binds a name, or declares it."""
    bound = 0
    for node in every_node(tree):
        match node:
            case ast.alias():
                bound += (node.asname or node.name) == name
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                bound += 2 * (node.name == name)
            case ast.arg(arg=own):
                bound += 2 * (own == name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                bound += 2 * (name in names)
    return bound > 1


def _words(node: ast.AST) -> Iterator[str]:
    """The names that a node has, whatever for."""
    match node:
        case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
