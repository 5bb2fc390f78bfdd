"""Runs the `after` of an example in MindSpore's graph mode: what it computes is made one function, which is compiled.

Modules, optimizers and definitions at the start of the example are made in Python, as a network's `__init__` does."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple

import mindspore
import numpy

from . import mindspore_side
from .snippet import compile_text, evaluate, run

_FUNCTION, _WEIGHTED, _RESULT = "compiled_example", "weighted_example", "result_of_example"
_DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)


class GraphSnippet(NamedTuple):
    """`prelude` runs in Python; `text` defines the function that is compiled, of the input tensors `parameters`. It
    gives the observed value, or the values of the names that `observe` reads (`is_observed` tells which), and then the
    inputs `rebound` to other values."""

    prelude: CodeType
    text: str
    parameters: tuple[str, ...]
    observe: CodeType | None
    is_observed: bool
    names: tuple[str, ...]
    rebound: tuple[str, ...]


@contextlib.contextmanager
def graph_mode() -> Iterator[None]:
    """MindSpore is in graph mode for the time of a `with`."""
    mindspore.set_context(mode=mindspore.GRAPH_MODE)
    try:
        yield
    finally:
        mindspore.set_context(mode=mindspore.PYNATIVE_MODE)


def split_for_graph(source: str, observe: str, inputs: dict[str, Any]) -> GraphSnippet:
    """Make a function of what an example computes. Raises SyntaxError when the example is no Python."""
    tree = ast.parse(source)
    border = 0
    while border < len(tree.body) and _is_set_up(tree.body[border], frozenset(inputs)):
        border += 1
    parameters = tuple(name for name, value in inputs.items() if isinstance(value, numpy.ndarray))
    body = tree.body[border:]
    stored = _names(body, ast.Store)
    rebound = tuple(name for name in parameters if name in stored)
    is_missing = observe == "y" and "y" not in _names(tree.body, ast.Store) | inputs.keys()
    expression = ast.parse(observe, mode="eval").body
    is_observed = not any(isinstance(node, (ast.Call, ast.Lambda)) for node in ast.walk(expression))
    names = tuple(sorted(_names([expression], ast.Load) & (stored | set(parameters))))
    results = [] if is_missing else [observe] if is_observed else list(names)
    statements = [*map(ast.unparse, body), f"return ({''.join(f'{one}, ' for one in [*results, *rebound])})"]
    lines = [line for statement in statements for line in statement.splitlines()]
    text = f"def {_FUNCTION}({', '.join(parameters)}):\n" + "".join(f"    {line}\n" for line in lines)
    prelude = "\n".join(map(ast.unparse, tree.body[:border]))
    return GraphSnippet(
        compile_text(prelude),
        text,
        parameters,
        None if is_missing else compile(observe, "<observe>", "eval"),
        is_observed,
        names,
        rebound,
    )


def results(snippet: GraphSnippet, namespace: dict[str, Any], inputs: dict[str, Any]) -> Any:
    """The observed value of a compiled run; the names in `namespace` are as the run leaves them. Whatever MindSpore
    raises comes through."""
    namespace.update({name: mindspore_side.to_input(value) for name, value in inputs.items()})
    run(compile_text(snippet.text), namespace)
    found = mindspore.jit(namespace[_FUNCTION])(*[namespace[name] for name in snippet.parameters])
    found = found if isinstance(found, tuple) else (found,)
    first = len(found) - len(snippet.rebound)
    namespace.update(zip(snippet.rebound, found[first:]))
    if snippet.observe is None:
        return None
    if snippet.is_observed:
        return found[0]
    namespace.update(zip(snippet.names, found[:first]))
    return evaluate(snippet.observe, namespace)


def gradients(
    snippet: GraphSnippet,
    namespace: dict[str, Any],
    inputs: dict[str, Any],
    names: list[str],
    weights: list[Any],
    factors: list[Any],
    result: Any,
) -> tuple[list[Any], list[Any]]:
    """Gradients of a combination of the outputs with `factors`, like those of `mindspore_side.gradients`. `result` is
    what the run gave; it tells where its floating point tensors are. They are those of a second run: a kernel may keep
    something of the first, as that of the gradient of a constant padding does.

    Whatever MindSpore raises comes through."""
    places = _float_places(result, "[0]") if snippet.is_observed else []
    values = [mindspore_side.to_input(inputs[name]) for name in snippet.parameters]
    given = [f"factor_{number}" for number, _ in enumerate(factors)]
    terms = [f"({_RESULT}{place} * {factor}).sum()" for place, factor in zip(places, given)]
    arguments = ", ".join(snippet.parameters)
    text = (
        f"{snippet.text}\ndef {_WEIGHTED}({', '.join([*snippet.parameters, *given])}):\n"
        f"    {_RESULT} = {_FUNCTION}({arguments})\n    return {' + '.join(terms)}\n"
    )
    run(compile_text(text), namespace)
    tensors = [
        mindspore.Tensor(factor).astype(_at(result, place).dtype) for place, factor in zip(places, factors)
    ]
    positions = tuple(snippet.parameters.index(name) for name in names)
    own = mindspore.ParameterTuple(weights) if weights else None
    differentiate = mindspore.grad(namespace[_WEIGHTED], positions or None, weights=own)
    differentiate(*values, *tensors)
    found = differentiate(*values, *tensors)
    if not weights:
        for_inputs, for_weights = found, ()
    else:
        for_inputs, for_weights = found if names else ((), found)
    return mindspore_side.as_arrays(for_inputs), mindspore_side.as_arrays(for_weights)


def can_differentiate(snippet: GraphSnippet, names: list[str]) -> bool:
    """Whether the gradients for the inputs `names` can be asked for: they are parameters of the function, and the
    observed value is its result."""
    return snippet.is_observed and set(names) <= set(snippet.parameters)


def _is_set_up(statement: ast.stmt, inputs: frozenset[str]) -> bool:
    """Whether a statement at the start defines, imports, gives another name, or makes an object of a class, or does
    something to one."""
    if isinstance(statement, _DEFINITIONS):
        return True
    if _names([statement], ast.Load) & inputs:
        return False
    if isinstance(statement, ast.Expr):
        return True
    if not isinstance(statement, ast.Assign):
        return False
    if "m" in _names(statement.targets, ast.Store):
        return True
    value = statement.value
    if not isinstance(value, ast.Call):
        return isinstance(value, (ast.Name, ast.Attribute, ast.Lambda, ast.Constant))
    called = ast.unparse(value.func).rpartition(".")[2]
    return called == "partial" or (called[:1].isupper() and called != "Tensor")


def _names(nodes: list[Any], context: type[ast.expr_context]) -> set[str]:
    found = (node for root in nodes for node in ast.walk(root) if isinstance(node, ast.Name))
    return {node.id for node in found if isinstance(node.ctx, context)}


def _float_places(value: Any, place: str) -> list[str]:
    """Where the floating point tensors of a result are, as subscripts."""
    if isinstance(value, mindspore.Tensor):
        return [place] if value.is_floating_point() else []
    if isinstance(value, dict):
        return [one for key, item in value.items() for one in _float_places(item, f"{place}[{key!r}]")]
    if isinstance(value, (tuple, list)):
        return [one for i, item in enumerate(value) for one in _float_places(item, f"{place}[{i}]")]
    return []


def _at(result: Any, place: str) -> Any:
    return eval(f"result{place}", {"result": (result,)})
