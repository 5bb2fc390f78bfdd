"""Parentheses that a conversion leaves around a call: `(~x).float()` becomes `(torch_bitwise_not(x)).float()`, and what
gives a generator stands in a call as `list((cell for cell in cells))`."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable, Iterator

from mindport.mapping.helper_source import helper_source
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import children, every_node

_MAY_BE_NEEDLESS = re.compile(r"\(\w[\w.]*\([^\n]*\)\)|\(\(")
_LAST_WORD = re.compile(r"(\w+)[ ]+$")
_DEFINING = (ast.FunctionDef, ast.ClassDef)


def without_needless_parentheses(before: str, text: str) -> str:
    """A text converted from `before` without the parentheses around calls and generators that are the conversion's. The
    same text where there are none, or where it does not parse."""
    if before == text or not _MAY_BE_NEEDLESS.search(text):
        return text
    return with_edits_of_tree(text, lambda tree, lines: _edits(tree, lines, before))


def _edits(tree: ast.Module, lines: LineIndex, before: str) -> Iterable[TextEdit]:
    edits: dict[int, TextEdit] = {}
    text = lines.text
    called = {end_of(node, lines) for node in every_node(tree) if isinstance(node, ast.Call)}
    for node in _written(tree):
        match node:
            case ast.Call(args=[ast.GeneratorExp() as given], keywords=[]):
                start, end = start_of(given, lines), end_of(given, lines)
                is_doubled = text[start - 1 : start + 1] == "((" and text[end - 1 : end + 1] == "))"
                if not is_doubled or text[start - 1 : end + 1] in before:
                    continue
                edits[start] = TextEdit(start, start + 1, "")
                edits[end - 1] = TextEdit(end - 1, end, "")
        if not isinstance(node, ast.Call):
            continue
        start, end = start_of(node, lines), end_of(node, lines)
        around = text[start - 1 : end + 1]
        if around[:1] != "(" or around[-1] != ")" or "\n" in around or around in before:
            continue
        if end + 1 not in called and _groups(text[text.rfind("\n", 0, start) + 1 : start - 1]):
            edits[start - 1] = TextEdit(start - 1, start, "")
            edits[end] = TextEdit(end, end + 1, "")
    return edits.values()


def _written(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes but those of helpers, and of format strings, whose places are not the text's in every Python."""
    open_nodes: list[ast.AST] = [
        one for one in tree.body if not (isinstance(one, _DEFINING) and helper_source(one.name))
    ]
    while open_nodes:
        node = open_nodes.pop()
        if not isinstance(node, ast.JoinedStr):
            yield node
            open_nodes.extend(children(node))


def _groups(line: str) -> bool:
    """Whether an opening parenthesis behind the beginning of a line, which calls nothing that stands above, only
    groups: it is none of a definition, and the words beside it do not grow together."""
    if not line.strip():
        return True
    word = _LAST_WORD.search(line)
    if word is not None:
        return keyword.iskeyword(word[1])
    return line.rstrip()[-1] not in ")]}'\"" and not (line[-1].isalnum() or line[-1] == "_")
