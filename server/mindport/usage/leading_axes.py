"""Values with a leading axis of one that are written to a part of a tensor, `scores[i] = net(x[None])`: torch leaves
out the axes that the part does not have, MindSpore refuses such values."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from mindport.source.trees import children
from mindport.source.written_names import assigned_pairs, last_name
from mindport.usage.scope_storage import DEFINITIONS

# Stands for the key of such a part in conditions of mappings.
LEADING = "1,"
# What is told its sizes.
_SIZED = frozenset({"view", "reshape", "expand", "zeros", "ones", "empty", "rand", "randn", "full"})
# What gives fewer axes than it gets, or another kind of value.
_FEWER = frozenset(
    {
        "squeeze", "sum", "mean", "max", "min", "amax", "amin", "argmax", "argmin", "norm", "item", "flatten", "select",
        "tolist", "numpy", "size", "dim", "numel", "len", "int", "float", "bool", "str", "print", "isinstance", "range",
        "list", "tuple", "loss", "cross_entropy", "mse_loss", "l1_loss",
    }
)  # fmt: skip


def parts_written_with_leading_axes(
    statements: Sequence[ast.stmt], around: Sequence[ast.stmt]
) -> Iterator[ast.Subscript]:
    """The `x[i]` to which statements, and the functions in them, write what may have such an axis. `around` are the
    statements of the module that they are a part of, if they are no definition."""
    waiting: list[tuple[Sequence[ast.AST], Sequence[ast.AST], frozenset[str]]]
    waiting = [(statements, around or statements, frozenset())]
    while waiting:
        inside, scope, given = waiting.pop()
        nodes = list(_own_nodes(inside))
        waiting += (
            (one.body, one.body, _tensors_given(one)) for one in nodes if isinstance(one, DEFINITIONS)
        )
        writes = [
            (target, value)
            for node in nodes
            if isinstance(node, ast.Assign)
            for each in node.targets
            for target, value in assigned_pairs(each, node.value)
            if isinstance(target, ast.Subscript) and _is_item(target)
        ]
        names = _names(_own_nodes(scope)) if writes else frozenset()
        for target, value in writes:
            is_given = isinstance(value, ast.Name) and value.id in given  # as a memory of states keeps it
            if is_given or _may_lead(value, names):
                yield target


def _tensors_given(definition: ast.AST) -> frozenset[str]:
    """The names under which a function gets what is annotated as a tensor, of whose axes nothing is known."""
    if not isinstance(definition, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return frozenset()
    arguments = definition.args
    return frozenset(
        one.arg
        for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        if last_name(one.annotation) == "Tensor"
    )


def _own_nodes(statements: Sequence[ast.AST]) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = list(reversed(statements))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*DEFINITIONS, ast.Lambda)):
            waiting += children(node)


def _names(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that somewhere stand for a value with a leading axis of one."""
    pairs = [
        (target.id, value)
        for node in nodes
        if isinstance(node, ast.Assign)
        for each in node.targets
        for target, value in assigned_pairs(each, node.value)
        if isinstance(target, ast.Name)
    ]
    found: frozenset[str] = frozenset()
    while True:
        more = found.union(name for name, value in pairs if _may_lead(value, found))
        if more == found:
            return found
        found = more


def _is_item(target: ast.expr) -> bool:
    """Whether a target is written by numbers, or names of such, not by slices; what a call gives is a view, if that."""
    if not isinstance(target, ast.Subscript) or isinstance(target.value, ast.Call):
        return False
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    return all(
        isinstance(one, (ast.Name, ast.Attribute, ast.BinOp, ast.UnaryOp))
        or (isinstance(one, ast.Constant) and type(one.value) is int)
        for one in parts
    )


def _may_lead(node: ast.expr, names: frozenset[str]) -> bool:
    """Whether a value may have a leading axis of one, which somebody has given to what it is made of."""
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(value=value, attr="data"):
            return _may_lead(value, names)
        case ast.BinOp(left=left, right=right):
            return _may_lead(left, names) or _may_lead(right, names)
        case ast.UnaryOp(operand=operand):
            return _may_lead(operand, names)
        case ast.IfExp(body=one, orelse=other):
            return _may_lead(one, names) or _may_lead(other, names)
        case ast.Subscript(value=value, slice=index):
            return _leads_by(index) or (_is_behind_first(index) and _may_lead(value, names))
        case ast.Call(func=ast.Attribute(attr="unsqueeze"), args=[*_, ast.Constant(value=axis)]):
            return axis == 0
        case ast.Call(args=[ast.List(elts=[ast.List()])]):
            return True  # torch.tensor([[start]])
        case ast.Call(func=ast.Attribute(attr=attr), args=[first, *_]) if attr in _SIZED:
            size = first.elts[0] if isinstance(first, (ast.Tuple, ast.List)) and first.elts else first
            return isinstance(size, ast.Constant) and size.value == 1
        case ast.Call(func=function, args=arguments):
            if last_name(function) in _FEWER:
                return False
            given = [function.value] if isinstance(function, ast.Attribute) else []
            return any(_may_lead(one, names) for one in (*given, *arguments))
    return False


def _leads_by(index: ast.expr) -> bool:
    """Whether an index gives a leading axis of one: `[None]`, `[None, :]`, `[i:i + 1]`."""
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    match first:
        case ast.Constant(value=None):
            return True
        case ast.Slice(
            lower=ast.expr() as lower, upper=ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=1))
        ):
            return ast.dump(lower) == ast.dump(left)
    return False


def _is_behind_first(index: ast.expr) -> bool:
    """Whether an index leaves the first axis as it is: `[:, i]`, `[..., 0]`."""
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    match first:
        case ast.Slice(lower=None, upper=None):
            return True
        case ast.Constant(value=value):
            return value is ...
    return False
