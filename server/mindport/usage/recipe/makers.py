"""What makes modules: the classes of a project, and the functions that return what these classes or others make."""

from __future__ import annotations

import ast

from mindport.source.trees import every_node
from mindport.source.written_names import dotted_text, last_name
from mindport.usage.recipe.code import Code, Function, SourceFile

# Name of a class of modules -> its file and definition.
Classes = dict[str, tuple[SourceFile, ast.ClassDef]]

_LAYERS = ("nn.", "torch.nn.", "models.")


class Makers:
    """Answers which modules an expression makes, through the functions of the project that return them."""

    def __init__(self, code: Code, classes: Classes) -> None:
        self._classes = classes
        self._functions: dict[str, Function] = {}
        self._returns: dict[Function, list[str]] = {}
        for file in code.files:
            live = frozenset(node for node in file.nodes if isinstance(node, Function))
            for one in file.tree.body:
                if isinstance(one, Function) and one in live:
                    self._functions.setdefault(one.name, one)
        self.of_parts = frozenset(self._called_by_modules(code))

    def made(self, node: ast.AST) -> list[str]:
        """The names of the classes whose modules an expression makes, in the order they stand in."""
        found: list[str] = []
        for inner in every_node(node):
            name = last_name(inner.func) if isinstance(inner, ast.Call) else ""
            if name in self._classes:
                found.append(name)
            elif name in self._functions:
                found += self._returned(self._functions[name])
        return list(dict.fromkeys(found))

    def has_layers(self, node: ast.AST) -> bool:
        """Whether a class, one of the project that it derives from or makes, or a function that it calls makes layers
        or parameters. Buffers alone, as of a transform of Fourier, are none."""
        waiting, seen = [node], {node}
        while waiting:
            one = waiting.pop()
            names = [last_name(base) for base in getattr(one, "bases", ())]
            for inner in every_node(one):
                if isinstance(inner, ast.Call):
                    if last_name(inner.func) == "Parameter" or dotted_text(inner.func).startswith(_LAYERS):
                        return True
                    names.append(last_name(inner.func))
            further: list[ast.AST] = [self._functions[name] for name in names if name in self._functions]
            further += [self._classes[name][1] for name in names if name in self._classes]
            waiting += [other for other in further if other not in seen]
            seen.update(further)
        return False

    def _returned(self, function: Function) -> list[str]:
        """What a function returns: made in the statement itself, or kept under a name before."""
        if function in self._returns:
            return self._returns[function]
        self._returns[function] = []  # to one that calls itself
        found: list[str] = []
        for node in every_node(function):
            if not (isinstance(node, ast.Return) and node.value is not None):
                continue
            found += self.made(node.value)
            names = {inner.id for inner in every_node(node.value) if isinstance(inner, ast.Name)}
            for assigned in every_node(function):
                if isinstance(assigned, ast.Assign) and any(
                    last_name(one) in names for one in assigned.targets
                ):
                    found += self.made(assigned.value)
        self._returns[function] = found
        return found

    def _called_by_modules(self, code: Code) -> set[Function]:
        """The functions that modules call for their parts, and those that these call."""
        found: set[Function] = set()
        waiting: list[ast.AST] = list(code.module_classes)
        while waiting:
            node = waiting.pop()
            for inner in every_node(node):
                function = self._functions.get(last_name(inner.func)) if isinstance(inner, ast.Call) else None
                if function is not None and function not in found:
                    found.add(function)
                    waiting.append(function)
        return found
