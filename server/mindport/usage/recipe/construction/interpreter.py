"""Interprets the code of a project: what it computes by itself, and besides what its settings say."""

from __future__ import annotations

import ast

from mindport.usage.recipe.code import Code, name_of
from mindport.usage.recipe.construction.assignments import Assignments
from mindport.usage.recipe.construction.budget import Budget
from mindport.usage.recipe.construction.calls import Calls
from mindport.usage.recipe.construction.constructors import Constructors
from mindport.usage.recipe.construction.definitions import Definitions
from mindport.usage.recipe.construction.expressions import Expressions
from mindport.usage.recipe.construction.frame import Frame
from mindport.usage.recipe.construction.objects import UNKNOWN, Module, Unknown
from mindport.usage.recipe.construction.statements import Statements
from mindport.usage.recipe.values import Known, Values


class Interpreter:
    """Puts together what evaluates expressions, runs statements and makes modules. All of it may raise `BudgetSpent`,
    and anything else that odd code leads to."""

    def __init__(self, code: Code, values: Values) -> None:
        self.budget = Budget()
        self._values = values
        definitions = Definitions(code)
        assignments = Assignments(definitions, self.evaluate)
        statements = Statements(self.budget, self.evaluate, assignments)
        self.run = statements.run
        self.constructors = Constructors(definitions, self.budget, self.evaluate, statements.result)
        calls = Calls(definitions, self.budget, self.evaluate, statements, self.constructors)
        self._expressions = Expressions(definitions, self.evaluate, assignments, calls)

    def evaluate(self, frame: Frame, node: ast.expr) -> object:
        """The value of an expression, `UNKNOWN` where it is not known."""
        self.budget.step()
        found = self._expressions.value(frame, node)
        if not isinstance(found, Unknown) or not self._is_settled(frame, node):
            return found
        # What the walk does not tell may stand in the settings of the project.
        known = self._values.value(frame.file, node)
        if isinstance(known, Known) and isinstance(known.value, bool | int | float | str | tuple):
            return known.value
        return UNKNOWN

    def _is_settled(self, frame: Frame, node: ast.expr) -> bool:
        """Whether the settings may answer for an expression: for names that nothing here gives a value, and for
        settings that mean one thing only. What another call passes, or another run would have, is no answer."""
        if node not in frame.file.parents:
            return False
        if isinstance(node, ast.Name):
            return node.id not in frame.scope
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and isinstance(frame.scope.get(node.value.id), Module):
                return False
            return name_of(node.value) == "self" or self._values.is_settled(frame.file, node.attr)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            key = node.slice.value
            return isinstance(key, str) and self._values.is_settled(frame.file, key)
        return False
