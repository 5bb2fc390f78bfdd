"""What a program runs only where it has found a GPU, or was told to use one or several processes: `if use_cuda:`,
`x.cuda() if torch.cuda.is_available() else x`, `if args.distributed:`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from mindport.source.trees import every_node

_GPU = re.compile(r"(^|_)(cuda|n?gpus?|distributed|ddp)(_|$)|gpu_?ids?$", re.IGNORECASE)
_NO_GPU = re.compile(r"(^|_)(no|not|non|disable|without|cpu)(_|$)", re.IGNORECASE)
_PROCESSES = re.compile(r"(^|_)world_?size$", re.IGNORECASE)
_SIGNS = ("cuda", "gpu", "distributed", "ddp", "world")
_COUNTS = (ast.Gt, ast.GtE, ast.IsNot)


def mentions_gpu(text: str) -> bool:
    """Whether a text has anything that may ask for a GPU, or for several processes."""
    lowered = text.lower()
    return any(sign in lowered for sign in _SIGNS)


def nodes_on_gpu(statements: Sequence[ast.stmt]) -> frozenset[int]:
    """The identities of the nodes of statements that run only there."""
    tests = (
        node
        for statement in statements
        for node in every_node(statement)
        if isinstance(node, (ast.If, ast.IfExp)) and _asks_for_gpu(node.test)
    )
    return frozenset(id(node) for test in tests for body in _body(test) for node in every_node(body))


def _body(node: ast.If | ast.IfExp) -> Iterator[ast.AST]:
    yield from node.body if isinstance(node, ast.If) else [node.body]


def _asks_for_gpu(test: ast.expr) -> bool:
    """Whether a test is false where there is no GPU to use, and one process."""
    match test:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _GPU.search(name) is not None and _NO_GPU.search(name) is None
        case ast.Call(func=ast.Attribute(attr="is_available" | "device_count", value=asked)):
            return ast.unparse(asked).endswith("cuda")
        case ast.Call(func=ast.Attribute(attr="is_initialized", value=asked)):
            return ast.unparse(asked).endswith(("dist", "distributed"))
        case ast.Compare(
            left=ast.Name(id=name) | ast.Attribute(attr=name),
            ops=[ast.Gt()],
            comparators=[ast.Constant(value=1)],
        ) if _PROCESSES.search(name):
            return True
        case ast.Call(func=ast.Attribute(attr="startswith"), args=[ast.Constant(value="cuda" | "cuda:")]):
            return True
        case ast.Call(func=ast.Name(id="len" | "bool"), args=[asked]):
            return _asks_for_gpu(asked)
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=str(kind))]):
            return kind.startswith("cuda") and not isinstance(left, ast.Constant)
        case ast.Compare(left=ast.Constant(value=str(kind)), ops=[ast.In()]):
            return kind == "cuda"
        case ast.Compare(left=left, ops=[operator], comparators=[ast.Constant()]):
            return isinstance(operator, _COUNTS) and _asks_for_gpu(left)
        case ast.BoolOp(op=ast.And(), values=values):
            return any(map(_asks_for_gpu, values))
        case ast.BoolOp(op=ast.Or(), values=values):
            return all(map(_asks_for_gpu, values))
    return False
