"""Classes that a test names twice because several of torch's are one of MindSpore's: `except (ValueError, LinAlgError)`
would become `except (ValueError, RuntimeError, ValueError)`."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.spans import end_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

_TESTS = ("isinstance", "issubclass")


def without_repeated_classes(before: str, text: str) -> str:
    """A text converted from `before` whose tests name each class once. What a test of the original named twice stays,
    and so does a tuple over several lines, which may have comments. The same text where it does not parse."""
    if ("except (" not in text and not any(f"{test}(" in text for test in _TESTS)) or not imports_torch(
        before
    ):
        return text
    return with_edits_of_tree(text, functools.partial(_edits, before))


def _edits(before: str, tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for node in every_node(tree):
        classes = _classes(node)
        if classes is None or classes.lineno != classes.end_lineno:
            continue
        if lines.text[end_of(classes.elts[0], lines) : end_of(classes, lines)] in before:
            continue
        seen: set[str] = set()
        for one, last in zip(classes.elts, [None, *classes.elts], strict=False):
            name = ast.unparse(one)
            if name in seen and last is not None and isinstance(one, ast.Name | ast.Attribute):
                yield TextEdit(end_of(last, lines), end_of(one, lines), "")
            seen.add(name)


def _classes(node: ast.AST) -> ast.Tuple | None:
    match node:
        case ast.ExceptHandler(type=ast.Tuple() as classes):
            return classes
        case ast.Call(func=ast.Name(id=name), args=[_, ast.Tuple() as classes]) if name in _TESTS:
            return classes
    return None
