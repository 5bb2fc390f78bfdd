"""Tensors that are cast to whole numbers or to truth values and computed with again, `x - x.long()`,
`combined.bool().float()`: torch takes no gradient through such a cast, MindSpore does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.fractions_of_whole_numbers import is_whole, is_whole_dtype
from mindport.rewrite.imports import behind_imports
from mindport.rewrite.kinds_of_names import names_of_kind, nodes_of, scopes_of_the_user
from mindport.rewrite.mindspore_modules import imports_torch, mindspore_modules, written_short
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node
from mindport.source.written_names import dotted_text, last_name

_STOP, _SHORT = "mindspore.ops.stop_gradient", "ops.stop_gradient"
_TO_WHOLE = frozenset({"long", "int", "short", "bool"})
_TO_FRACTIONS = frozenset({"float", "half", "double", "type_as"})
_CASTS_TO = frozenset({"to", "astype", "type"})
# What has no gradient of its own.
_WITHOUT_GRADIENT = frozenset(
    {"stop_gradient", "floor", "ceil", "round", "trunc", "sign", "heaviside", "one_hot", "torch_one_hot"}
)
_KEEPING = frozenset(
    {"sum", "cumsum", "view", "reshape", "unsqueeze", "squeeze", "expand", "flatten", "permute"}
)
_OPERATORS = ("ops.", "mint.", "mindspore.", "torch_")
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)


def with_casts_without_gradients(before: str, text: str) -> str:
    """A text converted from `before` in which no gradient goes through such casts. The same text where there are none,
    or where it does not parse."""
    names = (*_TO_WHOLE, *_CASTS_TO)
    if not imports_torch(before) or not any(f".{name}(" in text for name in names):
        return text
    return with_edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    tensors = {id(one): one for scope in scopes_of_the_user(tree) for one in _cast_tensors(scope)}.values()
    known = written_short(_STOP, mindspore_modules(tree))
    for one in tensors:
        start, end = start_of(one, lines), end_of(one, lines)
        yield TextEdit(start, start, f"{known or _SHORT}(")
        yield TextEdit(end, end, ")")
    if tensors and known is None:
        place = behind_imports(lines.text)
        yield TextEdit(place, place, "from mindspore import ops\n")


def _cast_tensors(scope: ast.AST) -> Iterator[ast.expr]:
    """What is cast so in a scope, where the result, or a name that it is given, is computed with: of what networks are
    given, and of what operators made."""
    whole = names_of_kind(scope, is_whole)
    made = names_of_kind(scope, _is_made_by_operators)
    is_of_network = isinstance(scope, ast.FunctionDef) and scope.name == "construct"
    nodes = list(nodes_of(scope))
    computed = [one for node in nodes for one in _computed_with(node, whole)]
    names = {one.id for one in computed if isinstance(one, ast.Name)}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in names:
                computed.append(value)
    for value in computed:
        tensor = _cast(value)
        if tensor is None or is_whole(tensor, whole) or _is_without_gradient(tensor):
            continue
        if is_of_network or _is_made_by_operators(tensor, made):
            yield tensor


def _computed_with(node: ast.AST, whole: frozenset[str]) -> Iterator[ast.expr]:
    """What a node casts back to fractions, or computes with together with what is not known to be whole."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _TO_FRACTIONS:
            yield value
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[kind]) if name in _CASTS_TO:
            if not is_whole_dtype(kind):
                yield value
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _ARITHMETIC):
            for side, other in ((left, right), (right, left)):
                if not is_whole(other, whole) and not isinstance(other, ast.Constant):
                    yield side


def _cast(node: ast.expr) -> ast.expr | None:
    """The tensor that an expression casts to whole numbers or truth values, as it is or a sum, a view or the like of
    it; None for any other one."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[], keywords=[]) if name in _TO_WHOLE:
            return value
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[kind], keywords=[]):
            if name in _CASTS_TO and is_whole_dtype(kind):
                return value
    match node:  # what is whole where its tensor is
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _KEEPING:
            return _cast(value)
        case ast.Subscript(value=value) | ast.UnaryOp(op=ast.USub(), operand=value):
            return _cast(value)
        case ast.BinOp(left=ast.Constant(), right=value) | ast.BinOp(left=value, right=ast.Constant()):
            return _cast(value)
    return None


def _is_made_by_operators(node: ast.expr, made: frozenset[str]) -> bool:
    """Whether an operator of MindSpore, or a function that stands for one of torch's, is in an expression, or one of
    these names."""
    return any(
        (isinstance(one, ast.Name) and one.id in made)
        or (isinstance(one, ast.Call) and dotted_text(one.func).startswith(_OPERATORS))
        for one in every_node(node)
    )


def _is_without_gradient(tensor: ast.expr) -> bool:
    return isinstance(tensor, ast.Call) and last_name(tensor.func) in _WITHOUT_GRADIENT
