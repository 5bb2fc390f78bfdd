"""Evaluates operators, comparisons and conditions of one unit to values."""

from __future__ import annotations

import ast
from abc import ABC

from mindport.semantics.flow.operators import BINARY, COMPARISONS, UNARY
from mindport.usage import algebra
from mindport.usage.call_expressions import CallWalker
from mindport.usage.called_names import is_type_of
from mindport.usage.types import BOOL, STR, Tag, Type
from mindport.usage.variables import TYPE_CHECK, Op, SiteForm, Value, Variable
from mindport.usage.walk_state import RESULT_CHOSEN, Environment

OPERATORS: dict[type, str] = {
    **{kind: one.method for kind, one in (*BINARY.items(), *COMPARISONS.items())},
    **{kind: method for kind, (_, method) in UNARY.items()},
}
_CONDITIONS = frozenset({ast.Call, ast.UnaryOp, ast.BoolOp})
_TENSOR = Tag.TENSOR


class OperationWalker(CallWalker, ABC):
    """Operators, and what a test tells of the names in it."""

    def operation(self, node: ast.AST, name: str, left: Value, right: Value | None) -> Value:
        """The result of an operator, with a site where an operand may be a tensor."""
        if isinstance(left, Variable) or isinstance(right, Variable):
            made = self.site(SiteForm.OPERATOR, node, name, left)
            made.other = right
            result = self.variable(Op.BINARY, left, name, right)
            if isinstance(left, Variable):
                result.origin = left.origin
                if name == "__matmul__":
                    # Beside an array stands another one much more often than a tensor.
                    beside_array = isinstance(right, Type) and right.tag is Tag.NDARRAY
                    self.use(left, "@array" if beside_array else "@matmul")
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
