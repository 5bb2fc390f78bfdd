"""Gradient clipping: by norm or by value, with the limit."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.source.written_names import last_name
from mindport.usage.recipe.arguments import details_of
from mindport.usage.recipe.code import Code
from mindport.usage.recipe.entry import ChecklistTopic, Entry
from mindport.usage.recipe.values import Values

_METHODS = frozenset(("clip_grad_norm_", "clip_grad_value_", "clip_gradients"))


def clipping(code: Code, values: Values) -> Iterator[Entry]:
    """One entry for each call that clips."""
    for file in code.files:
        told: set[int] = set()
        for use, call in file.calls():
            if use.api.startswith("torch.nn.utils.clip_grad"):
                told.add(call.lineno)
                what = use.api.rpartition(".")[2]
                details = details_of(values, file, use.api, call, frozenset(("parameters", "foreach")))
                yield Entry(ChecklistTopic.CLIPPING, what, file.place(call), details)
        for node in file.nodes:
            if isinstance(node, ast.Call) and last_name(node.func) in _METHODS and node.lineno not in told:
                details = tuple(
                    values.detail(keyword.arg, file, keyword.value)
                    for keyword in node.keywords
                    if keyword.arg
                )
                yield Entry(ChecklistTopic.CLIPPING, last_name(node.func), file.place(node), details)
