"""The parameters of a function, their defaults, and what calls pass to them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.usage.recipe.code import Function


def parameters_of(function: Function) -> frozenset[str]:
    """The names of a function's parameters, those with stars aside."""
    arguments = function.args
    return frozenset(one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def defaults_of(node: Function) -> dict[str, ast.expr]:
    """The parameters that have defaults."""
    positional = [*node.args.posonlyargs, *node.args.args]
    with_defaults = positional[len(positional) - len(node.args.defaults) :]
    found = {
        argument.arg: default for argument, default in zip(with_defaults, node.args.defaults, strict=True)
    }
    for argument, keyword_default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if keyword_default is not None:
            found[argument.arg] = keyword_default
    return found


def argument_of(call: ast.Call, function: Function, name: str, is_method: bool) -> ast.expr | None:
    """The expression that a call passes to a parameter; None where it does not, or that is hidden in `*` or `**`."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    if is_method and names and names[0] in ("self", "cls"):
        names = names[1:]
    if name not in names:
        return None
    index = names.index(name)
    if index < len(call.args) and not any(isinstance(one, ast.Starred) for one in call.args[: index + 1]):
        return call.args[index]
    return None


def passes_more(call: ast.Call) -> bool:
    """Whether `*` or `**` may hand over what the call does not name."""
    return any(isinstance(one, ast.Starred) for one in call.args) or any(
        keyword.arg is None for keyword in call.keywords
    )


def constants_passed(function: Function, name: str, calls: Iterable[ast.Call]) -> list[object]:
    """The values that calls pass to a parameter, or leave it, where they are written there and not None."""
    is_method = bool(function.args.args) and function.args.args[0].arg in ("self", "cls")
    found: list[object] = []
    for call in calls:
        given = argument_of(call, function, name, is_method)
        if given is None and not passes_more(call):
            given = defaults_of(function).get(name)
        if isinstance(given, ast.Constant) and given.value not in (None, *found):
            found.append(given.value)
    return found
