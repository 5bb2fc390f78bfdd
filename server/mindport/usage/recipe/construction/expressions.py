"""Evaluates expressions by what the code that ran before them left."""

from __future__ import annotations

import ast

from mindport.usage.recipe.code import name_of
from mindport.usage.recipe.construction.assignments import Assignments
from mindport.usage.recipe.construction.calls import Calls
from mindport.usage.recipe.construction.definitions import Definitions
from mindport.usage.recipe.construction.frame import Evaluate, Frame
from mindport.usage.recipe.construction.objects import (
    UNKNOWN,
    ClassValue,
    FunctionValue,
    Module,
    Unknown,
    spread,
)
from mindport.usage.recipe.construction.operations import binary, compared, is_iterated, is_true, item, unary


class Expressions:
    """Evaluates expressions. `evaluate` is for the parts of them."""

    def __init__(
        self, definitions: Definitions, evaluate: Evaluate, assignments: Assignments, calls: Calls
    ) -> None:
        self._definitions = definitions
        self._evaluate = evaluate
        self._assign = assignments.assign
        self._call = calls.call

    def value(self, frame: Frame, node: ast.expr) -> object:
        """The value of an expression."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._name(frame, node)
        if isinstance(node, ast.Attribute):
            return self._attribute(frame, node)
        if isinstance(node, ast.Call):
            return self._call(frame, node)
        if isinstance(node, ast.List | ast.Tuple):
            return self._sequence(frame, node)
        if isinstance(node, ast.Dict):
            return self._mapping(frame, node)
        if isinstance(node, ast.BinOp):
            return binary(node.op, self._evaluate(frame, node.left), self._evaluate(frame, node.right))
        if isinstance(node, ast.UnaryOp):
            return unary(node.op, self._evaluate(frame, node.operand))
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = self._evaluate(frame, node.left), self._evaluate(frame, node.comparators[0])
            return compared(node.ops[0], left, right)
        if isinstance(node, ast.BoolOp):
            return self._boolean(frame, node)
        if isinstance(node, ast.IfExp):
            test = self._evaluate(frame, node.test)
            if isinstance(test, Unknown):
                return UNKNOWN
            return self._evaluate(frame, node.body if is_true(test) else node.orelse)
        if isinstance(node, ast.Subscript):
            return item(self._evaluate(frame, node.value), self._evaluate(frame, node.slice))
        if isinstance(node, ast.Slice):
            return self._slice(frame, node)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self._comprehension(frame, node)
        if isinstance(node, ast.Lambda):
            return FunctionValue(frame.file, node, frame.scope)
        return UNKNOWN

    def _name(self, frame: Frame, node: ast.Name) -> object:
        if node.id in frame.scope:
            return frame.scope[node.id]
        definitions = self._definitions
        if api := definitions.api(frame.file, node):
            return ClassValue(api, is_torch=True)
        if definitions.is_module_class(node.id) or node.id in definitions.records:
            return ClassValue(node.id, seen_from=frame.file.path)
        if node.id in definitions.functions:
            return FunctionValue(*definitions.functions[node.id], {})
        return UNKNOWN

    def _attribute(self, frame: Frame, node: ast.Attribute) -> object:
        definitions = self._definitions
        if api := definitions.api(frame.file, node):
            return ClassValue(api, is_torch=True)
        owner = self._evaluate(frame, node.value) if not isinstance(node.value, ast.Constant) else UNKNOWN
        if isinstance(owner, Module):
            if node.attr in owner.parts:
                return owner.parts[node.attr]
            return owner.attributes.get(node.attr, UNKNOWN)
        if isinstance(owner, ClassValue) and definitions.is_module_class(owner.name):
            home, defined = definitions.module_class(owner.name, owner.seen_from)
            for one in defined.body:
                if isinstance(one, ast.Assign) and name_of(one.targets[0]) == node.attr:
                    return self._evaluate(Frame(home, {}), one.value)
            return UNKNOWN
        if isinstance(owner, Unknown) and isinstance(node.value, ast.Name):
            if definitions.is_module_class(node.attr):
                return ClassValue(node.attr, seen_from=frame.file.path)
            if node.attr in definitions.functions and node.value.id not in frame.scope:
                return FunctionValue(*definitions.functions[node.attr], {})
        return UNKNOWN

    def _sequence(self, frame: Frame, node: ast.List | ast.Tuple) -> object:
        items: list[object] = []
        for one in node.elts:
            value = self._evaluate(frame, one.value if isinstance(one, ast.Starred) else one)
            if not isinstance(one, ast.Starred):
                items.append(value)
            elif isinstance(value, list | tuple | Module):
                items += spread(value)
            else:
                return UNKNOWN
        return items if isinstance(node, ast.List) else tuple(items)

    def _mapping(self, frame: Frame, node: ast.Dict) -> object:
        if any(key is None for key in node.keys):
            return UNKNOWN
        return {
            self._evaluate(frame, key): self._evaluate(frame, value)
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        }

    def _boolean(self, frame: Frame, node: ast.BoolOp) -> object:
        value: object = UNKNOWN
        for one in node.values:
            value = self._evaluate(frame, one)
            if isinstance(value, Unknown):
                return UNKNOWN
            if is_true(value) is isinstance(node.op, ast.Or):
                return value
        return value

    def _slice(self, frame: Frame, node: ast.Slice) -> object:
        ends = [
            None if one is None else self._evaluate(frame, one) for one in (node.lower, node.upper, node.step)
        ]
        return UNKNOWN if any(isinstance(one, Unknown) for one in ends) else slice(*ends)

    def _comprehension(self, frame: Frame, node: ast.ListComp | ast.GeneratorExp) -> object:
        if len(node.generators) != 1:
            return UNKNOWN
        generator = node.generators[0]
        items = self._evaluate(frame, generator.iter)
        if not is_iterated(items):
            return UNKNOWN
        found = []
        inner = Frame(frame.file, dict(frame.scope))
        for one in items:
            self._assign(inner, generator.target, one, generator.iter)
            tests = [self._evaluate(inner, test) for test in generator.ifs]
            if any(isinstance(test, Unknown) for test in tests):
                return UNKNOWN
            if all(is_true(test) for test in tests):
                found.append(self._evaluate(inner, node.elt))
        return found
