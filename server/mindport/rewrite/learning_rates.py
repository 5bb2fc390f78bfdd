"""Learning rates that code reads: MindSpore's optimizers keep a Parameter where torch's keep a number. It has no
formats, no logger takes it, and a variable that holds it changes when the rate does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.format_fields import format_fields
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree

_READERS = ("get_last_lr", "get_lr")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def with_numbers_for_rates(text: str) -> str:
    """A converted text in which `group["lr"]` of an optimizer's groups, and what schedulers say of the rate, are
    numbers. The same text where there are none, or where it does not parse."""
    if "param_groups" not in text and not any(name in text for name in _READERS):
        return text
    return with_edits_of_tree(text, lambda tree, lines: _edits(tree, lines, 0, _groups(tree)))


def _edits(tree: ast.AST, lines: LineIndex, offset: int, groups: frozenset[str]) -> Iterator[TextEdit]:
    """The changes in a tree of a text that stands at `offset`; `groups` are names of optimizers' groups."""
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, is_number = pending.pop()
        if isinstance(node, ast.JoinedStr):
            start = start_of(node, lines)
            yield from _edits_in_fields(lines.text[start : end_of(node, lines)], offset + start, groups)
            continue
        what = _rate(node, groups)
        if what and not is_number and isinstance(node, ast.expr):
            start, end = offset + start_of(node, lines), offset + end_of(node, lines)
            before, behind = ("float(", ")") if what == "one" else ("[float(rate) for rate in ", "]")
            yield TextEdit(start, start, before)
            yield TextEdit(end, end, behind)
        if what:
            continue
        is_passed_on = is_number and isinstance(node, ast.comprehension)
        if isinstance(node, _SCOPES) and node is not tree:
            yield from _edits(node, lines, offset, groups | _groups(node))
            continue
        pending += [(child, is_passed_on or _is_settled(node)) for child in ast.iter_child_nodes(node)]


def _edits_in_fields(literal: str, offset: int, groups: frozenset[str]) -> Iterator[TextEdit]:
    """The changes in an f-string, whose parts have no reliable places of their own."""
    for start, end in format_fields(literal) or ():
        value = literal[start:end].rstrip().removesuffix("=")
        try:
            tree = parse_tree(f"({value}\n)")
        except SYNTAX_ERRORS:
            continue
        yield from _edits(tree, LineIndex(f"({value}\n)"), offset + start - 1, groups)


def _rate(node: ast.AST, groups: frozenset[str]) -> str:
    """What an expression gives: `one` rate, `all` of them, or nothing of the kind."""
    match node:
        case ast.Subscript(value=owner, slice=ast.Constant(value="lr"), ctx=ast.Load()):
            return "one" if _is_group(owner, groups) else ""
        case ast.Subscript(
            value=ast.Call(func=ast.Attribute(attr=name), args=[], keywords=[]),
            slice=ast.Constant(value=int()) | ast.UnaryOp(operand=ast.Constant(value=int())),
            ctx=ast.Load(),
        ):
            return "one" if name in _READERS else ""
        case ast.Call(func=ast.Attribute(attr="get_last_lr"), args=[], keywords=[]):
            return "all"
    return ""


def _is_group(node: ast.expr, groups: frozenset[str]) -> bool:
    match node:
        case ast.Name(id=name):
            return name in groups
        case ast.Subscript(value=ast.Attribute(attr="param_groups")):
            return True
    return False


def _is_settled(node: ast.AST) -> bool:
    """Whether what stands directly in a node is made a number there, or is asked for more than a number has."""
    match node:
        case (
            ast.Attribute()
            | ast.Call(func=ast.Name(id="float"))
            | ast.ListComp(elt=ast.Call(func=ast.Name(id="float")))
        ):
            return True
    return False


def _groups(scope: ast.AST) -> frozenset[str]:
    """The variables of a function, or of a module, that hold an optimizer's group."""
    found: set[str] = set()
    pending = list(ast.iter_child_nodes(scope))
    while pending:
        node = pending.pop()
        match node:
            case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
                found.update(_group_in_loop(target, over))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_group(value, frozenset()):
                found.add(name)
        if not isinstance(node, _SCOPES):
            pending += ast.iter_child_nodes(node)
    return frozenset(found)


def _group_in_loop(target: ast.expr, over: ast.expr) -> Iterator[str]:
    match target, over:
        case ast.Name(id=name), ast.Attribute(attr="param_groups"):
            yield name
        case (
            ast.Tuple(elts=[_, ast.Name(id=name)]),
            ast.Call(func=ast.Name(id="enumerate"), args=[ast.Attribute(attr="param_groups"), *_]),
        ):
            yield name
