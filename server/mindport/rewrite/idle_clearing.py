"""Leaves out what clears gradients where nobody keeps any: a training step that is a function gets fresh gradients at
each call, and MindSpore's optimizers have no `zero_grad`. That of the step goes with it; this is about others, such as
one behind the optimizer, or in the script that calls the loop of another file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.registry.torch import torch_facts
from mindport.rewrite.defined_helpers import own_code
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.spans import end_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.rewrite.training.events import names_optimizer
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node

_CLEARS = "zero_grad"


def without_idle_clearing(before: str, text: str) -> str:
    """A text converted from `before`, of a project that records no steps, in which the optimizers that were told to
    clear their gradients only stand by themselves, which `without_idle_statements` takes away. The same text where a
    step is left as it was, where the project has such a method of its own, or where it does not parse."""
    if f".{_CLEARS}(" not in text or ".backward(" in text or not imports_torch(before):
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    own = list(every_node(own_code(tree)))
    if any(isinstance(node, ast.FunctionDef) and node.name == _CLEARS for node in own):
        return text
    lines, optimizers = LineIndex(text), frozenset(_optimizers(own))
    edits = []
    for node in own:
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=name)) as call) if (
                name == _CLEARS
            ):
                written = ast.unparse(owner)
                if names_optimizer(written) or written in optimizers:
                    edits.append(TextEdit(end_of(owner, lines), end_of(call, lines), ""))
    return with_edits(text, edits)


def _optimizers(own: list[ast.AST]) -> Iterator[str]:
    """What is bound to an optimizer, as the text has it: `self.solver`."""
    for node in own:
        match node:
            case ast.Assign(targets=[target], value=ast.Call(func=made)) if _is_optimizer(made):
                yield ast.unparse(target)


def _is_optimizer(made: ast.expr) -> bool:
    module, _, name = ast.unparse(made).rpartition(".")
    kind = name if module.rpartition(".")[2] == "optim" else name.removeprefix("Torch") if not module else ""
    return bool(kind) and torch_facts().is_optimizer_class(f"torch.optim.{kind}")
