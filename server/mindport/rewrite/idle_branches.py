"""Leaves out branches of an `if` that do nothing after a conversion, where another branch does something:
`if gpu: pass` with an `else:` becomes `if not gpu:`, and an `else: pass` goes. Branches with a comment stay."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node

_HEAD_END = re.compile(r"[\s)]*:")
_ELSE = re.compile(r"\s*else\s*:")
_OPERATOR = re.compile(r"\bis\s+not\b|\bnot\s+in\b|\bis\b|\bin\b")
_OPPOSITES: dict[type[ast.cmpop], str] = {
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
# Functions that only look at what they are given; the last is a helper of ours.
_LOOKING = frozenset({"isinstance", "hasattr", "len", "torch_device_count"})


def branches_left_out(text: str, does_nothing: Callable[[ast.stmt], bool]) -> str:
    """The text without such branches; the same where it does not parse."""
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    edits: list[TextEdit] = []
    inside: set[int] = set()  # what goes with a branch around it
    for node in every_node(tree):
        if not isinstance(node, ast.If) or not node.orelse or id(node) in inside:
            continue
        if all(map(does_nothing, node.orelse)):
            edits += _without_last(node, lines)
            inside.update(id(one) for last in node.orelse for one in every_node(last))
        elif all(map(does_nothing, node.body)) and asks_only(node.test):
            edits += _with_opposite(node, lines)
    return with_edits(text, sorted(edits))


def asks_only(test: ast.expr) -> bool:
    """Whether an expression only reads names, and asks for a class, a length, a device or the beginning of a text."""
    for node in every_node(test):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in _LOOKING:
                continue
            case ast.Call(func=ast.Attribute(attr="get_current_device" | "startswith" | "split" | "lower")):
                continue
            case ast.Name() | ast.Attribute() | ast.Constant() | ast.Tuple() | ast.Subscript():
                continue
            case ast.BoolOp() | ast.UnaryOp() | ast.Compare() | ast.IfExp():
                continue
            case ast.boolop() | ast.unaryop() | ast.cmpop() | ast.expr_context():
                continue
            case _:
                return False
    return True


def _without_last(node: ast.If, lines: LineIndex) -> Iterator[TextEdit]:
    """The edit that takes the branches behind the first one away."""
    start, end = end_of(node.body[-1], lines), end_of(node.orelse[-1], lines)
    behind = lines.text[end:].partition("\n")[0]
    if "#" not in lines.text[start:end] and not behind.strip():
        yield TextEdit(start, end, "")


def _with_opposite(node: ast.If, lines: LineIndex) -> Iterator[TextEdit]:
    """The edits that write the branch behind `else` under the opposite of the test."""
    text, start, end = lines.text, start_of(node.test, lines), end_of(node.test, lines)
    head = _HEAD_END.match(text, end)
    last = end_of(node.body[-1], lines)
    other = _ELSE.match(text, last)  # not that of `elif`
    if head is None or other is None or "#" in text[head.end() : last]:
        return
    yield TextEdit(start, end, _opposite(node.test, text, lines))
    yield TextEdit(head.end(), other.end(), "")


def _opposite(test: ast.expr, text: str, lines: LineIndex) -> str:
    """The source of what is true where a test is not."""

    start, end = start_of(test, lines), end_of(test, lines)
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return text[start + len("not") : end].strip()
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if word := _OPPOSITES.get(
            type(operator)
        ):
            before, behind = end_of(left, lines), start_of(right, lines)  # parentheses may stand between
            return text[start:before] + _OPERATOR.sub(word, text[before:behind]) + text[behind:end]
        case ast.BoolOp() | ast.IfExp():
            return f"not ({text[start:end]})"
    return f"not {text[start:end]}"
