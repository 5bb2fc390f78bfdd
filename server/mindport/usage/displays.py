"""Evaluates to values what makes a collection or a function where it stands: displays, comprehensions, lambdas."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from mindport.usage.listed_names import lookups_of_listed_names
from mindport.usage.operations import OperationWalker
from mindport.usage.types import (
    BETWEEN_KEYS,
    EMPTY_LIST,
    SET,
    STR,
    UNKNOWN_DICT,
    UNKNOWN_SEQUENCE,
    Tag,
    dict_of,
    dict_with,
    join_all,
    sequence_of,
    tuple_of,
    with_payload,
)
from mindport.usage.variables import FunctionRecord, Op, ParameterRecord, Value, Variable
from mindport.usage.walk_state import types_of


class DisplayWalker(OperationWalker, ABC):
    """Displays, comprehensions and lambdas."""

    listed: set[ast.AST]  # in which a name of the same module's list is looked up

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

    def generators(self, generators: list[ast.comprehension], *made: ast.expr) -> None:
        """The loops of a comprehension, which makes something of each round."""
        for generator in generators:
            parts = (*generator.ifs, *made)
            self.listed.update(lookups_of_listed_names(generator.target, generator.iter, parts))
            self.bind(generator.target, self.element(self.evaluate(generator.iter)))
            self.note_row(generator.target, generator.iter)
            for condition in generator.ifs:
                self.evaluate(condition)
                self.environment = self.narrowed(condition, True)

    @abstractmethod
    def note_row(self, target: ast.expr, iterated: ast.expr) -> None:
        """Note a loop's variable that is an element of each of several."""

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
            parameter = ParameterRecord(record.key, argument.arg, position, 0, None, None)
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
