"""Functions of the project: defined, bound to what a call passes, and run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow.budget import DEEPEST, BudgetSpent
from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.objects import Function, FunctionNode, Namespace, Suspended, Table
from mindport.semantics.flow.paths import end, meet
from mindport.semantics.flow.scopes import scope_of
from mindport.semantics.flow.values import UNKNOWN, Arguments, Ref

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


_COST_OF_GIVING_UP = 1_000  # a function that calls itself without end gives up again and again


class DoesNotFit(Exception):
    """A call passes what the function does not take."""


def define(m: Machine, frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """`def`: the function with its decorators, the last one first."""
    decorators = [m.evaluate(frame, one) for one in node.decorator_list]
    value: Any = made(m, frame, node)
    for decorator in reversed(decorators):
        value = m.call(decorator, Arguments((value,)), decorates=node)
    m.bind(frame, node.name, value)


def made(m: Machine, frame: Frame, node: FunctionNode) -> Ref:
    """A function, with its defaults as they are now."""
    arguments = node.args
    defaults = tuple(m.evaluate(frame, one) for one in arguments.defaults)
    keywords = {
        name.arg: m.evaluate(frame, one)
        for name, one in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if one is not None
    }
    frame.is_captured = True
    function = Function(node, frame.path, frame.closure, defaults, keywords)
    function.owner = frame.owner
    ref = m.new(function)
    m.domain.defined(m, ref)
    return ref


def call(m: Machine, ref: Ref, passed: Arguments) -> Any:
    """What a function of the project gives. A generator gives itself, and runs when somebody asks."""
    function: Function = m.heap.read(ref)
    if not m.domain.follows(m, function):
        m.lose((ref, *passed.values()))
        return UNKNOWN
    scope = scope_of(function.node)
    names = Namespace(function.path, function.closure, bound=scope.bound)
    try:
        names.names = parameters(m, function, passed)
    except DoesNotFit:
        return m.raise_builtin("TypeError")
    where = m.new(names)
    if scope.yields or isinstance(function.node, ast.AsyncFunctionDef):
        return m.new(Suspended(ref, where))
    return run(m, function, where)


def run(m: Machine, function: Function, names: Ref) -> Any:
    """Run the body of a function whose parameters have their values."""
    return run_in(m, frame_of(m, function, names))


def run_in(m: Machine, frame: Frame) -> Any:
    """Run the body of the function of a frame."""
    if m.budget.depth >= DEEPEST:
        m.budget.step(_COST_OF_GIVING_UP)
        m.heap.lose_everything()
        m.may_raise()
        return UNKNOWN
    m.budget.depth += 1
    outer, m.frame = m.frame, frame
    try:
        return _result(m, frame, frame.function)
    except RecursionError:
        raise BudgetSpent from None
    finally:
        m.budget.depth -= 1
        m.frame = outer
        if not frame.is_captured:
            m.heap.forget(frame.names)


def _result(m: Machine, frame: Frame, node: FunctionNode) -> Any:
    if isinstance(node, ast.Lambda):
        return m.evaluate(frame, node.body)
    fallen_through = end(m, lambda: m.run(frame, node.body))
    return meet(m, frame.exits.returns + fallen_through)


def frame_of(m: Machine, function: Function, names: Ref) -> Frame:
    """Where a function runs."""
    scope = scope_of(function.node)
    frame = Frame(function.path, names, _module_around(m, names))
    frame.globals, frame.rebound = scope.globals, scope.nonlocals
    frame.owner, frame.function = function.owner, function.node
    return frame


def _module_around(m: Machine, names: Ref) -> Ref:
    """The namespace of the file that a namespace belongs to."""
    outer = m.heap.read(names).outer
    while outer is not None:
        names, outer = outer, m.heap.read(outer).outer
    return names


def parameters(m: Machine, function: Function, passed: Arguments) -> dict[str, Any]:
    """The parameters of a function with what a call passes and their defaults. Raises DoesNotFit."""
    arguments = function.node.args
    positional_only = [one.arg for one in arguments.posonlyargs]
    names = [*positional_only, *(one.arg for one in arguments.args)]
    keyword_only = [one.arg for one in arguments.kwonlyargs]
    found: dict[str, Any] = dict(zip(names, passed.positional, strict=False))
    more = passed.positional[len(names) :]
    if more and arguments.vararg is None:
        raise DoesNotFit
    rest: dict[str, Any] = {}
    for name, value in passed.keywords.items():
        if name in keyword_only or (name in names and name not in positional_only):
            if name in found:
                raise DoesNotFit
            found[name] = value
        else:
            rest[name] = value
    if rest and arguments.kwarg is None:
        raise DoesNotFit
    usual = dict(zip(names[len(names) - len(function.defaults) :], function.defaults, strict=True))
    usual |= function.keyword_defaults
    for name in (*names, *keyword_only):
        if name in found:
            continue
        if passed.is_open:
            found[name] = UNKNOWN
        elif name in usual:
            found[name] = usual[name]
        else:
            raise DoesNotFit
    if passed.is_open:
        m.heap.escape(passed.values())
    if arguments.vararg is not None:
        found[arguments.vararg.arg] = UNKNOWN if passed.is_open else tuple(more)
    if arguments.kwarg is not None:
        found[arguments.kwarg.arg] = m.new(Table(None if passed.is_open else rest))
    return found


def open_parameters(m: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, Any]:
    """The parameters of a function that nobody is seen calling."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    found: dict[str, Any] = {one.arg: UNKNOWN for one in every}
    if arguments.vararg is not None:
        found[arguments.vararg.arg] = UNKNOWN
    if arguments.kwarg is not None:
        found[arguments.kwarg.arg] = m.new(Table(None))
    return found
