"""Writes once what an `if` does twice, on the GPU and elsewhere: `loss = nn.BCELoss().cuda()` there and `loss =
nn.BCELoss()` here, or `getattr(x, ("cpu", "cuda")[on_gpu])()`. Where tensors lie is MindSpore's affair, so both become
the same. The result is torch, still."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, edits_of_tree, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import parses
from mindport.source.trees import children, every_node

_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_DEVICES = ("cuda", "cpu", "device")
_LEFT_OUT = (ast.Expr, ast.Assign, ast.Pass)  # statements that may do nothing but move
_MOVES = frozenset(("cuda", "cpu"))
_PLACES = frozenset(("device", "map_location", "non_blocking", "pin_memory"))


def device_branches(text: str) -> list[TextEdit]:
    """The edits that leave out the branches which differ from their other one in nothing but devices, and methods for
    these that are looked up; none where the text does not parse. They only take text away."""
    if "torch" not in text:
        return []
    edits = edits_of_tree(text, _edits_of_tree)
    if not edits:
        return []
    return edits if parses(with_edits(text, edits)) else []


def _edits_of_tree(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for node in _outermost(tree):
        yield from _edits(node, lines)


def _outermost(node: ast.AST) -> Iterator[ast.If | ast.IfExp | ast.Call]:
    """Those that are not inside another one, from the top."""
    for child in children(node):
        match child:
            case ast.If() | ast.IfExp() if _decides_device(child):
                yield child
            case ast.Call() if _moved_by_lookup(child) is not None:
                yield child
            case _:
                yield from _outermost(child)


def _decides_device(node: ast.If | ast.IfExp) -> bool:
    one, other = _branches(node)
    if not other or not _only_reads(node.test) or not _may_agree(one, other) or _dump(one) == _dump(other):
        return False
    return _dump(_anywhere(one)) == _dump(_anywhere(other))


def _may_agree(some: Sequence[ast.AST], others: Sequence[ast.AST]) -> bool:
    """Whether two branches are built alike, as far as no device matters: a look at both at once, which ends where they
    part, as those of a long chain of `elif` do at once."""
    lists = [[node for node in nodes if not isinstance(node, _LEFT_OUT)] for nodes in (some, others)]
    return len(lists[0]) == len(lists[1]) and all(map(_are_alike, *lists))


def _are_alike(one: ast.AST, other: ast.AST) -> bool:
    """Whether nodes have the same kinds of statements in them."""
    if isinstance(one, ast.expr):
        return True
    if type(one) is not type(other):
        return False
    for (_, value), (_, another) in zip(ast.iter_fields(one), ast.iter_fields(other), strict=True):
        if isinstance(value, list) and isinstance(another, list):
            nodes = [pair for pair in zip(value, another, strict=False) if isinstance(pair[0], ast.AST)]
            if len(value) != len(another) or not all(_are_alike(*pair) for pair in nodes):
                return False
        elif isinstance(value, ast.AST) and isinstance(another, ast.AST) and not _are_alike(value, another):
            return False
    return True


def _moved_by_lookup(node: ast.Call) -> ast.expr | None:
    """The value that a call moves by a method which is looked up, whatever device it may be."""
    match node:
        case ast.Call(
            func=ast.Call(func=ast.Name(id="getattr"), args=[value, name], keywords=[]), args=[], keywords=[]
        ) if _only_reads(name):
            names = [one.value for one in _chosen_from(name) if isinstance(one, ast.Constant)]
            return (
                value
                if names and len(names) == len(_chosen_from(name)) and _MOVES.issuperset(names)
                else None
            )
    return None


def _chosen_from(name: ast.expr) -> list[ast.expr]:
    """What a value may be, where that is written out: a choice, an item of a tuple or a dictionary."""
    match name:
        case ast.IfExp(body=one, orelse=other):
            return [*_chosen_from(one), *_chosen_from(other)]
        case ast.Subscript(value=ast.Tuple(elts=values) | ast.List(elts=values) | ast.Dict(values=values)):
            return values
    return [name]


def _branches(node: ast.If | ast.IfExp) -> tuple[Sequence[ast.AST], Sequence[ast.AST]]:
    return (node.body, node.orelse) if isinstance(node, ast.If) else ([node.body], [node.orelse])


def _dump(nodes: Sequence[ast.AST]) -> list[str]:
    return list(map(ast.dump, nodes))


def _anywhere(nodes: Sequence[ast.AST]) -> list[ast.AST]:
    """What the nodes say but for devices."""
    return [node for node in _moved(nodes) if not _does_nothing(node)]


def _moved(nodes: Sequence[ast.AST]) -> list[ast.AST]:
    return [_Anywhere().visit(copy.deepcopy(node)) for node in nodes]


def _does_nothing(node: ast.AST) -> bool:
    """Whether a statement is what `net.cuda()` and `x = x.cuda()` are without the device."""
    match node:
        case ast.Expr(value=ast.Name() | ast.Attribute()):
            return True
        case ast.Assign(targets=[target], value=value):
            return ast.unparse(target) == ast.unparse(value)
    return isinstance(node, ast.Pass)


class _Anywhere(ast.NodeTransformer):
    """Takes devices out of an expression."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _MOVES:
                return value
            case ast.Call(func=ast.Attribute(value=value, attr="to"), args=[place], keywords=[]):
                if _is_device(place):
                    return value
        node.keywords = [one for one in node.keywords if one.arg not in _PLACES]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Attribute(
                value=ast.Attribute(value=ast.Name(id="torch") as torch, attr="cuda"), attr=name
            ):
                if name.endswith("Tensor"):
                    return ast.Attribute(torch, name, node.ctx)
        return node


