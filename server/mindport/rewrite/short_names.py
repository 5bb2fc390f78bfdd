"""Writes MindSpore's layers by the short name that a file had for those of torch, once nothing else has that name: a
port that says `nn.Conv2d` where the original did is read, and compared with it, more easily."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.mapping.helper_source import helper_source
from mindport.model.span import Edit, Span
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.imports import used_names
from mindport.rewrite.names import names_in
from mindport.rewrite.spans import span_of
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree

_LONG = "mindspore.nn"
_Import = ast.Import | ast.ImportFrom


def with_short_names(before: str, text: str) -> str:
    """`text` with `nn.` for `mindspore.nn.`, if `before` had `torch.nn` by that name and nothing of MindSpore. The same
    text where something still has the name, or where one of the two does not parse. Helpers stay as they are, so that
    they are known again."""
    if _LONG not in text or "mindspore" in before:
        return text
    try:
        short = _name_of_torch_nn(parse_tree(before))
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    places = [place for place in _places(tree, lines) if lines.slice(place) == _LONG]
    imports = _imports(tree)
    if not (short and places and imports) or short in names_in(text):
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    shortened = [Edit(place, short) for place in places]
    is_needed = "mindspore" in used_names(parse_tree(apply_edits(text, shortened)))
    return apply_edits(text, [*shortened, *_import_edits(imports, short, is_needed, lines)], newline)


def _name_of_torch_nn(tree: ast.Module) -> str:
    """What the file calls `torch.nn` by an import of its own; empty where it has none."""
    for node in tree.body:
        match node:
            case ast.Import(names=[ast.alias(name="torch.nn", asname=str(name))]):
                return name
            case ast.ImportFrom(module="torch", level=0, names=names):
                for alias in names:
                    if alias.name == "nn":
                        return alias.asname or alias.name
    return ""


def _places(tree: ast.Module, lines: LineIndex) -> Iterator[Span]:
    """Where the code outside of helpers names MindSpore's layers."""
    for statement in tree.body:
        if not helper_source(getattr(statement, "name", "")):
            for node in ast.walk(statement):
                match node:
                    case ast.Attribute(value=ast.Name(id="mindspore"), attr="nn"):
                        yield span_of(node, lines)


def _imports(tree: ast.Module) -> list[_Import]:
    """The statement that imports names of MindSpore, and the one that imports MindSpore itself."""
    names = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "mindspore"]
    whole = [
        node for node in tree.body if isinstance(node, ast.Import) and ast.unparse(node) == "import mindspore"
    ]
    return [*names[:1], *whole[:1]]


def _import_edits(imports: list[_Import], short: str, is_needed: bool, lines: LineIndex) -> Iterator[Edit]:
    """What imports the short name, and no longer MindSpore itself where nothing else needs that."""
    name = "nn" if short == "nn" else f"nn as {short}"
    for node in imports:
        place = span_of(node, lines)
        if isinstance(node, ast.ImportFrom):
            names = sorted([*map(ast.unparse, node.names), name])
            yield Edit(place, f"from mindspore import {', '.join(names)}")
        elif node is imports[0]:
            own = f"from mindspore import {name}"
            yield Edit(place, f"import mindspore\n{own}" if is_needed else own)
        elif not is_needed:
            yield Edit(Span(place.line, 0, place.line + 1, 0), "")
