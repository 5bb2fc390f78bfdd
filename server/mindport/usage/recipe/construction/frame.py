"""Where a piece of code runs, and what a function sees when it is called."""

from __future__ import annotations

import ast
from collections.abc import Callable

import msgspec

from mindport.usage.recipe.code import Function, SourceFile
from mindport.usage.recipe.settings import defaults_of

Scope = dict[str, object]


class Frame(msgspec.Struct, frozen=True):
    """The file that holds the code, and the values of the names that it sees; statements change those."""

    file: SourceFile
    scope: Scope


Evaluate = Callable[[Frame, ast.expr], object]


def parameters(
    evaluate: Evaluate,
    file: SourceFile,
    function: Function | ast.Lambda,
    positional: list[object],
    keywords: dict[str, object],
) -> Scope:
    """The parameters of a function with what a call passes, and their defaults."""
    arguments = function.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    scope: Scope = dict(zip(names, positional, strict=False))
    if arguments.vararg is not None:
        scope[arguments.vararg.arg] = tuple(positional[len(names) :])
    every = [*names, *(one.arg for one in arguments.kwonlyargs)]
    scope.update({name: value for name, value in keywords.items() if name in every})
    if arguments.kwarg is not None:
        scope[arguments.kwarg.arg] = {name: value for name, value in keywords.items() if name not in every}
    if isinstance(function, ast.Lambda):
        return scope
    for name, default in defaults_of(function).items():
        if name not in scope:
            scope[name] = evaluate(Frame(file, {}), default)
    return scope
