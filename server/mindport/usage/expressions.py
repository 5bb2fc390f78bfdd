"""Evaluates expressions of one unit to values, in one walk that also writes down every place where torch may be used.

Nothing outside the unit but the file's imports is consulted: what is not known here becomes a `Variable`."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from mindport.semantics.flow.operators import BINARY, COMPARISONS, UNARY
from mindport.usage import algebra
from mindport.usage.called_names import is_type_of
from mindport.usage.formats import format_of
from mindport.usage.header import ImportTable
from mindport.usage.listed_names import lookups_of_listed_names
from mindport.usage.references import ReferenceWalker
from mindport.usage.types import (
    BETWEEN_KEYS,
    BOOL,
    BYTES,
    EMPTY_LIST,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    OTHER,
    SET,
    STR,
    UNKNOWN,
    UNKNOWN_DICT,
    UNKNOWN_SEQUENCE,
    Tag,
    Type,
    dict_of,
    dict_with,
    is_vague,
    join_all,
    sequence_of,
    tuple_of,
    with_payload,
)
from mindport.usage.values_as_indices import parts_of_index
from mindport.usage.variables import (
    TYPE_CHECK,
    FunctionRecord,
    Index,
    Op,
    Parameter,
    SiteForm,
    Value,
    Variable,
)
from mindport.usage.walk_state import (
    RESULT_CHOSEN,
    RESULT_INDEX,
    RESULT_INDEXED,
    RESULT_WRITTEN,
    Environment,
    types_of,
)

_CONSTANTS: dict[type, Type] = {
    str: STR, int: INT, float: FLOAT, bool: BOOL, bytes: BYTES, type(None): NONE, complex: NUMBER, type(...): OTHER,
}  # fmt: skip
OPERATORS: dict[type, str] = {
    **{kind: one.method for kind, one in (*BINARY.items(), *COMPARISONS.items())},
    **{kind: method for kind, (_, method) in UNARY.items()},
}

_CONDITIONS = frozenset({ast.Call, ast.UnaryOp, ast.BoolOp})
_TENSOR = Tag.TENSOR
_TORCH_MODULE = Tag.TORCH_MODULE
_PROJECT_INSTANCE = Tag.PROJECT_INSTANCE


class Evaluators(dict[type, Callable[[Any], Value]]):
    """By class of node; a kind of expression that a later Python adds has an unknown value."""

    def __missing__(self, kind: type) -> Callable[[Any], Value]:
        return _unknown


def _unknown(node: ast.expr) -> Value:
    return UNKNOWN


class ExpressionWalker(ReferenceWalker, ABC):
    """Every kind of expression but names, attributes and calls."""

    def __init__(self, table: ImportTable, module_name: str) -> None:
        super().__init__(table, module_name)
        self.listed: set[ast.AST] = set()  # in which a name of the same module's list is looked up
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

    # -- operators

    def constant(self, node: ast.Constant) -> Value:
        return _CONSTANTS[node.value.__class__]

    def operation(self, node: ast.AST, name: str, left: Value, right: Value | None) -> Value:
        """The result of an operator, with a site where an operand may be a tensor."""
        if isinstance(left, Variable) or isinstance(right, Variable):
            made = self.site(SiteForm.OPERATOR, node, name, left)
            made.other = right
            result = self.variable(Op.BINARY, left, name, right)
            if isinstance(left, Variable):
                result.origin = left.origin
                if name == "__matmul__":
                    self.use(left, "@matmul")
                if isinstance(right, Type) and right.tag is _TENSOR:
                    self.use(left, "@with_tensor")
            elif isinstance(right, Variable):
                result.origin = right.origin
                if left.tag is _TENSOR:
                    self.use(right, "@with_tensor")
            return result
        if left.tag is _TENSOR or (right is not None and right.tag is _TENSOR) or left.tag is Tag.UNION:
            made = self.site(SiteForm.OPERATOR, node, name, left)
            made.other = right
        return algebra.binary(name, left, right)

    def binary(self, node: ast.BinOp) -> Value:
        # The left spine of a long sum is walked without recursion.
        spine = [node]
        left = node.left
        while isinstance(left, ast.BinOp):
            spine.append(left)
            left = left.left
        evaluators = self.evaluators
        value = evaluators[left.__class__](left)
        for part in reversed(spine):
            right = evaluators[part.right.__class__](part.right)
            if isinstance(value, Type) and value.tag is Tag.STR:
                value = STR
                continue
            value = self.operation(part, OPERATORS[part.op.__class__], value, right)
        return value

    def unary(self, node: ast.UnaryOp) -> Value:
        value = self.evaluate(node.operand)
        if isinstance(node.op, ast.Not):
            return BOOL
        return self.operation(node, OPERATORS[node.op.__class__], value, None)

    def is_type(self, node: ast.expr) -> bool:
        """Whether an expression is the type of a value: `type(m)`, `m.__class__`, or a name for it."""
        return is_type_of(node) or (isinstance(node, ast.Name) and node.id in self.types_of_values)

    def compare(self, node: ast.Compare) -> Value:
        evaluators = self.evaluators
        context = self.context
        if any(map(is_type_of, node.comparators)):
            self.context = TYPE_CHECK
        left = evaluators[node.left.__class__](node.left)
        self.context = context
        result: Value = BOOL
        is_type = self.is_type(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            if is_type:
                self.context = TYPE_CHECK
            right = evaluators[comparator.__class__](comparator)
            self.context = context
            name = OPERATORS.get(op.__class__)
            if name is not None:
                if isinstance(right, Type) and right.tag is Tag.STR:
                    self.use(left, "@equals_text")
                    result = BOOL
                else:
                    result = self.operation(node, name, left, right)
            else:
                result = BOOL
                if isinstance(op, (ast.In, ast.NotIn)):
                    self.use(right, "@contains")
            left = right
        return result

    def boolean(self, node: ast.BoolOp) -> Value:
        holds = isinstance(node.op, ast.And)
        *others, last = node.values
        values = []
        narrowed: dict[str, tuple[Value, Value]] = {}
        for part in others:
            values.append(self.evaluate(part))
            if part.__class__ in _CONDITIONS:
                # What comes next is only evaluated where this part holds (`and`) or does not (`or`).
                for name, kind in self.narrowings(part, holds).items():
                    before = narrowed[name][0] if name in narrowed else self.environment[name]
                    narrowed[name] = (before, kind)
                    self.environment[name] = kind
        values.append(self.evaluate(last))
        for name, (before, kind) in narrowed.items():
            if self.environment.get(name) is kind:
                self.environment[name] = before
        return self.joined(values)

    def conditional(self, node: ast.IfExp) -> Value:
        self.evaluate(node.test)
        before = self.environment
        self.environment = self.narrowed(node.test, True)
        body = self.evaluate(node.body)
        self.environment = before
        other_environment = self.narrowed(node.test, False)
        self.environment = other_environment
        other = self.evaluate(node.orelse)
        self.environment = before
        for part in (node.body, node.orelse):
            if part.__class__ in (ast.Name, ast.Attribute):
                self.summary.results[part] = RESULT_CHOSEN
        return self.joined([body, other])

    def narrowings(self, test: ast.expr, holds: bool) -> dict[str, Value]:
        """Names about which `test` says something where it holds, or does not; overridden by statements as well."""
        return {}

    def narrowed(self, test: ast.expr, holds: bool) -> Environment:
        """The environment in which `test` holds, or does not; overridden where statements know more."""
        return self.environment

    # -- subscripts and containers

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
            is_written = isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Attribute)
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

    def collection(self, nodes: list[ast.expr], is_tuple: bool) -> Value:
        """A list or tuple display."""
        evaluators = self.evaluators
        values = [evaluators[node.__class__](node) for node in nodes]
        for node in nodes:
            if isinstance(node, ast.Starred):
                is_tuple = False
                break
        fixed = is_tuple or len(values) <= 4
        for value in values:
            if isinstance(value, Variable):
                return self.variable(Op.SEQUENCE, None, "tuple" if is_tuple else "", values)
        if is_tuple and fixed:
            return tuple_of(types_of(values))
        return sequence_of(join_all(types_of(values))) if values else EMPTY_LIST

    def tuple_display(self, node: ast.Tuple) -> Value:
        return self.collection(node.elts, True)

    def list_display(self, node: ast.List) -> Value:
        return self.collection(node.elts, False)

    def set_display(self, node: ast.Set) -> Value:
        for element in node.elts:
            self.evaluate(element)
        return SET

    def dict_display(self, node: ast.Dict) -> Value:
        values = []
        keys: list[str] = []
        for key, value in zip(node.keys, node.values, strict=False):
            if key is not None:
                self.evaluate(key)
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                keys.append(key.value)
            values.append(self.evaluate(value))
        if len(keys) < len(values):
            keys = []
        for made in values:
            if isinstance(made, Variable):
                return self.variable(Op.DICT, None, BETWEEN_KEYS.join(keys), values)
        return dict_with(keys, types_of(values))

    def starred(self, node: ast.Starred) -> Value:
        value = self.evaluate(node.value)
        self.use(value, "@starred")
        return self.element(value)

    # -- comprehensions and functions

    def generators(self, generators: list[ast.comprehension], *made: ast.expr) -> None:
        """The loops of a comprehension, which makes something of each round."""
        for generator in generators:
            parts = (*generator.ifs, *made)
            self.listed.update(lookups_of_listed_names(generator.target, generator.iter, parts))
            self.bind(generator.target, self.element(self.evaluate(generator.iter)))
            for condition in generator.ifs:
                self.evaluate(condition)
                self.environment = self.narrowed(condition, True)

    @abstractmethod
    def bind(self, target: ast.expr, value: Value) -> None:
        """Assign to a target; statements know how."""

    def sequence_comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Value:
        before = self.environment
        self.environment = before.copy()
        self.generators(node.generators, node.elt)
        value = self.evaluate(node.elt)
        self.environment = before
        if isinstance(value, Variable):
            return self.variable(Op.SEQUENCE, None, "", [value])
        return sequence_of(value)

    def dict_comprehension(self, node: ast.DictComp) -> Value:
        before = self.environment
        self.environment = before.copy()
        self.generators(node.generators, node.key, node.value)
        self.evaluate(node.key)
        value = self.evaluate(node.value)
        self.environment = before
        if isinstance(value, Variable):
            return self.variable(Op.DICT, None, "", [value])
        return dict_of(STR, value)

    def lambda_function(self, node: ast.Lambda) -> Value:
        record = FunctionRecord(f"{self.module_name}:{self.scope}.<lambda>{node.lineno}", "<lambda>", "")
        before, outer, scope = self.environment, self.outer, self.scope
        self.outer = (before, *outer)
        self.environment = {}
        self.lambda_parameters(node.args, record)
        self.scope = f"{scope}.<lambda>" if scope else "<lambda>"
        record.returns.append(self.evaluate(node.body))
        self.environment, self.outer, self.scope = before, outer, scope
        return with_payload(Tag.PROJECT_FUNCTION, record.key, record)

    def lambda_parameters(self, arguments: ast.arguments, record: FunctionRecord) -> None:
        for position, argument in enumerate((*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)):
            parameter = Parameter(record.key, argument.arg, position, 0, None, None)
            parameter.variable = self.variable(Op.PARAMETER, None, argument.arg, parameter)
            record.parameters[argument.arg] = parameter
            self.environment[argument.arg] = parameter.variable
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self.evaluate(default)
        if arguments.vararg is not None:
            self.environment[arguments.vararg.arg] = UNKNOWN_SEQUENCE
        if arguments.kwarg is not None:
            self.environment[arguments.kwarg.arg] = UNKNOWN_DICT

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
