"""Slices with a step on inner axes, as in the merging of patches: `x[:, 0::2, 1::2, :]`. MindSpore's kernel for their
gradient fails on CPU ("memory out of bounds"), so networks take every second row by a function that has one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.spans import end_of, start_of
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree

EVERY = "torch_every"
"""The helper that takes every n-th row of an axis."""


def with_gradients_of_steps(text: str) -> str:
    """A converted text with networks whose slices with a step have a gradient. The same text where there are none, or
    where it does not parse."""
    is_changed = False
    while "def construct(" in text and "::" in text:
        try:
            tree = parse_tree(text)
        except SYNTAX_ERRORS:
            break
        found = next(_inner_steps(tree), None)
        if found is None:
            break
        lines = LineIndex(text)
        (start, end), (first, last) = (
            (start_of(node, lines), end_of(node, lines)) for node in (found, found.value)
        )
        text = text[:start] + _every(text[first:last], found) + text[end:]
        is_changed = True
    return with_definition(text, EVERY) if is_changed else text


def _inner_steps(tree: ast.Module) -> Iterator[ast.Subscript]:
    """The slices of networks that take all of some axes and, beyond the first axis, every n-th row of others."""
    changed = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load) or id(node) in changed:
            continue
        if not isinstance(node.slice, ast.Tuple) or not all(map(_is_understood, node.slice.elts)):
            continue
        steps = [place for place, one in enumerate(node.slice.elts) if _start_and_step(one) is not None]
        is_last_axis = len(node.slice.elts) == 2 and isinstance(node.slice.elts[0], ast.Constant)
        if any(steps) and not is_last_axis:
            yield node


def _is_understood(one: ast.expr) -> bool:
    is_all = isinstance(one, ast.Slice) and one.lower is None and one.upper is None and one.step is None
    is_rest = isinstance(one, ast.Constant) and one.value is Ellipsis
    return is_all or is_rest or _start_and_step(one) is not None


def _start_and_step(one: ast.expr) -> tuple[int, int] | None:
    match one:
        case ast.Slice(lower=None | ast.Constant() as lower, upper=None, step=ast.Constant(value=int(step))):
            start = 0 if lower is None else lower.value
            return (start, step) if isinstance(start, int) and start >= 0 and step > 1 else None
    return None


def _every(value: str, node: ast.Subscript) -> str:
    elements = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
    rest = next((place for place, one in enumerate(elements) if isinstance(one, ast.Constant)), len(elements))
    for place, one in enumerate(elements):
        if (numbers := _start_and_step(one)) is not None:
            axis = place if place < rest else place - len(elements)
            value = f"{EVERY}({value}, {axis}, {numbers[0]}, {numbers[1]})"
    return value
