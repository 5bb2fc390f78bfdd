"""Bounds of slices that are, or may be, tensors with an axis of one element, `data[start : start + length]` for
`start = torch.randint(size, (1,))`: torch takes their number, MindSpore's tensors take those without axes alone."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

# Stands for the key of an index with such a bound in conditions of mappings.
BOUND = "1:"
_OF_SIZE = frozenset({"full", "ones", "rand", "randint", "randn", "zeros"})
_OF_VALUES = frozenset({"IntTensor", "LongTensor", "as_tensor", "tensor"})
_KEEPING = frozenset(
    {"abs", "clamp", "clone", "contiguous", "cpu", "cuda", "detach", "int", "long", "random_", "to", "type"}
)


def has_one_element(node: ast.expr, is_known: Callable[[str], bool]) -> bool:
    """Whether the value has one axis with one element, as far as its form tells: how it is made, and what is computed
    with that. `is_known` tells it of a name."""
    parts = [node]  # long sums are nested deeply
    while parts:
        match parts.pop():
            case ast.Name(id=name):
                if is_known(name):
                    return True
            case ast.UnaryOp(operand=operand):
                parts.append(operand)
            case ast.BinOp(left=left, right=right):
                parts += (left, right)
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _KEEPING:
                parts.append(value)
            case ast.Call() as call:
                if _makes_one_element(call):
                    return True
    return False


def _makes_one_element(call: ast.Call) -> bool:
    match call:
        case ast.Call(func=ast.Attribute(attr="multinomial"), args=[_, ast.Constant(value=1)]):
            return True
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _OF_SIZE:
            return any(map(_is_one, _sizes(call)))
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[ast.List(elts=[item])]):
            return name in _OF_VALUES and not isinstance(item, (ast.List, ast.Tuple, ast.ListComp))
    return False


def bounds_of_one(index: ast.expr, is_known: Callable[[str], bool]) -> Iterator[ast.expr]:
    """The bounds of the slices in an index that have one axis with one element, or may have: of a name that is made
    whole just there, `x[:, : count.long()]`, nobody tells how many axes it has."""
    for part in index.elts if isinstance(index, ast.Tuple) else (index,):
        if isinstance(part, ast.Slice):
            for bound in (part.lower, part.upper, part.step):
                if bound is not None and (has_one_element(bound, is_known) or _is_made_whole(bound)):
                    yield bound


def _is_made_whole(bound: ast.expr) -> bool:
    match bound:
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="int" | "long"), args=[], keywords=[]):
            return True
        case ast.UnaryOp(operand=operand):
            return _is_made_whole(operand)
        case ast.BinOp(left=left, right=right):
            return _is_made_whole(left) or _is_made_whole(right)
    return False


def _sizes(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (word.value for word in call.keywords if word.arg == "size")


def _is_one(size: ast.expr) -> bool:
    """Whether this is the size of one axis with one element, `(1,)`."""
    return (
        isinstance(size, (ast.Tuple, ast.List))
        and len(size.elts) == 1
        and isinstance(size.elts[0], ast.Constant)
        and size.elts[0].value == 1
    )
