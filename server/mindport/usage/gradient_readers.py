"""The functions of a project that look at gradients which `backward()` left: `p.grad`, as clipping and norms by hand
do, and those that have torch clip them, behind a `backward()` of somebody else. Told by their names alone: whose
parameters they are given no type says."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping

from mindport.source.trees import children, every_node
from mindport.usage.files import FileState
from mindport.usage.function_names import FunctionNames

_SIGNS = (".grad", "clip_grad_")
_CLIPS = frozenset(("clip_grad_norm_", "clip_grad_norm", "clip_grad_value_"))
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Names that anything may have; as functions of a training step they are told by what they are called on.
_COMMON = frozenset(("__init__", "__call__", "forward", "step", "update", "backward", "zero_grad"))


def gradient_readers(texts: Mapping[str, str], state: Callable[[str], FileState]) -> FunctionNames[str]:
    """The names of these functions of a project."""
    return FunctionNames(
        texts, state, _has_sign, lambda trees: frozenset(_readers(trees, "")), lambda found: found - _COMMON
    )


def _has_sign(text: str) -> bool:
    return any(sign in text for sign in _SIGNS)


def _readers(trees: Iterable[ast.AST], function: str) -> Iterator[str]:
    for tree in trees:
        match tree:
            case ast.Attribute(attr="grad", ctx=ast.Load()) if function:
                yield function
            case ast.Call(func=ast.Attribute(attr="grad") as func):  # autograd.grad(...)
                yield from _readers((func.value, *tree.args, *tree.keywords), function)
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef() if _clips_alone(tree):
                yield tree.name
        inner = tree.name if isinstance(tree, _FUNCTIONS) else function
        yield from _readers(children(tree), inner)


def _clips_alone(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function has torch clip gradients that it did not make itself."""
    called = {_name(node.func) for node in every_node(function) if isinstance(node, ast.Call)}
    return bool(called & _CLIPS) and "backward" not in called


def _name(called: ast.expr) -> str:
    match called:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""
