"""Leaves out settings that torch does not have, `torch.cuda.cudnn_enabled = False`: they make an attribute of a module
that nothing reads. The result is torch, still."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from mindport.registry.torch import TorchKind, torch_facts
from mindport.rewrite.removed_statements import removed_from_line
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, edits_of_tree
from mindport.rewrite.training.flow import suites
from mindport.source import trees
from mindport.source.lines import LineIndex
from mindport.source.written_names import dotted_text


def settings_of_nobody(text: str) -> list[TextEdit]:
    """The edits that take such statements away; none where the text does not parse, or reads what it sets."""
    if "torch." not in text or not any(" = " in line and "torch." in line for line in text.splitlines()):
        return []
    return edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    if not any(_imports_torch(node) for node in tree.body):
        return
    mentioned = Counter(_mentions(tree))
    set_here = Counter(target.attr for _, target in _settings(tree))
    for statement, target in _settings(tree):
        if mentioned[target.attr] == set_here[target.attr]:
            yield _removed(statement, tree, lines)


def _imports_torch(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import) and any(
        one.name.partition(".")[0] == "torch" and one.asname is None for one in node.names
    )


def _mentions(tree: ast.Module) -> Iterator[str]:
    """Attributes and texts that may name what is set."""
    for node in trees.every_node(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _settings(tree: ast.Module) -> Iterator[tuple[ast.Assign, ast.Attribute]]:
    facts = torch_facts()
    for node in trees.every_node(tree):
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=owner) as target], value=ast.Constant() | ast.Name()
            ) if dotted_text(target).startswith("torch."):
                is_module = facts.kind(dotted_text(owner)) is TorchKind.MODULE
                if is_module and facts.canonical(dotted_text(target)) is None:
                    yield node, target


def _removed(statement: ast.Assign, tree: ast.Module, lines: LineIndex) -> TextEdit:
    start, end = start_of(statement, lines), end_of(statement, lines)
    shared = removed_from_line(start, end, lines)
    if shared is not None:
        return shared
    if any(body == [statement] for node in trees.every_node(tree) for body in suites(node)):
        return TextEdit(start, end, "pass")
    behind = lines.line_start((statement.end_lineno or statement.lineno) + 1)
    return TextEdit(lines.line_start(statement.lineno), behind, "")
