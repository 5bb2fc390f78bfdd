"""Runs statements."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.usage.recipe.code import Function
from mindport.usage.recipe.construction.assignments import Assignments, lose
from mindport.usage.recipe.construction.budget import Budget
from mindport.usage.recipe.construction.frame import Evaluate, Frame
from mindport.usage.recipe.construction.objects import FunctionValue, Unknown
from mindport.usage.recipe.construction.operations import is_iterated, is_true


class Return(Exception):
    """A function returns this value."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


class Statements:
    """Runs statements for what they do to names and modules."""

    def __init__(self, budget: Budget, evaluate: Evaluate, assignments: Assignments) -> None:
        self._budget = budget
        self._evaluate = evaluate
        self._assign = assignments.assign

    def run(self, frame: Frame, body: Sequence[ast.stmt]) -> None:
        """Run statements one after the other. Raises `Return` at a return statement."""
        for statement in body:
            self._budget.step()
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                if statement.value is not None:
                    value = self._evaluate(frame, statement.value)
                    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                    for target in targets:
                        self._assign(frame, target, value, statement.value)
            elif isinstance(statement, ast.AugAssign):
                value = self._evaluate(frame, _sum(statement))
                self._assign(frame, statement.target, value, statement.value)
            elif isinstance(statement, ast.Expr):
                self._evaluate(frame, statement.value)
            elif isinstance(statement, ast.If):
                test = self._evaluate(frame, statement.test)
                if isinstance(test, Unknown):
                    lose(frame.scope, statement)
                else:
                    self.run(frame, statement.body if is_true(test) else statement.orelse)
            elif isinstance(statement, ast.For):
                items = self._evaluate(frame, statement.iter)
                if not is_iterated(items):
                    lose(frame.scope, statement)
                    continue
                for item in items:
                    self._assign(frame, statement.target, item, statement.iter)
                    self.run(frame, statement.body)
            elif isinstance(statement, ast.Return):
                raise Return(None if statement.value is None else self._evaluate(frame, statement.value))
            elif isinstance(statement, ast.With | ast.Try):
                self.run(frame, statement.body)
            elif isinstance(statement, Function):
                frame.scope[statement.name] = FunctionValue(frame.file, statement, frame.scope)
            elif isinstance(statement, ast.While):
                lose(frame.scope, statement)

    def result(self, frame: Frame, body: Sequence[ast.stmt]) -> object:
        """Run the statements of a function; what it returns."""
        try:
            self.run(frame, body)
        except Return as answer:
            return answer.value
        return None


def _sum(statement: ast.AugAssign) -> ast.expr:
    """The expression that an augmented assignment assigns."""
    target = ast.parse(ast.unparse(statement.target), mode="eval").body
    ast.copy_location(target, statement.target)
    return ast.copy_location(ast.BinOp(target, statement.op, statement.value), statement)