def _is_device(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str(name)):
            return name.startswith(_DEVICES)
        case ast.Call(func=function):
            return _is_device(function)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return "device" in name.lower()
    return False


def _only_reads(test: ast.expr) -> bool:
    """Whether a question changes nothing: it may be left out."""
    for node in every_node(test):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "hasattr" | "len" | "bool" | "str")):
                continue
            case ast.Call(func=ast.Attribute(attr="is_available" | "device_count" | "startswith")):
                continue
            case ast.Call() | ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
                return False
    return True


def _edits(node: ast.If | ast.IfExp | ast.Call, lines: LineIndex) -> Iterator[TextEdit]:
    if isinstance(node, ast.Call):
        value = _moved_by_lookup(node)
        assert value is not None
        is_whole = isinstance(value, _ATOMS)  # else the parentheses of the call stay around it
        yield TextEdit(start_of(node, lines), start_of(value, lines), "" if is_whole else "(")
        yield TextEdit(end_of(value, lines), end_of(node, lines), "" if is_whole else ")")
        return
    one, other = _branches(node)
    keeps_other = _dump(other) == _dump(_moved(other)) or _dump(one) != _dump(_moved(one))
    if isinstance(node, ast.IfExp):
        kept = node.orelse if keeps_other else node.body
        yield TextEdit(start_of(node, lines), start_of(kept, lines), "")
        yield TextEdit(end_of(kept, lines), end_of(node, lines), "")
    else:
        yield from _block_edits(node, keeps_other, lines)


def _block_edits(node: ast.If, keeps_other: bool, lines: LineIndex) -> Iterator[TextEdit]:
    """Takes the `if` away around the block that is kept, comments in this block stay; nothing where it is no block of
    lines of its own, an `elif`, or has text over several lines in it."""
    first, last = (
        (node.orelse if keeps_other else node.body)[0],
        (node.orelse if keeps_other else node.body)[-1],
    )
    head = lines.line_text(node.lineno)
    indent = head[: len(head) - len(head.lstrip())]
    body_end = node.body[-1].end_lineno or node.body[-1].lineno
    split = next(
        (
            at
            for at in range(body_end, node.orelse[0].lineno)
            if lines.line_text(at).lstrip().startswith("else")
        ),
        0,
    )
    if not head[len(indent) :].startswith("if") or not split or node.lineno == node.body[0].lineno:
        return
    end = (node.end_lineno or node.lineno) + 1
    top, bottom = (split + 1, end) if keeps_other else (node.body[0].lineno, split)
    if not keeps_other:
        top = (node.test.end_lineno or node.lineno) + 1
    inner = lines.line_text(first.lineno)
    deeper = inner[: len(inner) - len(inner.lstrip())]
    if not deeper.startswith(indent) or _has_long_text(node, first.lineno, last.end_lineno or last.lineno):
        return
    yield TextEdit(lines.line_start(node.lineno), lines.line_start(top), "")
    for at in range(top, bottom):
        start = lines.line_start(at)
        if lines.line_text(at).startswith(deeper):
            yield TextEdit(start + len(indent), start + len(deeper), "")
    if bottom != end:
        yield TextEdit(lines.line_start(bottom), lines.line_start(end), "")


def _has_long_text(node: ast.If, first: int, last: int) -> bool:
    """Whether a string between two lines goes over several lines, so that its indentation is a part of it."""
    return any(
        isinstance(one, (ast.Constant, ast.JoinedStr))
        and first <= one.lineno <= last
        and one.lineno != one.end_lineno
        for one in every_node(node)
    )
