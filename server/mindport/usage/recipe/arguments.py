"""The arguments of a call as details of an entry, under the names of torch's parameters."""

from __future__ import annotations

import ast

from mindport.registry.signature import ParameterKind
from mindport.registry.torch import torch_facts
from mindport.usage.recipe.code import SourceFile
from mindport.usage.recipe.entry import Detail
from mindport.usage.recipe.values import Values


def _names_of_parameters(api: str) -> list[str]:
    """The names by position; of a deprecated function that hands everything on, those of the one that it became."""
    for name in (api, f"{api}_"):
        for signature in torch_facts().signatures(name)[:1]:
            if all(one.kind is not ParameterKind.VAR_POSITIONAL for one in signature.parameters):
                return [one.name for one in signature.parameters]
    return []


def details_of(
    values: Values, file: SourceFile, api: str, call: ast.Call, skip: frozenset[str] = frozenset()
) -> tuple[Detail, ...]:
    """What a call of a torch name passes, but for the parameters in `skip`. `**kw` becomes one unknown detail."""
    names = _names_of_parameters(api)
    found = []
    for index, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            break
        name = names[index] if index < len(names) else ""
        if name and name not in skip:
            found.append(values.detail(name, file, argument))
    for keyword in call.keywords:
        if keyword.arg is None:
            found.append(
                Detail("**", f"also {ast.unparse(keyword.value)[:60]}", file.place(call), is_known=False)
            )
        elif keyword.arg not in skip:
            found.append(values.detail(keyword.arg, file, keyword.value))
    return tuple(found)
