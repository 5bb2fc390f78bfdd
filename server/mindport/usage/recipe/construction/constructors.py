"""Runs the constructors of the classes that a project defines."""

from __future__ import annotations

import ast
from collections.abc import Callable

from mindport.usage.recipe.code import Function, SourceFile, name_of
from mindport.usage.recipe.construction.budget import Budget
from mindport.usage.recipe.construction.definitions import Definitions
from mindport.usage.recipe.construction.frame import Evaluate, Frame, parameters
from mindport.usage.recipe.construction.objects import UNKNOWN, Module, Super
from mindport.usage.recipe.construction.torch_objects import layer

Run = Callable[[Frame, list[ast.stmt]], object]  # a constructor may return early


class Constructors:
    """Makes the modules and records of a project."""

    def __init__(self, definitions: Definitions, budget: Budget, evaluate: Evaluate, run: Run) -> None:
        self._definitions = definitions
        self._budget = budget
        self._evaluate = evaluate
        self._run = run

    def module(
        self, name: str, seen_from: str, positional: list[object], keywords: dict[str, object]
    ) -> Module:
        """A module of the class of a name as the file of a path sees it. Raises KeyError."""
        file, node = self._definitions.module_class(name, seen_from)
        module = Module(name, path=file.path)
        self._initialise(module, file, node, positional, keywords)
        return module

    def record(self, name: str, positional: list[object], keywords: dict[str, object]) -> Module:
        """An object that only holds settings."""
        file, fields = self._definitions.records[name]
        record = Module(name)
        names = [name_of(field.target) for field in fields]
        for field, key in zip(fields, names, strict=True):
            record.attributes[key] = (
                UNKNOWN if field.value is None else self._evaluate(Frame(file, {}), field.value)
            )
        record.attributes.update(zip(names, positional, strict=False))
        record.attributes.update(keywords)
        return record

    def initialise_base(
        self, owner: Super, positional: list[object] | None, keywords: dict[str, object]
    ) -> None:
        """Run the constructor that `super().__init__` calls; `positional` is None where the arguments are not known."""
        if positional is None:
            owner.module.is_understood = False
            return
        base = self._definitions.base(owner.file, owner.node)
        if base is not None:
            with self._budget:
                self._initialise(owner.module, *base, positional, keywords)
            return
        api = self._definitions.torch_base(owner.file, owner.node)
        if api.startswith("torch.nn.") and not api.endswith(".Module"):
            self._initialise_torch(owner.module, api, positional, keywords)

    def _initialise(
        self,
        module: Module,
        file: SourceFile,
        node: ast.ClassDef,
        positional: list[object],
        keywords: dict[str, object],
    ) -> None:
        """Run the constructor of a class on a module, or that of the class it derives from."""
        init = next((one for one in node.body if isinstance(one, Function) and one.name == "__init__"), None)
        if init is not None:
            scope = parameters(self._evaluate, file, init, [module, *positional], keywords)
            scope["__class__"] = (file, node)
            self._run(Frame(file, scope), init.body)
            return
        base = self._definitions.base(file, node)
        if base is not None:
            with self._budget:
                self._initialise(module, *base, positional, keywords)
        elif api := self._definitions.torch_base(file, node):
            self._initialise_torch(module, api, positional, keywords)

    def _initialise_torch(
        self, module: Module, api: str, positional: list[object], keywords: dict[str, object]
    ) -> None:
        made = layer(self._definitions, api, positional, keywords)
        module.parts.update(made.parts)
        module.is_understood &= made.is_understood
