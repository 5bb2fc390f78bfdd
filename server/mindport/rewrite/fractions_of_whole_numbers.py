"""Functions that give fractions, `torch.log(torch.arange(1, 5))`: torch computes them of whole numbers as of float32,
MindSpore has no kernel for that on CPU. That numbers are whole, or only true and false, is read from what a function
calls: `arange`, `argmax`, `long`, a comparison, a dtype and the like."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.kinds_of_names import names_of_kind, nodes_of, scopes_of_the_user
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node
from mindport.source.written_names import dotted_text, last_name

_FUNCTIONS = frozenset(
    {
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "deg2rad", "digamma", "erf", "erfc", "erfinv",
        "exp", "expm1", "gelu", "lgamma", "log", "log10", "log1p", "log2", "log_softmax", "logsumexp", "rad2deg",
        "rsqrt", "sigmoid", "silu", "sin", "sinh", "softmax", "softplus", "tan", "tanh",
    }
)  # fmt: skip
_MODULES = frozenset({"ops", "mint", "mindspore.ops", "mindspore.mint"})
_PLACES = frozenset(
    {"argmax", "argmin", "argsort", "bincount", "count_nonzero", "nonzero", "randint", "torch_randint"}
)
_RANGES = frozenset({"arange", "torch_arange"})
_CASTS = frozenset({"long", "int", "bool"})
_CASTS_TO = frozenset({"astype", "to", "type"})
_WHOLE_DTYPES = frozenset({"int8", "int16", "int32", "int64", "uint8", "bool_"})
_MASKS = frozenset(
    {
        "eq", "ne", "gt", "ge", "lt", "le", "isfinite", "isinf", "isnan", "logical_and", "logical_not", "logical_or",
    }
)  # fmt: skip
_SUMS = frozenset({"sum", "cumsum"})
# What is whole where its tensor is: other looks at it.
_KEEPING = frozenset(
    {
        "broadcast_to", "contiguous", "copy", "expand", "expand_dims", "flatten", "flip", "permute", "repeat",
        "repeat_interleave", "reshape", "roll", "squeeze", "swapaxes", "tile", "transpose", "unsqueeze", "view",
    }
)  # fmt: skip
_WHOLE_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor)
_COMPARISONS = (ast.Gt, ast.GtE, ast.Lt, ast.LtE, ast.Eq, ast.NotEq)
_SIMPLE = (ast.Name, ast.Call, ast.Attribute, ast.Subscript)


def with_fractions_of_floats(before: str, text: str) -> str:
    """A text converted from `before` in which such functions get float32. The same text where there are none, or where
    it does not parse."""
    if not imports_torch(before) or not any(f"{name}(" in text for name in _FUNCTIONS):
        return text
    return with_edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for scope in scopes_of_the_user(tree):
        names = names_of_kind(scope, is_whole)
        for node in nodes_of(scope):
            argument = _argument(node)
            if argument is not None and is_whole(argument, names):
                start, end = start_of(argument, lines), end_of(argument, lines)
                if isinstance(argument, _SIMPLE):
                    yield TextEdit(end, end, ".float()")
                else:
                    yield TextEdit(start, start, "(")
                    yield TextEdit(end, end, ").float()")


def _argument(node: ast.AST) -> ast.expr | None:
    """What such a function is called with: the x of `ops.log(x)` and of `x.log()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=args) if name in _FUNCTIONS:
            if dotted_text(owner) in _MODULES:
                return args[0] if args else None
            # What stands in parentheses keeps them: `.float()` would go inside.
            return owner if isinstance(owner, _SIMPLE) else None
    return None


def is_whole(node: ast.expr, names: frozenset[str]) -> bool:
    """Whether an expression gives whole numbers, or true and false, where these names do."""
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.Subscript(value=value) | ast.UnaryOp(op=ast.USub(), operand=value):
            return is_whole(value, names)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _WHOLE_OPERATORS):
            sides = (left, right)
            return any(is_whole(side, names) for side in sides) and all(
                is_whole(side, names) or _is_number(side) for side in sides
            )
        case ast.Compare(ops=[op]):
            return isinstance(op, _COMPARISONS)  # of tensors: nothing else is given to such a function
        case ast.Call(func=func) if not _is_of_arrays(func):
            return _gives_whole(node, func, names)
    return False


def _gives_whole(call: ast.Call, func: ast.expr, names: frozenset[str]) -> bool:
    """Whether what a call gives is whole where these names are."""
    name, args = last_name(func), call.args
    dtypes = [one.value for one in call.keywords if one.arg == "dtype"]
    if dtypes:
        return is_whole_dtype(dtypes[0])
    owner = (
        func.value if isinstance(func, ast.Attribute) and dotted_text(func.value) not in _MODULES else None
    )
    if name in _RANGES:
        return not any(map(_has_fraction, (*args, *(one.value for one in call.keywords))))
    if name in _PLACES:
        return True
    if name == "tensor":
        return len(args) == 1 and not call.keywords and _is_of_whole_literals(args[0])
    if name in _CASTS and not args:
        return owner is not None
    if name in _CASTS_TO and len(args) == 1:
        return is_whole_dtype(args[0])
    if name in _MASKS:
        return bool(args) or owner is not None
    given = owner if owner is not None else args[0] if args else None
    return name in _KEEPING | _SUMS and given is not None and is_whole(given, names)


def is_whole_dtype(node: ast.expr) -> bool:
    """Whether this is a dtype of whole numbers of MindSpore."""
    return last_name(node) in _WHOLE_DTYPES and dotted_text(node).startswith("mindspore.")


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_of_whole_literals(node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple):
        return bool(node.elts) and all(map(_is_of_whole_literals, node.elts))
    return _is_number(node)


def _has_fraction(node: ast.expr) -> bool:
    return any(isinstance(one, ast.Constant) and type(one.value) is float for one in every_node(node))


def _is_of_arrays(func: ast.expr) -> bool:
    return dotted_text(func).startswith(("np.", "numpy.", "jnp.", "cp."))
