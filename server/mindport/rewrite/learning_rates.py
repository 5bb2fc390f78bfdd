"""Learning rates that code reads and sets: MindSpore's optimizers keep a Parameter where torch's keep a number. It has
no formats, no logger takes it, and a variable that holds it changes when the rate does. A step takes a float that is
put in its place, and passes over anything else, such as the tensor that `group["lr"] *= 0.1` leaves. What a scheduler
says of the rate is heard no more from then on: where there are any, the Parameter gets the value instead."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from mindport.rewrite.imports import behind_imports
from mindport.rewrite.mindspore_modules import mindspore_modules, written_short
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.semantics.flow.operators import BINARY
from mindport.source.format_fields import format_fields
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import children, every_node
from mindport.usage.optimizer_groups import is_group, names_of_groups

READERS = ("get_last_lr", "get_lr")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def with_numbers_for_rates(text: str, is_scheduled: bool = False) -> str:
    """A converted text in which `group["lr"]` of an optimizer's groups, and what schedulers say of the rate, are
    numbers. `is_scheduled`: whether the project has schedulers. The same text where there are no rates, or where it
    does not parse."""
    if "param_groups" not in text and not any(name in text for name in READERS):
        return text
    return with_edits_of_tree(text, functools.partial(_edits_of_text, is_scheduled))


def _edits_of_text(is_scheduled: bool, tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    yield from _edits(tree, lines, 0, names_of_groups(tree))
    written = written_short(_ASSIGN, mindspore_modules(tree))
    assign = (written or _ASSIGN) if is_scheduled else ""
    edits = list(_all_set(tree, lines, names_of_groups(tree), _floats(tree), assign))
    if edits and is_scheduled and written is None:
        place = behind_imports(lines.text)
        yield TextEdit(place, place, "import mindspore\n")
    yield from edits


def places_of_rates(text: str) -> list[tuple[int, int]]:
    """Where a text reads rates that `with_numbers_for_rates` makes numbers, or that are numbers already; none where it
    does not parse."""
    if not any(name in text for name in READERS):
        return []
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return []
    lines, groups = LineIndex(text), names_of_groups(tree)
    return [
        (start_of(node, lines), end_of(node, lines))
        for node in every_node(tree)
        if isinstance(node, ast.expr) and _rate(node, groups)
    ]


_ASSIGN = "mindspore.ops.assign"


def _all_set(
    scope: ast.AST, lines: LineIndex, groups: frozenset[str], floats: frozenset[str], assign: str
) -> Iterator[TextEdit]:
    """The changes of statements in a scope that set rates. `assign` writes to a Parameter; where it is empty a float
    takes its place."""
    pending = children(scope)
    while pending:
        node = pending.pop()
        yield from _set_as_float(node, lines, groups, floats, assign)
        if isinstance(node, _SCOPES):
            yield from _all_set(node, lines, groups | names_of_groups(node), floats, assign)
        else:
            pending += children(node)


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
            yield from _edits(node, lines, offset, groups | names_of_groups(node))
            continue
        below = [(child, is_passed_on or _is_settled(node)) for child in children(node)]
        match node:
            case ast.Call(func=ast.Attribute(attr="assign"), args=[ast.Subscript() as written, *_]):
                below.remove((written, False))  # the Parameter itself
        pending += below


_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)


def _set_as_float(
    node: ast.AST, lines: LineIndex, groups: frozenset[str], floats: frozenset[str], assign: str
) -> Iterator[TextEdit]:
    """The changes of a statement that sets a rate: to what is no float, `group["lr"] *= 0.1`, `group["lr"] = 0`, or,
    with `assign`, at all."""
    match node:
        case ast.AugAssign(
            target=ast.Subscript(value=owner, slice=ast.Constant(value="lr")) as target, op=op, value=value
        ) if is_group(owner, groups) and isinstance(op, _ARITHMETIC):
            start, end = start_of(target, lines), end_of(target, lines)
            before, _, parentheses = lines.text[end : start_of(value, lines)].partition("=")
            new = f"{',' if assign else ' ='} float({lines.text[start:end]}) {BINARY[type(op)].sign}"
            yield TextEdit(end, end + len(before) + 1, new)
            if not parentheses.strip() and not isinstance(value, _ATOMS):
                yield TextEdit(start_of(value, lines), start_of(value, lines), "(")
                yield TextEdit(end_of(value, lines), end_of(value, lines), ")")
        case ast.Assign(
            targets=[ast.Subscript(value=owner, slice=ast.Constant(value="lr")) as target], value=value
        ) if is_group(owner, groups):
            start, end = start_of(value, lines), end_of(value, lines)
            if assign:
                before = lines.text[end_of(target, lines) : start].partition("=")[0]
                yield TextEdit(end_of(target, lines), end_of(target, lines) + len(before) + 1, ",")
            if isinstance(value, ast.Constant):
                if type(value.value) is int and not assign:
                    yield TextEdit(end, end, ".0")
            elif not (_is_float(value, floats) or _rate(value, groups)):
                yield from (TextEdit(start, start, "float("), TextEdit(end, end, ")"))
        case _:
            return
    if assign:
        start, end = start_of(target, lines), end_of(node, lines)
        yield from (TextEdit(start, start, f"{assign}("), TextEdit(end, end, ")"))


def _floats(tree: ast.AST) -> frozenset[str]:
    """The variables of a text that hold floats wherever they are assigned."""
    found: set[str] = set()
    kept: set[int] = set()  # the targets that stay floats; a statement comes before what is in it
    others: set[str] = {node.arg for node in every_node(tree) if isinstance(node, ast.arg)}
    for node in every_node(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_float(value, frozenset()):
                found.add(name)
                kept.update(map(id, node.targets))
            case ast.AugAssign(target=ast.Name() as target):
                kept.add(id(target))  # what is computed with a float is one
            case ast.Name(id=name, ctx=ast.Store()) if id(node) not in kept:
                others.add(name)
    return frozenset(found - others)


def _is_float(value: ast.expr, floats: frozenset[str]) -> bool:
    """Whether a value is seen to be a float of Python's."""
    match value:
        case ast.Constant(value=constant):
            return isinstance(constant, float)
        case ast.Name(id=name):
            return name in floats
        case ast.Call(func=ast.Name(id="float") | ast.Attribute(value=ast.Name(id="math"))):
            return True
        case ast.BinOp(left=left, right=right):
            return _is_float(left, floats) or _is_float(right, floats)
        case ast.IfExp(body=body, orelse=orelse):
            return _is_float(body, floats) and _is_float(orelse, floats)
    return False


_ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript)


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
            return "one" if is_group(owner, groups) else ""
        case ast.Subscript(
            value=ast.Call(func=ast.Attribute(attr=name), args=[], keywords=[]),
            slice=ast.Constant(value=int()) | ast.UnaryOp(operand=ast.Constant(value=int())),
            ctx=ast.Load(),
        ):
            return "one" if name in READERS else ""
        case ast.Call(func=ast.Attribute(attr="get_last_lr"), args=[], keywords=[]):
            return "all"
    return ""


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
