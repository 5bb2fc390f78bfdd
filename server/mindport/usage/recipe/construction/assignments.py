"""What assignments change, and what is no longer known after code that is not followed."""

from __future__ import annotations

import ast

from mindport.usage.recipe.code import name_of
from mindport.usage.recipe.construction.definitions import Definitions
from mindport.usage.recipe.construction.frame import Evaluate, Frame, Scope
from mindport.usage.recipe.construction.objects import UNKNOWN, Module, Unknown
from mindport.usage.recipe.construction.torch_objects import hold

_MAKERS = ("make", "_make", "build", "get_", "create", "conv", "init")


class Assignments:
    """Gives values to names, attributes and items."""

    def __init__(self, definitions: Definitions, evaluate: Evaluate) -> None:
        self._definitions = definitions
        self._evaluate = evaluate

    def assign(self, frame: Frame, target: ast.expr, value: object, source: ast.expr) -> None:
        """Give a target the value of an expression. A part that is not known leaves the count of its module open."""
        if isinstance(target, ast.Name):
            frame.scope[target.id] = value
        elif isinstance(target, ast.Attribute):
            owner = self._evaluate(frame, target.value)
            if isinstance(owner, Module):
                if isinstance(value, Unknown) and _may_make_module(source, _handed_in(frame, source)):
                    owner.is_understood = False
                hold(self._definitions, owner, target.attr, value)
        elif isinstance(target, ast.Tuple | ast.List):
            items = value if isinstance(value, list | tuple) and len(value) == len(target.elts) else None
            for index, one in enumerate(target.elts):
                self.assign(frame, one, UNKNOWN if items is None else items[index], source)
        elif isinstance(target, ast.Subscript):
            owner, key = self._evaluate(frame, target.value), self._evaluate(frame, target.slice)
            if isinstance(owner, dict | list) and not isinstance(key, Unknown):
                owner[key] = value  # type: ignore[call-overload]
            elif isinstance(owner, Module):
                hold(self._definitions, owner, key, value)


def lose(scope: Scope, statement: ast.stmt) -> None:
    """Forget what a statement that is not followed may have set; a module that it gives parts to is then open."""
    module = scope.get("self")
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            scope[node.id] = UNKNOWN
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and name_of(node.value) == "self"
        ):
            if isinstance(module, Module) and _may_make_module(statement):
                module.is_understood = False
        elif isinstance(module, Module) and _gives_part(node):
            module.is_understood = False


def _gives_part(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and name_of(node.func) in ("append", "extend", "add_module")


def _handed_in(frame: Frame, node: ast.AST) -> frozenset[str]:
    """The parameters of the function that a node stands in."""
    function = frame.file.function_of(node)
    return frozenset(one.arg for one in function.args.args) if function is not None else frozenset()


def _may_make_module(node: ast.AST, blocks: frozenset[str] = frozenset()) -> bool:
    """Whether code that is not followed may make a module: it calls something that has no name or begins with a
    capital, a function whose name says so, or one of the blocks that were handed in."""
    names = (name_of(inner.func) for inner in ast.walk(node) if isinstance(inner, ast.Call))
    return any(not name or name[0].isupper() or name.startswith(_MAKERS) or name in blocks for name in names)
