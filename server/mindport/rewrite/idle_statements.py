"""Leaves out statements that a conversion made idle: `x = x` where `x.to(device)` was stored, a name alone where it
was called for its effect, `pass` beside other statements, `[None for m in layers]`, `device = x.device` and
`device = "cuda" if ... else "cpu"` where nothing reads the device any more, and an `if` or `try` around nothing else.
What the user wrote so stays; `idle_branches` has the branches of an `if` that does something in another one."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence

import msgspec

from mindport.model.span import Span
from mindport.rewrite.idle_branches import asks_only, branches_left_out
from mindport.rewrite.imports import names_in_strings
from mindport.rewrite.removed_statements import joined_extents, removed_from_line
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import children, every_node

# What may read a variable by its name.
_READ_ALL = frozenset({"locals", "globals", "vars", "exec", "eval"})


def without_idle_statements(before: str, after: str, is_alone: Callable[[], bool]) -> str:
    """`after` without the statements that do nothing, as far as `before` has them not. A comment behind such a
    statement stays, and a block keeps at least `pass`. The same text where one of the two does not parse. `is_alone`
    is asked whether no other file imports this one, so that nobody else reads its variables."""
    try:
        read = {
            node.id
            for node in every_node(parse_tree(before))
            if isinstance(node, ast.Name) and not _is_stored(node)
        }
        own = Counter(
            ast.unparse(statement) for body in _bodies(before, read, is_alone) for statement in body.idle
        )
        has_own = any(_is_empty(node) for node in every_node(parse_tree(before)))
        bodies = list(_bodies(after, read, is_alone, has_own=has_own))
    except SYNTAX_ERRORS:
        return after
    lines = LineIndex(after)
    edits: list[TextEdit] = []
    gone: set[int] = set()
    for body in bodies:
        idle: list[ast.stmt] = []
        for statement in body.idle:
            key = ast.unparse(statement)
            if id(statement) in gone:
                continue
            if own[key]:
                if not isinstance(statement, ast.Pass):  # of which one looks like the other
                    own[key] -= 1
                continue
            idle.append(statement)
            gone.update(map(id, every_node(statement)))
        places = ((start_of(one, lines), end_of(one, lines)) for one in idle)
        edits += _left_out(list(joined_extents(places, lines)), lines, is_all=len(idle) == body.needed)
    text = with_edits(after, edits)
    return text if has_own else branches_left_out(text, _does_nothing)


class _Body(msgspec.Struct, frozen=True):
    """A list of statements: those that do nothing, and how many there are where one has to be left."""

    needed: int
    idle: tuple[ast.stmt, ...]


def _bodies(
    text: str, read: Container[str], is_alone: Callable[[], bool], *, has_own: bool = True
) -> Iterator[_Body]:
    """Every list of statements in a text; `read` are the names that were read before. `has_own`: the user
    wrote blocks that do nothing, so that nobody knows whose such a block is. Raises one of SYNTAX_ERRORS."""
    tree = parse_tree(text)
    lines = LineIndex(text)
    unread = {id(statement) for scope in _functions(tree) for statement in _unread(scope, read)}
    of_module = set(map(id, _unread(tree, read)))
    unread |= of_module if of_module and is_alone() else set()
    for node in every_node(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body:
                idle = tuple(
                    one
                    for one in body
                    if id(one) in unread
                    or _is_idle(one)
                    or _decides_nothing(one, lines, has_own=has_own)
                    or (isinstance(one, ast.Pass) and len(body) > 1)
                )
                yield _Body(0 if node is tree else len(body), idle)


def _functions(tree: ast.Module) -> Iterator[ast.AST]:
    return (node for node in every_node(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def _unread(scope: ast.AST, before: Container[str]) -> Iterator[ast.stmt]:
    """The statements `device = x.device`, `device = "cuda" if ... else "cpu"` and `m = torch.optim` of a function or a
    script that does not read the variable; one that asks for a device only where something read that `before`."""
    nodes = list(every_node(scope))
    read = {node.id for node in nodes if isinstance(node, ast.Name) and not _is_stored(node)}
    if isinstance(scope, ast.Module):
        read |= names_in_strings(scope)
    elif any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in nodes):
        return
    if not _READ_ALL.isdisjoint(read):
        return
    for node in _own_statements(scope) if isinstance(scope, ast.Module) else nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in read:
                if (
                    _is_device(value)
                    or _is_torch_module(value)
                    or (_asks_for_device(value) and name in before)
                ):
                    yield node


def _own_statements(module: ast.Module) -> Iterator[ast.AST]:
    """The statements that are run when the module is."""
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            yield node
            waiting += children(node)


def _is_device(value: ast.expr) -> bool:
    return isinstance(value, ast.Attribute) and value.attr == "device" and _is_name(value)


def _asks_for_device(value: ast.expr) -> bool:
    """Whether an expression asks which device there is, and nothing else."""
    is_asked = any(
        isinstance(one, ast.Attribute) and one.attr == "get_current_device" for one in every_node(value)
    )
    return is_asked and asks_only(value)


def _is_torch_module(value: ast.expr) -> bool:
    """Whether an expression is a module of torch, named or imported by its name."""
    match value:
        case ast.Call(func=function, args=[ast.Constant(value=str(name))], keywords=[]):
            return ast.unparse(function).endswith("import_module") and name.partition(".")[0] == "torch"
        case ast.Attribute() if _is_name(value):
            return ast.unparse(value).startswith("torch.")
    return False


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _is_idle(statement: ast.stmt) -> bool:
    """Whether a statement reads names and stores nothing new."""
    match statement:
        case ast.Expr(value=ast.ListComp(elt=ast.Constant(), generators=[ast.comprehension(iter=values)])):
            return _is_name(values)
        case ast.Expr(value=value):
            return _is_name(value)
        case ast.Assign(targets=[target], value=value):
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            return all(_is_name(name) for name in names) and ast.unparse(target) == ast.unparse(value)
    return False


def _is_empty(node: ast.AST) -> bool:
    """Whether a block or a branch of a text does nothing."""
    if isinstance(node, ast.Try):
        return all(map(_does_nothing, node.body))
    branches = (node.body, node.orelse) if isinstance(node, ast.If) else ()
    return any(branch and all(map(_does_nothing, branch)) for branch in branches)


def _decides_nothing(statement: ast.stmt, lines: LineIndex, *, has_own: bool) -> bool:
    """Whether it is an `if` of which no branch does anything, and neither does asking, or a `try` that has nothing to
    try. One with a comment stays."""
    behind = lines.line_start((statement.end_lineno or statement.lineno) + 1)
    text = lines.text[start_of(statement, lines) : behind]
    match statement:
        case ast.If(test=test, body=body, orelse=orelse) if asks_only(test):
            branches = [*body, *orelse]
            if has_own and all(isinstance(one, ast.Pass) for one in branches):
                return False
        case ast.Try(body=body, orelse=orelse, finalbody=finalbody) if not has_own:
            branches = [*body, *orelse, *finalbody]
        case _:
            return False
    return text.startswith(("if", "try")) and "#" not in text and all(map(_does_nothing, branches))


def _does_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.If):
        branches = [*statement.body, *statement.orelse]
        return asks_only(statement.test) and all(_does_nothing(one) for one in branches)
    return isinstance(statement, ast.Pass) or _is_idle(statement)


def _is_name(value: ast.expr) -> bool:
    """Whether an expression is a name, or attributes of one."""
    while isinstance(value, ast.Attribute):
        value = value.value
    return isinstance(value, ast.Name)


def _left_out(extents: Sequence[tuple[int, int]], lines: LineIndex, *, is_all: bool) -> Iterator[TextEdit]:
    """The edits that take statements away; `is_all` says that nothing else is in their block."""
    for number, (start, end) in enumerate(extents, start=1):
        shared = removed_from_line(start, end, lines)
        if shared is not None:
            yield shared
        elif is_all and number == len(extents):
            yield TextEdit(start, end, "pass")
        else:
            yield _without_lines(lines.span(start, end), end, lines)


def _without_lines(place: Span, end: int, lines: LineIndex) -> TextEdit:
    """Takes away the lines of a statement, but a comment behind it stays."""
    behind = lines.line_text(place.end_line)[place.end_column :]
    if behind.strip():
        comment = end + len(behind) - len(behind.lstrip())
        return TextEdit(lines.offset(place.start), comment, "")
    last = place.end_line + 1
    # No blank line begins a block, and two of them would have stood around the statement.
    if _opens_block(place.line, lines) and last < lines.line_count and not lines.line_text(last).strip():
        last += 1
    return TextEdit(lines.line_start(place.line), lines.line_start(last), "")


def _opens_block(line: int, lines: LineIndex) -> bool:
    before = lines.line_text(line - 1).strip() if line > 1 else ""
    return not before or before.endswith(":")
