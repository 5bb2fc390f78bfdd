"""The functions of a project that look at gradients which `backward()` left: `p.grad`, as clipping and norms by hand
do, and those that have torch clip them, behind a `backward()` of somebody else. Told by their names alone: whose
parameters they are given no type says."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping

from mindport.usage.files import FileState
from mindport.usage.unit_answers import UnitAnswers

_SIGNS = (".grad", "clip_grad_")
_CLIPS = frozenset(("clip_grad_norm_", "clip_grad_norm", "clip_grad_value_"))
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Names that anything may have; as functions of a training step they are told by what they are called on.
_COMMON = frozenset(("__init__", "__call__", "forward", "step", "update", "backward", "zero_grad"))


class GradientReaders:
    """The answer for the files of one project, where `state` reads a file."""

    def __init__(self, texts: Mapping[str, str], state: Callable[[str], FileState]) -> None:
        self._texts = texts
        self._state = state
        self._files: dict[str, frozenset[str]] = {}
        self._units = UnitAnswers(lambda trees: frozenset(_readers(trees, "")))
        self._names: frozenset[str] | None = None

    def note(self, path: str) -> None:
        """Take notice that a file has a new text, or is gone."""
        if self._files.pop(path, None) or _has_sign(self._texts.get(path, "")):
            self._names = None
        if path not in self._texts:
            self._units.forget(path)

    def names(self) -> frozenset[str]:
        """The names of these functions."""
        if self._names is None:
            paths = [path for path, text in self._texts.items() if _has_sign(text)]
            self._names = frozenset[str]().union(*map(self._readers, paths)) - _COMMON
        return self._names

    def _readers(self, path: str) -> frozenset[str]:
        known = self._files.get(path)
        if known is None:
            found = self._units.of(path, self._state(path).module.units)
            known = self._files[path] = frozenset[str]().union(*found)
        return known


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
        yield from _readers(ast.iter_child_nodes(tree), inner)


def _clips_alone(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function has torch clip gradients that it did not make itself."""
    called = {_name(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    return bool(called & _CLIPS) and "backward" not in called


def _name(called: ast.expr) -> str:
    match called:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""
