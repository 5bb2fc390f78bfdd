"""Follows shapes through the statements of functions, branch by branch."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable

from mindport.usage.graph_constructs import compiled_by, is_attribute_of_self
from mindport.usage.places import Topic
from mindport.usage.shapes.calls import CallWalker
from mindport.usage.shapes.expressions import Environment
from mindport.usage.shapes.values import (
    OF_A_TENSOR,
    OTHER,
    RANDOM,
    Known,
    What,
    differ_in_shape,
    element,
    joined,
    without_origin,
)

COLLATE = "collate"  # in the names of functions that make a batch of items
_TENSOR_CLASSES = ("torch.Tensor", "mindspore.Tensor")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_TRIES = (ast.Try, getattr(ast, "TryStar", ast.Try))  # the second came with Python 3.11


class ShapeWalker(CallWalker):
    """Statements. `walk` is the way in."""

    def walk(self, statements: Iterable[ast.stmt]) -> None:
        """Follow the shapes in statements of a module or class."""
        self.environment = {}
        self.walk_on(statements)

    def walk_on(self, statements: Iterable[ast.stmt]) -> None:
        """The same, with the names that the statements before these left."""
        self._returns: list[Known] = []
        self._open: list[
            tuple[ast.If, str, int, int]
        ] = []  # tests on data: node, cause, first and last return in it
        self.block(statements)

    def block(self, statements: Iterable[ast.stmt]) -> bool:
        """Execute statements; whether the end is not reached."""
        return any(self._execute(statement) for statement in statements)

    def _execute(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.Assign):
            value = self.value(node.value)
            for target in node.targets:
                self.bind(target, value)
                if self.compiled and value.is_tensor:
                    self._look_at_attribute(target, node.value)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self.bind(node.target, self.value(node.value))
        elif isinstance(node, ast.AugAssign):
            value = self.value(ast.copy_location(ast.BinOp(node.target, node.op, node.value), node))
            if isinstance(node.target, ast.Name):
                self.environment[node.target.id] = value
        elif isinstance(node, ast.Expr):
            self.value(node.value)
        elif isinstance(node, ast.Return):
            self._returns.append(self.value(node.value) if node.value is not None else OTHER)
            return True
        elif isinstance(node, ast.If):
            return self._if(node)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self._for(node)
        elif isinstance(node, ast.While):
            self._enter_loop(node)
            self.value(node.test)
            self.block(node.body)
            self.block(node.orelse)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self.value(item.context_expr)
            return self.block(node.body)
        elif isinstance(node, ast.Match):
            return self._match(node)
        elif isinstance(node, _TRIES):
            self.block(node.body)
            for handler in node.handlers:
                self.block(handler.body)
            self.block([*node.orelse, *node.finalbody])
        elif isinstance(node, _FUNCTIONS):
            self._function(node)
        elif isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, (ast.Raise, ast.Break, ast.Continue)):
            return True
        elif isinstance(node, ast.Assert):
            self.value(node.test)
        return False

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        outer = self.environment, self._returns, self._open, self.compiled
        self.compiled = compiled_by(node, self.rows, self.names) or self.compiled
        arguments = node.args
        self.environment = {
            # When the function is called, names of the code around it may hold something else.
            name: without_origin(value)
            for name, value in outer[0].items()
            if not name.startswith("self.")
        }
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            what = What.TENSOR if self._is_tensor_class(argument.annotation) else What.OTHER
            self.environment[argument.arg] = self.told_apart(Known(what, form=argument.arg))
        self._returns, self._open = [], []
        self.block(node.body)
        if COLLATE in node.name:
            self._look_at_collate(node)
        self._compare_returns()
        self.environment, self._returns, self._open, self.compiled = outer

    def _is_tensor_class(self, node: ast.expr | None) -> bool:
        return node is not None and self.api(node) in _TENSOR_CLASSES

    def _look_at_collate(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """A collate function that leaves the items apart: tuple(zip(*batch))."""
        for statement in node.body:
            value = statement.value if isinstance(statement, ast.Return) else None
            inner = value.args[0] if isinstance(value, ast.Call) and len(value.args) == 1 else value
            if (
                isinstance(inner, ast.Call)
                and isinstance(inner.func, ast.Name)
                and inner.func.id == "zip"
                and any(isinstance(one, ast.Starred) for one in inner.args)
            ):
                self.note(Topic.BATCH, inner, "zip", "each item keeps its own size")

    def _look_at_attribute(self, target: ast.expr, value: ast.expr) -> None:
        """A tensor of this call kept in the object, in what is compiled: self.x = ... without self.x in it."""
        if is_attribute_of_self(target):
            text = ast.unparse(target)
            if not any(
                isinstance(one, ast.Attribute) and ast.unparse(one) == text for one in ast.walk(value)
            ):
                self.note(Topic.GRAPH, target, "attribute-tensor-read", self.compiled)

    def _class(self, node: ast.ClassDef) -> None:
        outer = self.environment
        self.environment = dict(outer)
        self.block(node.body)
        self.environment = outer

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        item = element(self.value(node.iter))
        self._enter_loop(node)
        before = dict(self.environment)
        self.bind(node.target, item)
        self.block(node.body)
        self.environment = _joined_environments(before, self.environment)
        self.block(node.orelse)

    def _enter_loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        """From the second pass on names that the loop stores hold something else."""
        if not any(value.origin for value in self.environment.values()):
            return
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one.id in self.environment:
                self.environment[one.id] = without_origin(self.environment[one.id])

    def _if(self, node: ast.If) -> bool:
        test = self.value(node.test)
        before = self.environment
        start = len(self._returns)
        self.environment = dict(before)
        body_leaves = self.block(node.body)
        after_body, middle = self.environment, len(self._returns)
        self.environment = dict(before)
        else_leaves = self.block(node.orelse)
        after_else = self.environment
        if test.is_data and test.cause != RANDOM:
            cause = test.cause if test.what is What.NUMBER else OF_A_TENSOR
            self._open.append((node, cause, start, middle))
            if not body_leaves and not else_leaves:
                self._compare_branches(node, cause, before, after_body, after_else)
        if body_leaves and else_leaves:
            return True
        if body_leaves or else_leaves:
            self.environment = after_else if body_leaves else after_body
        else:
            self.environment = _joined_environments(after_body, after_else)
        return False

    def _match(self, node: ast.Match) -> bool:
        """The cases as branches; what a pattern names is not known."""
        self.value(node.subject)
        before, after = self.environment, list[Environment]()
        for case in node.cases:
            self.environment = dict(before)
            for part in ast.walk(case.pattern):
                name = getattr(part, "rest", None) or getattr(part, "name", None)
                if isinstance(name, str):
                    self.environment[name] = OTHER
            if case.guard is not None:
                self.value(case.guard)
            if not self.block(case.body):
                after.append(self.environment)
        last = node.cases[-1]
        if last.guard is not None or not isinstance(last.pattern, ast.MatchAs) or last.pattern.pattern:
            after.append(before)
        if not after:
            return True
        self.environment = functools.reduce(_joined_environments, after)
        return False

    def _compare_branches(
        self, node: ast.If, cause: str, before: Environment, first: Environment, second: Environment
    ) -> None:
        """Whether a name has results of different shapes after the branches."""
        for name in sorted(first.keys() & second.keys()):
            if name.startswith("_"):
                continue
            one, two = first[name], second[name]
            if (one is not before.get(name) or two is not before.get(name)) and differ_in_shape(one, two):
                self.note(Topic.BRANCHES, node.test, name, cause)
                return

    def _compare_returns(self) -> None:
        """Whether a branch returns another shape than what comes after it."""
        for node, cause, start, middle in self._open:
            inside, after = self._returns[start:middle], self._returns[middle:]
            if any(differ_in_shape(one, two) for one in inside for two in after):
                self.note(Topic.BRANCHES, node.test, "the result", cause)


def _joined_environments(first: Environment, second: Environment) -> Environment:
    found = {}
    for name in first.keys() | second.keys():
        one, two = first.get(name), second.get(name)
        found[name] = joined(one, two) if one is not None and two is not None else (one or two or OTHER)
    return found
