"""Which arguments get what a network computed, whichever file of a project the caller stands in: `step(net, enc(x))`
gives the second argument of `step` a graph that `step` itself does not hold. Told by names alone: what is called counts
as a network where something in the project asks a value of that name for its parameters."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from mindport.source.trees import children, every_node
from mindport.source.written_names import bound_pairs, dotted_text, last_name
from mindport.usage.files import FileState
from mindport.usage.function_names import FunctionNames

CUTS = frozenset(("detach", "item", "numpy", "tolist", "size", "dim", "data", "shape", "device", "dtype"))
"""Attributes and methods of a tensor that give something without its graph."""
ASKS = frozenset(("parameters", "named_parameters", "state_dict", "train", "eval", "zero_grad"))
"""Methods that something is asked for which is a network."""
NUMBERS = frozenset(("int", "float", "bool", "len", "str", "print", "range", "isinstance", "id", "type"))
"""Functions of Python that give no tensor."""
_WITHOUT = NUMBERS | {"argmax", "argmin", "zeros_like", "ones_like", "is_tensor"}
_UNRECORDED = frozenset(("no_grad", "inference_mode"))
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SURE = ""  # what needs no other one


_Flow = tuple[str, str]
"""What holds a graph where something else does, and that: the result of a call (`net()`), or an argument of a function
by its place among those that a caller writes, or by its name (`step:1`, `step:x`)."""


def handed_graphs(texts: Mapping[str, str], state: Callable[[str], FileState]) -> FunctionNames[_Flow]:
    """These arguments of a project's functions and methods, as `function:argument`."""
    return FunctionNames(
        texts, state, lambda text: "(" in text, lambda trees: frozenset(_flows(trees)), _arguments
    )


def _arguments(flows: frozenset[_Flow]) -> frozenset[str]:
    led_to: defaultdict[str, list[str]] = defaultdict(list)
    for to, source in flows:
        led_to[source].append(to)
    found, waiting = {_SURE}, [_SURE]
    while waiting:
        new = set(led_to.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return frozenset(one for one in found if ":" in one and not one.rpartition(":")[2].isdigit())


def _flows(trees: Iterable[ast.AST]) -> Iterator[_Flow]:
    statements = list(trees)
    yield from _Scope("", ()).flows(statements)
    for tree in statements:
        for node in every_node(tree):
            match node:
                case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in ASKS:
                    yield f"{dotted_text(value)}()", _SURE
                case ast.FunctionDef() | ast.AsyncFunctionDef() if not any(map(_stops, node.decorator_list)):
                    arguments = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
                    written = arguments[1:] if arguments[:1] in (["self"], ["cls"]) else arguments
                    for place, name in enumerate(written):
                        yield f"{node.name}:{name}", f"{node.name}:{place}"
                    every = (*arguments, *(one.arg for one in node.args.kwonlyargs))
                    yield from _Scope(node.name, every).flows(node.body)


class _Scope:
    """One function, or the statements of a unit outside of functions, read in the order of the text."""

    def __init__(self, name: str, arguments: Iterable[str]) -> None:
        self._name = name
        self._values = {one: frozenset((f"{name}:{one}",)) for one in arguments}

    def flows(self, statements: Sequence[ast.AST]) -> Iterator[_Flow]:
        """What its statements hand over and give back."""
        for statement in statements:
            if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
                continue
            if isinstance(statement, (ast.With, ast.AsyncWith)) and any(
                _stops(one.context_expr) for one in statement.items
            ):
                continue
            inner = [one for one in children(statement) if isinstance(one, (ast.stmt, ast.excepthandler))]
            for node in _outside(statement):
                yield from self._handed(node)
            self._bind(statement)
            if isinstance(statement, ast.Return) and self._name and statement.value is not None:
                yield from ((f"{self._name}()", source) for source in self._sources(statement.value))
            yield from self.flows(inner)

    def _bind(self, statement: ast.AST) -> None:
        for target, value in bound_pairs(statement):
            sources = self._sources(value)
            for node in every_node(target):
                if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
                    self._values[dotted_text(node)] = sources

    def _handed(self, node: ast.AST) -> Iterator[_Flow]:
        if not isinstance(node, ast.Call) or not (called := last_name(node.func)):
            return
        for place, value in enumerate(node.args):
            if isinstance(value, ast.Starred):
                break
            yield from ((f"{called}:{place}", source) for source in self._sources(value))
        for one in node.keywords:
            yield from ((f"{called}:{one.arg}", source) for source in self._sources(one.value))

    def _sources(self, node: ast.AST) -> frozenset[str]:
        """What has to hold a graph for an expression to hold one."""
        match node:
            case ast.Compare() | ast.Constant() | ast.Lambda():
                return frozenset()
            case ast.Attribute(attr=name) if name in CUTS:
                return frozenset()
            case ast.Name() | ast.Attribute() if (known := self._values.get(dotted_text(node))) is not None:
                return known
            case ast.Call(func=called) if last_name(called) in _WITHOUT:
                return frozenset()
        found = frozenset[str]().union(*map(self._sources, children(node)))
        if isinstance(node, ast.Call):
            found |= {f"{name}()" for name in (dotted_text(node.func), last_name(node.func)) if name}
            if isinstance(node.func, ast.Attribute) and node.func.attr in ("forward", "__call__"):
                found |= {f"{dotted_text(node.func.value)}()"}
        return found


def _stops(manager: ast.expr) -> bool:
    called = manager.func if isinstance(manager, ast.Call) else manager
    return last_name(called) in _UNRECORDED


def _outside(statement: ast.AST) -> Iterator[ast.AST]:
    """A statement and what is below it, without the statements, functions and classes in it."""
    waiting = [statement]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += [
            child
            for child in children(one)
            if not isinstance(child, (ast.stmt, ast.excepthandler, ast.Lambda))
        ]
