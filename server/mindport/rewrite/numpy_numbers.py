"""Numbers of NumPy before an operator, `np.sqrt(2 / np.pi) * x`: NumPy takes a tensor of MindSpore for an array there,
so the result is an array, and no gradient comes through. A number of Python leaves the operator to the tensor; to
whatever else stands behind it, it is the same. So it is with numbers that get a name first, `self.scale * x`, and with
those computed of sizes, `-0.5 * dim * np.log(2 * np.pi) - x` for `dim = x.shape[-1]`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from mindport.rewrite.kinds_of_names import nodes_of, scopes_of_the_user
from mindport.rewrite.numpy_names import may_use_numpy, numpy_names
from mindport.rewrite.numpy_sizes import with_python_sizes
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import children, every_node

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


class _Known(NamedTuple):
    """What NumPy goes by in a file, and the names in it that stand for sizes, each place by its id."""

    modules: set[str]
    sizes: set[int]


def with_python_numbers(text: str) -> str:
    """A converted text in which no operator begins with a number that NumPy computes of numbers and no size is one.
    The same text where there is none, or where it does not parse."""
    text = with_python_sizes(text)
    if not may_use_numpy(text):
        return text
    return with_edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    known = _Known(numpy_names(tree), set(_names_of_sizes(tree)))
    for number in _numbers(tree, known):
        start, end = start_of(number, lines), end_of(number, lines)
        yield from (TextEdit(start, start, "float("), TextEdit(end, end, ")"))


def _names_of_sizes(tree: ast.Module) -> Iterator[int]:
    """The places of names that a scope gives nothing but sizes."""
    for scope in scopes_of_the_user(tree):
        nodes = list(nodes_of(scope))
        sized = {id(target) for node in nodes for target in _sized(node)}
        places = [node for node in nodes if isinstance(node, ast.Name)]
        others = {node.id for node in places if not isinstance(node.ctx, ast.Load) and id(node) not in sized}
        others |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        others |= {
            name for node in nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names
        }
        names = {node.id for node in places if id(node) in sized} - others
        yield from (id(node) for node in places if node.id in names)


def _sized(node: ast.AST) -> list[ast.expr]:
    """What a statement gives sizes: `n = len(x)`, `dim = x.shape[-1]`, `n, _ = x.shape`."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Attribute(attr="shape")):
            return targets
        case ast.Assign(targets=[ast.Name() as target], value=value) if _is_size(value):
            return [target]
    return []


def _is_size(node: ast.expr) -> bool:
    match node:
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=ast.Constant() | ast.UnaryOp()):
            return True
        case ast.Call(func=ast.Name(id="len"), args=[_]):
            return True
    return False


def _numbers(tree: ast.Module, known: _Known) -> Iterator[ast.expr]:
    """The left operands that are such numbers, and what names of left operands get. Those in f-strings have no reliable
    places."""
    names = set()
    named: list[tuple[str, ast.expr]] = []
    for node in _outside_of_strings(tree):
        match node:
            case ast.BinOp(left=left, op=operator, right=right) if isinstance(operator, _OPERATORS):
                if _is_number(right, known):
                    continue
                if _is_of_numpy(left, known):
                    yield left
                names.add(_name(left))
            case ast.Assign(targets=[target], value=value) if _is_of_numpy(value, known):
                named.append((_name(target), value))
            case ast.arguments():
                named += (pair for pair in _defaults(node) if _is_of_numpy(pair[1], known))
    yield from (value for name, value in named if name and name in names)


def _outside_of_strings(tree: ast.Module) -> Iterator[ast.AST]:
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if not isinstance(node, ast.JoinedStr):
            yield node
            pending += children(node)


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


def _is_of_numpy(node: ast.expr, known: _Known) -> bool:
    """Whether it is a number that NumPy has computed, or arithmetic of one."""
    return _is_number(node, known) and any(
        isinstance(part, ast.expr) and _is_call(part, known) for part in every_node(node)
    )


def _is_call(node: ast.expr, known: _Known) -> bool:
    """Whether it is a call of NumPy of which everything is a number."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in known.modules
        and node.func.attr in _FUNCTIONS
        and len(node.args) == 1
        and not node.keywords
        and _is_number(node.args[0], known)
    )


def _is_number(node: ast.expr, known: _Known) -> bool:
    match node:
        case ast.Constant(value=int() | float()):
            return True
        case ast.UnaryOp(operand=operand):
            return _is_number(operand, known)
        case ast.BinOp(left=left, right=right):
            return _is_number(left, known) and _is_number(right, known)
        case ast.Attribute(value=ast.Name(id=name), attr="pi" | "e"):
            return name in known.modules or name == "math"
        case ast.Name():
            return id(node) in known.sizes
    return _is_size(node) or _is_call(node, known)
