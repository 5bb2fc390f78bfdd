"""Evaluates expressions for their shapes, and notes the places where these come to depend on data."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from mindport.model.verdict import Confidence
from mindport.usage.api_use import ApiUse
from mindport.usage.header import dotted_name
from mindport.usage.places import Selection, Topic
from mindport.usage.shapes.values import (
    FIRST,
    NUMBER,
    OF_A_TENSOR,
    OTHER,
    TENSOR,
    Known,
    What,
    element,
    joined,
    number_from,
    sequence,
    sequence_of,
    varying,
)

Environment = dict[str, Known]
# Notes a place: topic, node, operator, cause, what elements are selected by.
Note = Callable[[Topic, ast.AST, str, str, Selection], None]

_LONGEST_TEXT = 40
_SHAPE_KEEPING_ATTRIBUTES = frozenset(("data", "grad", "real", "imag", "values", "indices"))


class ExpressionWalker:
    """Expressions of one function. `rows` says which nodes are uses of torch, `names` what names of the file mean in
    MindSpore. Where NumPy is at work, evidence for a tensor is evidence for an array as well: `wants_proof` then."""

    def __init__(
        self, rows: Mapping[ast.AST, ApiUse], names: Mapping[str, str], note: Note, wants_proof: bool = False
    ) -> None:
        self.rows = rows
        self.names = names
        self._note = note
        self._noted: set[tuple[Topic, ast.AST]] = set()
        self.environment: Environment = {}
        self._wants_proof = wants_proof
        self._evaluators: dict[type[ast.AST], Callable[[Any], Known] | None] = {}
        self.compiled = ""  # why the function at hand becomes a graph; empty where it does not
        self._origins = 0  # how many values were told apart so far
        self.quiet = 0  # above zero while a part is evaluated a second time

    # -- notes

    def note(
        self,
        topic: Topic,
        node: ast.AST,
        operator: str,
        cause: str = "",
        by: Selection = Selection.NONE,
    ) -> None:
        """Write down a place, once."""
        if not self.quiet and (topic, node) not in self._noted:
            self._noted.add((topic, node))
            self._note(topic, node, operator, cause, by)

    def text(self, node: ast.AST) -> str:
        """The code, short enough for a message."""
        text = ast.unparse(node)
        return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 3]}..."

    def _is_sure(self, row: ApiUse) -> bool:
        if row.library or row.confidence is Confidence.GUESSED:
            return False
        return row.confidence is not Confidence.INFERRED or not self._wants_proof

    # -- expressions

    def value(self, node: ast.expr) -> Known:
        """What is known of an expression."""
        kind = node.__class__
        if kind not in self._evaluators:
            self._evaluators[kind] = getattr(self, f"_{kind.__name__.lower()}", None)
        evaluator = self._evaluators[kind]
        if evaluator is not None:
            return evaluator(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
        return OTHER

    def is_tensor_use(self, node: ast.AST) -> bool:
        """Whether the inference took the node for something done with a tensor."""
        row = self.rows.get(node)
        return row is not None and row.api.startswith("torch.Tensor.") and self._is_sure(row)

    def _name(self, node: ast.Name) -> Known:
        return self.environment.get(node.id, OTHER)

    def _constant(self, node: ast.Constant) -> Known:
        return NUMBER if isinstance(node.value, (int, float)) else OTHER

    def _attribute(self, node: ast.Attribute) -> Known:
        base = self.value(node.value)
        name = node.attr
        if name == "shape" and (base.is_tensor or self.is_tensor_use(node)):
            return Known(What.SHAPE, base.cause, base.axes)
        if base.is_tensor and name in _SHAPE_KEEPING_ATTRIBUTES:
            return base
        if base.is_tensor and name in ("T", "mT", "H"):
            return Known(base.what, base.cause)
        if self.is_tensor_use(node) and name in _SHAPE_KEEPING_ATTRIBUTES | {"T", "mT", "H"}:
            return TENSOR
        return self.environment.get(f"self.{name}", OTHER) if _is_self(node.value) else OTHER

    def _unaryop(self, node: ast.UnaryOp) -> Known:
        operand = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return number_from(operand.cause or OF_A_TENSOR) if operand.is_data else NUMBER
        if operand.what is What.OTHER and self.is_tensor_use(node):
            return TENSOR
        return operand

    def _binop(self, node: ast.BinOp) -> Known:
        left, right = self.value(node.left), self.value(node.right)
        if left.is_tensor or right.is_tensor or self.is_tensor_use(node):
            both = left.what is What.MASK or right.what is What.MASK
            is_mask = both and isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor))
            return self.elementwise(What.MASK if is_mask else What.TENSOR, [left, right])
        if left.what is What.SEQUENCE and right.what is What.SEQUENCE and isinstance(node.op, ast.Add):
            return sequence((*left.items, *right.items))
        if What.NUMBER in (left.what, right.what) and {left.what, right.what} <= {What.NUMBER, What.OTHER}:
            return Known(What.NUMBER, left.cause or right.cause)
        return OTHER

    def _compare(self, node: ast.Compare) -> Known:
        values = [self.value(part) for part in (node.left, *node.comparators)]
        if any(isinstance(operator, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for operator in node.ops):
            return NUMBER
        if self.is_tensor_use(node) or any(value.is_tensor for value in values):
            return self.elementwise(What.MASK, values)
        return Known(
            What.NUMBER, next((value.cause for value in values if value.is_data and value.cause), "")
        )

    def elementwise(self, what: What, values: list[Known]) -> Known:
        """The result of an operator that goes element by element: as long as its inputs."""
        origins = {value.origin for value in values if value.what is not What.NUMBER}
        origin = origins.pop() if len(origins) == 1 else 0
        for value in values:
            if value.is_tensor and value.cause:
                return Known(what, value.cause, value.axes, origin=origin)
        forms = {value.form for value in values if value.is_tensor}
        certain = len(forms) == 1 and all(value.is_tensor or value.what is What.NUMBER for value in values)
        return Known(what, form=forms.pop() if certain else "", origin=origin)

    def _boolop(self, node: ast.BoolOp) -> Known:
        values = [self.value(part) for part in node.values]
        cause = next((value.cause or OF_A_TENSOR for value in values if value.is_data), "")
        return number_from(cause) if cause else OTHER

    def _ifexp(self, node: ast.IfExp) -> Known:
        test = self.value(node.test)
        first, second = self.value(node.body), self.value(node.orelse)
        result = joined(first, second)
        if result.what is What.NUMBER and test.is_data and not result.cause:
            return number_from(test.cause or OF_A_TENSOR)
        return result

    def _tuple(self, node: ast.Tuple) -> Known:
        return sequence(self.value(part) for part in node.elts)

    def _list(self, node: ast.List) -> Known:
        return sequence(self.value(part) for part in node.elts)

    def _starred(self, node: ast.Starred) -> Known:
        return element(self.value(node.value))

    def _namedexpr(self, node: ast.NamedExpr) -> Known:
        value = self.environment[node.target.id] = self.value(node.value)
        return value

    def _listcomp(self, node: ast.ListComp) -> Known:
        return self._comprehension(node)

    def _setcomp(self, node: ast.SetComp) -> Known:
        return self._comprehension(node)

    def _generatorexp(self, node: ast.GeneratorExp) -> Known:
        return self._comprehension(node)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Known:
        outer = self.environment
        self.environment = dict(outer)
        for generator in node.generators:
            self.bind(generator.target, element(self.value(generator.iter)))
            for test in generator.ifs:
                self.value(test)
        item = self.value(node.elt)
        self.environment = outer
        return sequence_of(item)

    def _dictcomp(self, node: ast.DictComp) -> Known:
        outer = self.environment
        self.environment = dict(outer)
        for generator in node.generators:
            self.bind(generator.target, element(self.value(generator.iter)))
        self.value(node.key)
        self.value(node.value)
        self.environment = outer
        return OTHER

    def _lambda(self, node: ast.Lambda) -> Known:
        outer = self.environment
        self.environment = {**outer, **dict.fromkeys((one.arg for one in node.args.args), OTHER)}
        self.value(node.body)
        self.environment = outer
        return OTHER

    def _call(self, node: ast.Call) -> Known:
        raise NotImplementedError  # of the class that knows the operators

    # -- subscripts

    def _subscript(self, node: ast.Subscript) -> Known:
        base = self.value(node.value)
        if base.what is What.SHAPE:
            self.value(node.slice)
            return self._size_of(base, node.slice)
        if base.what is What.SEQUENCE:
            return self._item(base, node.slice)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not base.is_tensor and not self.is_tensor_use(node):
            for part in parts:
                self.value(part)
            return OTHER
        if isinstance(node.ctx, ast.Load):
            return self._selected(node, base, parts)
        for part in parts:
            self.value(part)
        return TENSOR

    def _size_of(self, shape: Known, index: ast.expr) -> Known:
        """One size, or some of them."""
        place = _integer(index)
        if place is None:
            return Known(What.SHAPE, shape.cause, shape.axes) if isinstance(index, ast.Slice) else NUMBER
        if shape.axes is None or place in shape.axes:
            return Known(What.NUMBER, shape.cause)
        return NUMBER

    def _item(self, value: Known, index: ast.expr) -> Known:
        self.value(index)
        place = _integer(index)
        if (
            place is not None
            and -len(value.items) <= place < len(value.items)
            and not value.items[0].is_shared
        ):
            return value.items[place]
        if value.items and value.items[0].is_shared and not isinstance(index, ast.Slice):
            return element(value)
        return sequence_of(element(value)) if isinstance(index, ast.Slice) else element(value)

    def _selected(self, node: ast.Subscript, base: Known, parts: list[ast.expr]) -> Known:
        """x[...] of a tensor."""
        indices = [self._index(part) for part in parts]
        for part, index in zip(parts, indices, strict=True):
            if isinstance(part, ast.Slice):
                cause = self._bound_cause(part)
                if cause:
                    self.note(Topic.SLICE, node, self.text(part), cause)
                    return varying(cause, FIRST if part is parts[0] else None)
            elif index.what is What.MASK:
                fits = len(parts) == 1 and index.origin and index.origin == base.origin
                self.note(Topic.MASK, node, self.text(part), by=Selection.FITTING if fits else Selection.MASK)
                return varying(
                    f"the true elements of `{self.text(part)}`", FIRST if len(parts) == 1 else None
                )
            elif index.is_tensor and index.cause:
                self.note(Topic.INDEX, node, self.text(part), index.cause)
                return varying(index.cause, FIRST if part is parts[0] else None)
        if any(index.is_tensor for index in indices):
            return TENSOR
        return self._basic(node, base, parts)

    def _basic(self, node: ast.Subscript, base: Known, parts: list[ast.expr]) -> Known:
        """Slices and numbers that are the same each time: what varies along the first axis goes with it."""
        first = parts[0]
        whole = isinstance(first, ast.Slice) and first.lower is None and first.upper is None
        is_new = isinstance(first, ast.Constant) and first.value in (None, Ellipsis)
        if base.cause and (whole or is_new or base.axes is None or base.axes != FIRST):
            keeps = whole and base.axes is not None
            return Known(base.what, base.cause, base.axes if keeps else None)
        if base.cause and isinstance(first, ast.Slice):
            return Known(base.what, base.cause, base.axes) if _cuts_relatively(first) else Known(base.what)
        form = f"{base.form}[{ast.unparse(node.slice)}]" if base.form else ""
        return Known(base.what if base.is_tensor else What.TENSOR, form=form)

    def _index(self, part: ast.expr) -> Known:
        if isinstance(part, ast.Slice):
            for bound in (part.lower, part.upper, part.step):
                if bound is not None:
                    self.value(bound)
            return OTHER
        return self.value(part)

    def _bound_cause(self, part: ast.Slice) -> str:
        """Why the length of a slice varies; empty where it does not."""
        self.quiet += 1
        bounds = [self.value(bound) for bound in (part.lower, part.upper, part.step) if bound is not None]
        self.quiet -= 1
        for bound in bounds:
            if bound.is_tensor:
                return OF_A_TENSOR
            if bound.what is What.NUMBER and bound.cause:
                return bound.cause
        return ""

    # -- names

    def bind(self, target: ast.expr, value: Known) -> None:
        """Give a value to what is assigned to."""
        if isinstance(target, ast.Name):
            self.environment[target.id] = self.told_apart(value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, value)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, sequence_of(element(value)))
        elif isinstance(target, ast.Attribute):
            self.value(target.value)
            if _is_self(target.value):
                self.environment[f"self.{target.attr}"] = value
        elif isinstance(target, ast.Subscript):
            self.value(target.value)
            self._subscript(target)

    def told_apart(self, value: Known) -> Known:
        """The value with an origin, if it may be a tensor and has none."""
        if value.origin or not (value.is_tensor or value.what is What.OTHER):
            return value
        self._origins += 1
        return msgspec.structs.replace(value, origin=self._origins)

    def _unpack(self, targets: list[ast.expr], value: Known) -> None:
        items = value.items
        if value.what is What.SEQUENCE and len(items) == len(targets) and not items[0].is_shared:
            for target, item in zip(targets, items, strict=True):
                self.bind(target, item)
            return
        for place, target in enumerate(targets):
            if value.what is What.SHAPE:
                varies = value.axes is None or place in value.axes
                self.bind(target, Known(What.NUMBER, value.cause if varies else ""))
            else:
                self.bind(target, element(value))

    # -- names of operators

    def api(self, callee: ast.expr) -> str:
        """The dotted name of what is called, in torch or MindSpore; empty where it is neither."""
        row = self.rows.get(callee)
        if row is not None:
            return row.api if self._is_sure(row) else ""
        parts = dotted_name(callee)
        if parts is None:
            return ""
        base = self.names.get(parts[0], "")
        return ".".join((base, *parts[1:])) if base and parts[0] not in self.environment else ""


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _integer(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _integer(node.operand)
        return None if inner is None else -inner
    return None


def _cuts_relatively(part: ast.Slice) -> bool:
    """Whether the length of a slice depends on that of what is sliced: x[1:], x[:-1], x[::2]; x[:100] has at most so
    many, which graphs take for as many as there are."""
    return part.upper is None or (_integer(part.upper) or 0) < 0
