"""Calls functions, methods and classes: those of the project, of torch, and of Python."""

from __future__ import annotations

import ast

from mindport.registry.torch import torch_facts
from mindport.usage.recipe.code import dotted, name_of
from mindport.usage.recipe.construction.budget import Budget
from mindport.usage.recipe.construction.constructors import Constructors
from mindport.usage.recipe.construction.definitions import Definitions
from mindport.usage.recipe.construction.frame import Evaluate, Frame, parameters
from mindport.usage.recipe.construction.methods import torch_method, value_method
from mindport.usage.recipe.construction.objects import (
    UNKNOWN,
    ClassValue,
    FunctionValue,
    Module,
    Super,
    Unknown,
    spread,
)
from mindport.usage.recipe.construction.operations import BUILTINS, applied
from mindport.usage.recipe.construction.statements import Statements
from mindport.usage.recipe.construction.torch_objects import layer, tensor


class Calls:
    """Answers calls."""

    def __init__(
        self,
        definitions: Definitions,
        budget: Budget,
        evaluate: Evaluate,
        statements: Statements,
        constructors: Constructors,
    ) -> None:
        self._definitions = definitions
        self._budget = budget
        self._evaluate = evaluate
        self._statements = statements
        self._constructors = constructors

    def call(self, frame: Frame, node: ast.Call) -> object:
        """What a call gives."""
        name = name_of(node.func)
        if name == "super" and isinstance(node.func, ast.Name):
            module, owner = frame.scope.get("self"), frame.scope.get("__class__")
            if isinstance(module, Module) and isinstance(owner, tuple):
                return Super(module, *owner)
            return UNKNOWN
        positional, keywords = self._arguments(frame, node)
        if isinstance(node.func, ast.Attribute):
            found = self._method(frame, node.func, positional, keywords)
            if found is not None:
                return found
        if positional is None:
            return self._with_unknown_arguments(frame, node)
        if name == "dict" and not positional:
            return keywords
        builtin = BUILTINS.get(dotted(node.func))
        if builtin is not None and name not in frame.scope:
            if any(isinstance(one, Unknown) for one in (*positional, *keywords.values())):
                return UNKNOWN
            return applied(builtin, *positional, **keywords)
        if name == "range" and all(isinstance(one, int) for one in positional):
            return applied(range, *positional)
        made = tensor(self._definitions.api(frame.file, node.func), positional)
        if made is not None:
            return made
        return self._called(self._evaluate(frame, node.func), positional, keywords)

    def _arguments(self, frame: Frame, node: ast.Call) -> tuple[list[object] | None, dict[str, object]]:
        """What a call passes; None for the positional ones where they, or names of others, are not known."""
        positional: list[object] | None = []
        for argument in node.args:
            value = self._evaluate(frame, argument.value if isinstance(argument, ast.Starred) else argument)
            if not isinstance(argument, ast.Starred):
                positional = None if positional is None else [*positional, value]
            elif isinstance(value, list | tuple | Module) and positional is not None:
                positional = [*positional, *spread(value)]
            else:
                positional = None
        keywords: dict[str, object] = {}
        for keyword in node.keywords:
            value = self._evaluate(frame, keyword.value)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            elif isinstance(value, dict):
                keywords |= {str(key): one for key, one in value.items()}
            else:
                positional = None
        return positional, keywords

    def _with_unknown_arguments(self, frame: Frame, node: ast.Call) -> object:
        """A call whose arguments are not all known: of a class it still is a module, though nobody knows how large."""
        callee = self._evaluate(frame, node.func)
        if isinstance(callee, ClassValue):
            return Module(callee.name.rpartition(".")[2], is_understood=False)
        return UNKNOWN

    def _called(self, callee: object, positional: list[object], keywords: dict[str, object]) -> object:
        """What a function or class gives."""
        if isinstance(callee, ClassValue) and callee.is_torch:
            if callee.name.startswith("torch.nn.") and torch_facts().is_module_class(callee.name):
                return layer(self._definitions, callee.name, positional, keywords)
            return UNKNOWN
        if isinstance(callee, ClassValue) and callee.name in self._definitions.records:
            return self._constructors.record(callee.name, positional, keywords)
        if isinstance(callee, ClassValue):
            with self._budget:
                return self._constructors.module(callee.name, callee.seen_from, positional, keywords)
        if isinstance(callee, FunctionValue):
            with self._budget:
                return self._function(callee, positional, keywords)
        return UNKNOWN

    def _function(
        self, callee: FunctionValue, positional: list[object], keywords: dict[str, object]
    ) -> object:
        passed = parameters(self._evaluate, callee.file, callee.node, positional, keywords)
        frame = Frame(callee.file, {**callee.scope, **passed})
        if isinstance(callee.node, ast.Lambda):
            return self._evaluate(frame, callee.node.body)
        return self._statements.result(frame, callee.node.body)

    def _method(
        self,
        frame: Frame,
        function: ast.Attribute,
        positional: list[object] | None,
        keywords: dict[str, object],
    ) -> object:
        """The answer of a method; None where it is not understood, or is None."""
        owner = self._evaluate(frame, function.value)
        if isinstance(owner, Super):
            if function.attr == "__init__":
                self._constructors.initialise_base(owner, positional, keywords)
            return UNKNOWN
        if positional is None:
            return None
        if isinstance(owner, Module):
            return self._module_method(owner, function.attr, positional, keywords)
        return value_method(owner, function.attr, positional)

    def _module_method(
        self, module: Module, name: str, positional: list[object], keywords: dict[str, object]
    ) -> object:
        found = torch_method(self._definitions, module, name, positional)
        if found is not None:
            return found
        method = self._definitions.method(module.name, module.path, name)
        if method is None:
            return UNKNOWN
        file, owner, node = method
        with self._budget:
            is_static = any(name_of(one) == "staticmethod" for one in node.decorator_list)
            passed = positional if is_static else [module, *positional]
            scope = parameters(self._evaluate, file, node, passed, keywords)
            scope.setdefault("__class__", (file, owner))
            return self._statements.result(Frame(file, scope), node.body)
