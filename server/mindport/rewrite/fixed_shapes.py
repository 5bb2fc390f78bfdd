"""Writes what a mask selects so that its shape is fixed: what the mask leaves out counts as nothing instead of being
taken out.

    x[x > 0].sum()            ->  x.where(x > 0, 0).sum()
    x[x > 0].mean()           ->  (x.where(x > 0, 0) / (x > 0).sum()).sum()
    len(x[mask])              ->  int(mask.sum())
    torch.nonzero(x).size(0)  ->  int((x != 0).sum())

Values and gradients are the same, also where nothing is selected and where what is left out is infinite or no number.
The new text means the same in torch and in MindSpore, so it is converted like any other."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from mindport.mapping.converters import is_atom
from mindport.model.language import say
from mindport.model.verdict import Applicability
from mindport.rewrite.pieces import Piece, Rewrite
from mindport.rewrite.spans import span_of
from mindport.semantics.domains.shapes.operators import COMPARISONS
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import children, every_node
from mindport.usage.api_use import FileUsage
from mindport.usage.places import CodePlace, Selection

_FUNCTIONS = {"torch.sum": "sum", "torch.mean": "mean"}
_REPEATABLE = (
    ast.expr_context, ast.Name, ast.Attribute, ast.Constant, ast.Compare, ast.cmpop, ast.UnaryOp, ast.unaryop,
    ast.BinOp, ast.operator,
)  # fmt: skip
_LONGEST_TITLE = 60


class FixedShape(msgspec.Struct, frozen=True):
    """How the code around a place is written with a fixed shape."""

    place: CodePlace
    rewrite: Rewrite


def fixed_shapes(text: str, usage: FileUsage) -> tuple[FixedShape, ...]:
    """The places of a file that can be written with a fixed shape. Safe are those where the mask is certainly as
    large as what it selects from, or where that does not matter."""
    places = [place for place in usage.places if place.by is not Selection.NONE]
    if not places:
        return ()
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return ()
    return tuple(_Writer(tree, text, usage).write(places))


class _Selected(msgspec.Struct, frozen=True):
    """What an expression selects: elements of `tensor`, or places where `mask` holds if there is no tensor. `mask` may
    be a tensor of numbers, those that are not zero count. `length` is the node whose length along the first axis is
    the number of elements, `is_flat` says that it has no other axis."""

    length: ast.expr
    mask: ast.expr
    tensor: ast.expr | None = None
    is_flat: bool = False
    broadcasts: bool = False


class _Writer:
    def __init__(self, tree: ast.Module, text: str, usage: FileUsage) -> None:
        self._lines = LineIndex(text)
        self._parents = {child: node for node in every_node(tree) for child in children(node)}
        self._nodes = {
            span_of(node, self._lines): node
            for node in self._parents
            if isinstance(node, (ast.Subscript, ast.Call))
        }
        self._calls = {use.call.span: use.api for use in usage.uses if use.call is not None}

    def write(self, places: list[CodePlace]) -> Iterator[FixedShape]:
        for place in places:
            node = self._nodes.get(place.span)
            selected = None if node is None else self._selected(node, place)
            if selected is None:
                continue
            rewrite = self._count(selected, place) or self._reduction(selected, place)
            if rewrite is not None:
                yield FixedShape(place, rewrite)

    # -- what is selected

    def _selected(self, node: ast.expr, place: CodePlace) -> _Selected | None:
        fits = place.by is Selection.FITTING
        if isinstance(node, ast.Subscript):
            if isinstance(node.slice, (ast.Tuple, ast.Slice)):
                return None
            return _Selected(node, node.slice, node.value, is_flat=fits)
        assert isinstance(node, ast.Call)
        callee = node.func
        given = [callee.value, *node.args] if isinstance(callee, ast.Attribute) else list(node.args)
        if place.name == "masked_select":
            given = given if len(node.args) == 1 else node.args
            if len(given) != 2 or node.keywords:
                return None
            return _Selected(node, given[1], given[0], is_flat=fits, broadcasts=True)
        mask = node.args[0] if node.args else given[0] if given else None
        if mask is None or len(node.args) > 1 or any(one.arg != "as_tuple" for one in node.keywords):
            return None
        as_tuple = any(not _is_false(one.value) for one in node.keywords)
        if place.name != "where" and not as_tuple:
            return _Selected(node, mask)
        # One tensor of places for each axis, all of one length.
        item = self._parents.get(node)
        if isinstance(item, ast.Subscript) and item.value is node and _is_number(item.slice):
            return _Selected(item, mask, is_flat=True)
        return None

    # -- how many they are

    def _count(self, selected: _Selected, place: CodePlace) -> Rewrite | None:
        """len(x[mask]), mask.nonzero().size(0)"""
        if selected.broadcasts and not selected.is_flat:
            return None  # the mask may be spread over the axes of the tensor
        node = self._counting(selected)
        if node is None:
            return None
        is_mask = place.by is not Selection.VALUES
        mask = self._operand(selected.mask) if is_mask else ("(", *self._operand(selected.mask), " != 0)")
        return self._rewrite(node, ("int(", *mask, ".sum())"), Applicability.SAFE)

    def _counting(self, selected: _Selected) -> ast.expr | None:
        """The expression around what is selected that asks for its length."""
        node = selected.length
        outer = self._parents.get(node)
        if isinstance(outer, ast.Call) and outer.args == [node] and not outer.keywords:
            return outer if isinstance(outer.func, ast.Name) and outer.func.id == "len" else None
        if not isinstance(outer, ast.Attribute):
            return None
        after = self._parents.get(outer)
        if outer.attr == "shape":
            is_first = isinstance(after, ast.Subscript) and _is_number(after.slice, 0)
            return after if is_first and isinstance(after, ast.Subscript) else None
        if not isinstance(after, ast.Call) or after.func is not outer or after.keywords:
            return None
        if outer.attr == "size":
            return after if len(after.args) == 1 and _is_number(after.args[0], 0) else None
        if outer.attr not in ("numel", "nelement") or after.args:
            return None
        return after if selected.is_flat or (selected.tensor is None and self._asks_for_any(after)) else None

    def _asks_for_any(self, node: ast.expr) -> bool:
        """Whether a number only is compared with 0: places have a number for each axis."""
        outer = self._parents.get(node)
        return (
            isinstance(outer, ast.Compare)
            and outer.left is node
            and len(outer.ops) == 1
            and isinstance(outer.ops[0], (ast.Eq, ast.NotEq, ast.Gt))
            and _is_number(outer.comparators[0], 0)
        )

    # -- what they add up to

    def _reduction(self, selected: _Selected, place: CodePlace) -> Rewrite | None:
        """x[mask].sum(), torch.mean(x[mask])"""
        node, name = self._reducing(selected.length)
        if node is None or selected.tensor is None:
            return None
        mask = selected.mask
        fits = place.by is Selection.FITTING
        tensor = self._operand(selected.tensor)
        kept = (*tensor, ".where(", span_of(mask, self._lines), ", 0)")
        if name == "sum":
            safe = fits or selected.broadcasts
            return self._rewrite(node, (*kept, ".sum()"), _safe_if(safe))
        if not _may_stand_twice(mask):
            return None
        again = self._source(mask)
        again = again if is_atom(again) else f"({again})"
        return self._rewrite(node, ("(", *kept, f" / {again}.sum()).sum()"), _safe_if(fits))

    def _reducing(self, node: ast.expr) -> tuple[ast.expr | None, str]:
        """The call around an expression that reduces it to one number, and by what."""
        outer = self._parents.get(node)
        if isinstance(outer, ast.Attribute) and outer.attr in _FUNCTIONS.values():
            call = self._parents.get(outer)
            if isinstance(call, ast.Call) and call.func is outer and not call.args and not call.keywords:
                return call, outer.attr
        if isinstance(outer, ast.Call) and outer.args == [node] and not outer.keywords:
            name = _FUNCTIONS.get(self._calls.get(span_of(outer, self._lines), ""), "")
            return (outer, name) if name else (None, "")
        return None, ""

    # -- text

    def _operand(self, node: ast.expr) -> tuple[Piece, ...]:
        """A part of the text that a dot can follow."""
        span = span_of(node, self._lines)
        return (span,) if is_atom(self._source(node)) else ("(", span, ")")

    def _source(self, node: ast.expr) -> str:
        return self._lines.slice(span_of(node, self._lines))

    def _rewrite(self, node: ast.expr, pieces: tuple[Piece, ...], applicability: Applicability) -> Rewrite:
        new = "".join(piece if isinstance(piece, str) else self._lines.slice(piece) for piece in pieces)  # type: ignore[arg-type]
        shown = " ".join(new.split())
        if len(shown) > _LONGEST_TITLE:
            shown = f"{shown[: _LONGEST_TITLE - 3]}..."
        title = say("Use `{text}`, whose shape is fixed", text=shown)
        return Rewrite(span_of(node, self._lines), pieces, applicability, title)


def _safe_if(is_safe: bool) -> Applicability:
    return Applicability.SAFE if is_safe else Applicability.UNSAFE


def _is_number(node: ast.expr, value: int | None = None) -> bool:
    is_number = isinstance(node, ast.Constant) and type(node.value) is int
    return is_number and value in (None, node.value)  # type: ignore[attr-defined]


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _may_stand_twice(node: ast.expr) -> bool:
    """Whether an expression gives the same each time, and is cheap."""
    if isinstance(node, ast.Call):
        callee = node.func
        name = callee.attr if isinstance(callee, ast.Attribute) else ""
        parts: list[ast.expr] = [callee.value] if isinstance(callee, ast.Attribute) else []
        return name in COMPARISONS and not node.keywords and all(map(_may_stand_twice, [*parts, *node.args]))
    return isinstance(node, _REPEATABLE) and all(
        _may_stand_twice(child) for child in children(node) if isinstance(child, ast.expr)
    )
