"""The arguments of a call as details of an entry, under the names of torch's parameters."""

from __future__ import annotations

import ast

from mindport.registry.torch import torch_facts
from mindport.usage.recipe.code import SourceFile
from mindport.usage.recipe.entry import Detail
from mindport.usage.recipe.values import Values


def details_of(
    values: Values, file: SourceFile, api: str, call: ast.Call, skip: frozenset[str] = frozenset()
) -> tuple[Detail, ...]:
    """What a call of a torch name passes, but for the parameters in `skip`. `**kw` becomes one unknown detail."""
    signatures = torch_facts().signatures(api)
    names = [parameter.name for parameter in signatures[0].parameters] if signatures else []
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
