"""Numbers of NumPy before an operator, `np.sqrt(2 / np.pi) * x`: NumPy takes a tensor of MindSpore for an array there,
so the result is an array, and no gradient comes through. A number of Python leaves the operator to the tensor; to
whatever else stands behind it, it is the same. So it is with numbers that get a name first: `self.scale * x`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.numpy_names import may_use_numpy, numpy_names
from mindport.rewrite.numpy_sizes import with_python_sizes
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex

# What gives a float64 for a number, whatever kind of number.
_FUNCTIONS = frozenset(
    [
        *(
            "sqrt",
            "cbrt",
            "exp",
            "exp2",
            "expm1",
            "log",
            "log2",
            "log10",
            "log1p",
            "sin",
            "cos",
            "tan",
            "arcsin",
        ),
        *("arccos", "arctan", "sinh", "cosh", "tanh", "deg2rad", "rad2deg", "radians", "degrees", "float64"),
    ]
)
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)


def with_python_numbers(text: str) -> str:
    """A converted text in which no operator begins with a number that NumPy computes of numbers and no size is one.
    The same text where there is none, or where it does not parse."""
    text = with_python_sizes(text)
    if not may_use_numpy(text):
        return text
    return with_edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    modules = numpy_names(tree)
    for number in _numbers(tree, modules):
        start, end = start_of(number, lines), end_of(number, lines)
        yield from (TextEdit(start, start, "float("), TextEdit(end, end, ")"))


def _numbers(tree: ast.Module, modules: set[str]) -> Iterator[ast.expr]:
    """The left operands that are such numbers, and what names of left operands get. Those in f-strings have no reliable
    places."""
    names = set()
    named: list[tuple[str, ast.expr]] = []
    for node in _outside_of_strings(tree):
        match node:
            case ast.BinOp(left=left, op=operator, right=right) if isinstance(operator, _OPERATORS):
                if _is_number(right, modules):
                    continue
                if _is_of_numpy(left, modules):
                    yield left
                names.add(_name(left))
            case ast.Assign(targets=[target], value=value) if _is_of_numpy(value, modules):
                named.append((_name(target), value))
            case ast.arguments():
                named += (pair for pair in _defaults(node) if _is_of_numpy(pair[1], modules))
    yield from (value for name, value in named if name and name in names)


def _outside_of_strings(tree: ast.Module) -> Iterator[ast.AST]:
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if not isinstance(node, ast.JoinedStr):
            yield node
            pending += ast.iter_child_nodes(node)


def _name(node: ast.expr) -> str:
    """What a name or an attribute is called; empty for anything else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _defaults(arguments: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """The parameters with what they are if nothing is passed."""
    by_place = [*arguments.posonlyargs, *arguments.args]
    behind = by_place[len(by_place) - len(arguments.defaults) :]
    pairs = [*zip(behind, arguments.defaults, strict=True)]
    pairs += (
        (one, value) for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value
    )
    return ((one.arg, value) for one, value in pairs)


def _is_of_numpy(node: ast.expr, modules: set[str]) -> bool:
    """Whether it is a number that NumPy has computed, or arithmetic of one."""
    return _is_number(node, modules) and any(
        isinstance(part, ast.expr) and _is_call(part, modules) for part in ast.walk(node)
    )


def _is_call(node: ast.expr, modules: set[str]) -> bool:
    """Whether it is a call of NumPy of which everything is a number."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in modules
        and node.func.attr in _FUNCTIONS
        and len(node.args) == 1
        and not node.keywords
        and _is_number(node.args[0], modules)
    )


def _is_number(node: ast.expr, modules: set[str]) -> bool:
    match node:
        case ast.Constant(value=int() | float()):
            return True
        case ast.UnaryOp(operand=operand):
            return _is_number(operand, modules)
        case ast.BinOp(left=left, right=right):
            return _is_number(left, modules) and _is_number(right, modules)
        case ast.Attribute(value=ast.Name(id=name), attr="pi" | "e"):
            return name in modules or name == "math"
    return isinstance(node, ast.expr) and _is_call(node, modules)
