"""What running statements evaluates, in about the order of Python, and which of it surely."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from mindport.source.trees import children

Evaluated = tuple[ast.AST, bool]

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_LEAVING = (ast.Return, ast.Raise)
_LEAVING_LOOP = (*_LEAVING, ast.Break, ast.Continue)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def evaluated(statements: Sequence[ast.stmt], is_certain: bool = True) -> Iterator[Evaluated]:
    """The nodes that running the statements evaluates, parts before what they are parts of, each with whether it surely
    is: not behind a condition, nor where an earlier statement may have left. Loops are taken to run. The bodies of
    functions that are defined on the way may be called, and are not certain."""
    for statement in statements:
        yield from _statement(statement, is_certain)
        leaving = _LEAVING if isinstance(statement, _LOOPS) else _LEAVING_LOOP
        if is_certain and any(isinstance(node, leaving) for node in _own_nodes(statement)):
            is_certain = False


def _statement(node: ast.stmt, is_certain: bool) -> Iterator[Evaluated]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from defined(node, is_certain)
            yield from evaluated(node.body, False)
        case ast.ClassDef():
            yield from _parts([*node.decorator_list, *node.bases, *node.keywords], is_certain)
            yield from evaluated(node.body, is_certain)
        case ast.If():
            yield from _node(node.test, is_certain)
            yield from evaluated(node.body, False)
            yield from evaluated(node.orelse, False)
        case ast.For() | ast.AsyncFor():
            yield from _parts([node.iter, node.target], is_certain)
            yield from evaluated(node.body, is_certain)
            yield from evaluated(node.orelse, False)
        case ast.While():
            yield from _node(node.test, is_certain)
            yield from evaluated(node.body, is_certain)
            yield from evaluated(node.orelse, False)
        case ast.With() | ast.AsyncWith():
            yield from _parts(node.items, is_certain)
            yield from evaluated(node.body, is_certain)
        case ast.Try():
            yield from evaluated(node.body, is_certain and not node.handlers)
            for handler in node.handlers:
                yield from evaluated(handler.body, False)
            yield from evaluated(node.orelse, False)
            yield from evaluated(node.finalbody, is_certain)
        case ast.Match():
            yield from _node(node.subject, is_certain)
            for one in node.cases:
                yield from evaluated(one.body, False)
        case ast.Assign():
            yield from _parts([node.value, *node.targets], is_certain)
        case ast.AnnAssign():
            yield from _parts([*([node.value] if node.value else []), node.target], is_certain)
        case _:
            yield node, is_certain
            yield from _parts(children(node), is_certain)


def defined(node: _Function, is_certain: bool = True) -> Iterator[Evaluated]:
    """What defining a function evaluates: decorators and defaults."""
    defaults = [default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None]
    yield from _parts([*node.decorator_list, *defaults], is_certain)


def _parts(nodes: Sequence[ast.AST], is_certain: bool) -> Iterator[Evaluated]:
    for node in nodes:
        yield from _node(node, is_certain)


def _node(node: ast.AST, is_certain: bool) -> Iterator[Evaluated]:
    match node:
        case ast.Lambda():
            yield from _node(node.body, False)
        case ast.IfExp():
            yield from _node(node.test, is_certain)
            yield from _parts([node.body, node.orelse], False)
        case ast.BoolOp():
            yield from _node(node.values[0], is_certain)
            yield from _parts(node.values[1:], False)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield from _comprehension(node, is_certain)
        case _:
            yield from _parts(children(node), is_certain)
    yield node, is_certain


def _comprehension(node: _Comprehension, is_certain: bool) -> Iterator[Evaluated]:
    yield from _node(node.generators[0].iter, is_certain)
    elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    for place, one in enumerate(node.generators):
        yield from _parts([*([one.iter] if place else []), *one.ifs], False)
    yield from _parts(elements, False)


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement without those of functions and classes that it defines."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            continue
        yield node
        waiting += children(node)
