"""Evaluates expressions of one unit to values, in one walk that also writes down every place where torch may be used.

Nothing outside the unit but the file's imports is consulted: what is not known here becomes a `Variable`."""

from __future__ import annotations

import ast
from abc import ABC
from collections.abc import Callable
from typing import Any

from mindport.usage import algebra
from mindport.usage.displays import DisplayWalker
from mindport.usage.formats import format_of
from mindport.usage.header import ImportTable
from mindport.usage.types import (
    BOOL,
    BYTES,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    OTHER,
    STR,
    UNKNOWN,
    Tag,
    Type,
    is_vague,
)
from mindport.usage.values_as_indices import parts_of_index
from mindport.usage.variables import Index, Op, SiteForm, Value, Variable
from mindport.usage.walk_state import RESULT_INDEX, RESULT_INDEXED, RESULT_WRITTEN

_CONSTANTS: dict[type, Type] = {
    str: STR, int: INT, float: FLOAT, bool: BOOL, bytes: BYTES, type(None): NONE, complex: NUMBER, type(...): OTHER,
}  # fmt: skip
_TENSOR = Tag.TENSOR
_PROJECT_INSTANCE = Tag.PROJECT_INSTANCE


class Evaluators(dict[type, Callable[[Any], Value]]):
    """By class of node; a kind of expression that a later Python adds has an unknown value."""

    def __missing__(self, kind: type) -> Callable[[Any], Value]:
        return _unknown


class ExpressionWalker(DisplayWalker, ABC):
    """Every kind of expression: which method takes it, and items, texts and what only hands a value on."""

    def __init__(self, table: ImportTable, module_name: str) -> None:
        super().__init__(table, module_name)
        self.listed = set()
        self.evaluators = Evaluators(
            {
                ast.Name: self.name,
                ast.Attribute: self.attribute,
                ast.Call: self.call,
                ast.Constant: self.constant,
                ast.BinOp: self.binary,
                ast.UnaryOp: self.unary,
                ast.Compare: self.compare,
                ast.BoolOp: self.boolean,
                ast.Subscript: self.subscript,
                ast.Tuple: self.tuple_display,
                ast.List: self.list_display,
                ast.Set: self.set_display,
                ast.Dict: self.dict_display,
                ast.IfExp: self.conditional,
                ast.ListComp: self.sequence_comprehension,
                ast.GeneratorExp: self.sequence_comprehension,
                ast.SetComp: self.sequence_comprehension,
                ast.DictComp: self.dict_comprehension,
                ast.Lambda: self.lambda_function,
                ast.JoinedStr: self.joined_string,
                ast.FormattedValue: self.formatted,
                ast.Starred: self.starred,
                ast.NamedExpr: self.named,
                ast.Await: self.awaited,
                ast.Yield: self.yielded,
                ast.YieldFrom: self.yielded_from,
                ast.Slice: self.slice_bounds,
            }
        )

    def constant(self, node: ast.Constant) -> Value:
        return _CONSTANTS[node.value.__class__]

    def index_of(self, node: ast.expr) -> int | str | Index:
        """The style of a subscript, or its value where it is a plain constant."""
        if isinstance(node, ast.Constant):
            value = node.value
            if isinstance(value, (int, str)) and not isinstance(value, bool):
                return value
            return Index.TENSOR_LIKE if value is None or value is Ellipsis else Index.OTHER
        if (
            isinstance(node, ast.UnaryOp)
            and isinstance(node.operand, ast.Constant)
            and isinstance(node.op, ast.USub)
        ):
            value = node.operand.value
            return -value if isinstance(value, int) else Index.OTHER
        if isinstance(node, ast.Slice):
            return Index.SLICE
        if isinstance(node, ast.Tuple):
            for element in node.elts:
                if isinstance(element, ast.Slice) or (
                    isinstance(element, ast.Constant) and (element.value is None or element.value is Ellipsis)
                ):
                    return Index.TENSOR_LIKE
        return Index.OTHER

    def subscript(self, node: ast.Subscript) -> Value:
        base = self.evaluate(node.value)
        if node.value.__class__ in (ast.Call, ast.Attribute) and node.value not in self.listed:
            is_written = not isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Attribute)
            self.summary.results[node.value] = RESULT_WRITTEN if is_written else RESULT_INDEXED
        for part in parts_of_index(node.slice):
            self.summary.results[part] = RESULT_INDEX
        index = self.index_of(node.slice)
        index_value: Value = INT
        if isinstance(index, (Index, str)):
            index_value = self.evaluate(node.slice)
        return self.item(node, base, index, index_value)

    def item(self, node: ast.Subscript, base: Value, index: int | str | Index, index_value: Value) -> Value:
        """`base[index]`."""
        name = "__getitem__" if isinstance(node.ctx, ast.Load) else "__setitem__"
        if isinstance(base, Variable):
            if index is Index.TENSOR_LIKE:
                self.use(base, "@tensor_index")
            elif isinstance(index, str):
                self.use(base, "@text_index")
            if isinstance(index_value, Type) and index_value.tag is Tag.STR:
                self.use(base, "@text_index")
            self.site(SiteForm.INDEX, node, name, base).other = index_value
            result = self.variable(Op.ITEM, base, "", (index, index_value))
            if index is Index.TENSOR_LIKE:
                result.origin = base.origin
            return result
        if base.tag in (_TENSOR, Tag.UNION, Tag.INSTANCE):
            self.site(SiteForm.INDEX, node, name, base).other = index_value
        elif base.tag is _PROJECT_INSTANCE or base.tag is Tag.METHOD:
            return self.variable(Op.ITEM, base, "", (index, index_value))
        if isinstance(index_value, Variable) and base.tag is not _TENSOR:
            return self.variable(Op.ITEM, base, "", (index, index_value))
        found = algebra.item(base, index, index_value if isinstance(index_value, Type) else UNKNOWN)
        return found if not is_vague(found) else self.variable(Op.ITEM, base, "", (index, index_value))

    def slice_bounds(self, node: ast.Slice) -> Value:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.evaluate(part)
        return OTHER

    def joined_string(self, node: ast.JoinedStr) -> Value:
        fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        for place, part in enumerate(fields):
            value = self.formatted(part)
            self.formatting(part.value, value, format_of(part), (node, place))
        return STR

    def formatted(self, node: ast.FormattedValue) -> Value:
        """The value in a field of an f-string."""
        before = len(self.summary.sites)
        value = self.evaluate(node.value)
        for made in self.summary.sites[before:]:
            made.inside_string = True
        if node.format_spec is not None:
            self.evaluate(node.format_spec)
        return value

    def named(self, node: ast.NamedExpr) -> Value:
        value = self.evaluate(node.value)
        self.bind(node.target, value)
        return value

    def awaited(self, node: ast.Await) -> Value:
        return self.evaluate(node.value)

    def yielded(self, node: ast.Yield) -> Value:
        value = self.evaluate(node.value) if node.value is not None else NONE
        if self.function is not None:
            self.function.is_generator = True
            self.function.returns.append(value)
        return UNKNOWN

    def yielded_from(self, node: ast.YieldFrom) -> Value:
        value = self.element(self.evaluate(node.value))
        if self.function is not None:
            self.function.is_generator = True
            self.function.returns.append(value)
        return UNKNOWN


def _unknown(node: ast.expr) -> Value:
    return UNKNOWN
