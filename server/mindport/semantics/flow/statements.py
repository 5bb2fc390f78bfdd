"""What each kind of statement does."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import assignment, classes, exceptions, functions, imports, loops, matching
from mindport.semantics.flow.frame import Frame, Unreachable
from mindport.semantics.flow.operators import AUGMENTED
from mindport.semantics.flow.paths import end, meet
from mindport.semantics.flow.values import UNKNOWN

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

Run = Callable[["Machine", Frame, Any], None]


def _expression(m: Machine, frame: Frame, node: ast.Expr) -> None:
    m.evaluate(frame, node.value)


def _assign(m: Machine, frame: Frame, node: ast.Assign) -> None:
    value = m.evaluate(frame, node.value)
    for target in node.targets:
        assignment.assign(m, frame, target, value, node.value)


def _annotated(m: Machine, frame: Frame, node: ast.AnnAssign) -> None:
    if node.value is not None:
        value = m.evaluate(frame, node.value)
        assignment.assign(m, frame, node.target, value, node.value)
    if frame.is_class and isinstance(node.target, ast.Name):
        frame.annotated.append((node.target.id, node.annotation, node.value is not None))


def _augmented(m: Machine, frame: Frame, node: ast.AugAssign) -> None:
    read, write = assignment.place(m, frame, node.target)
    value = m.operate(AUGMENTED[type(node.op)], read(), m.evaluate(frame, node.value))
    write(value, node.value)


def _delete(m: Machine, frame: Frame, node: ast.Delete) -> None:
    for target in node.targets:
        assignment.delete(m, frame, target)


def _if(m: Machine, frame: Frame, node: ast.If) -> None:
    test = m.evaluate(frame, node.test)
    is_true = m.truth(test)
    if is_true is not None:
        m.run(frame, node.body if is_true else node.orelse)
        return
    start, ends = m.heap, []
    for body in (node.body, node.orelse):
        m.heap = start.fork()
        ends.append(end(m, lambda body=body: m.run(frame, body)))  # type: ignore[misc]
    m.domain.branched(frame, node, test, start, ends)
    meet(m, [path for paths in ends for path in paths])


def _return(m: Machine, frame: Frame, node: ast.Return) -> None:
    value = None if node.value is None else m.evaluate(frame, node.value)
    m.domain.returned(m, frame, node, value)
    frame.exits.returns.append((m.heap, value))
    raise Unreachable


def _break(m: Machine, frame: Frame, node: ast.Break) -> None:
    frame.exits.breaks.append((m.heap, None))
    raise Unreachable


def _continue(m: Machine, frame: Frame, node: ast.Continue) -> None:
    frame.exits.continues.append((m.heap, None))
    raise Unreachable


def _assert(m: Machine, frame: Frame, node: ast.Assert) -> None:
    test = m.truth(m.evaluate(frame, node.test))
    if test is False:
        m.raise_builtin("AssertionError", () if node.msg is None else (m.evaluate(frame, node.msg),))
    elif test is None:
        m.may_raise()


def _type_alias(m: Machine, frame: Frame, node: Any) -> None:
    m.bind(frame, node.name.id, UNKNOWN)


def _pass(m: Machine, frame: Frame, node: ast.stmt) -> None:
    """`pass`, and `global` and `nonlocal`, which `scopes` reads."""


STATEMENTS: dict[type[ast.stmt], Run] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Delete: _delete,
    ast.If: _if,
    ast.For: loops.run_for,
    ast.AsyncFor: loops.run_async_for,
    ast.While: loops.run_while,
    ast.Return: _return,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Assert: _assert,
    ast.Try: exceptions.run_try,
    ast.Raise: exceptions.run_raise,
    ast.With: exceptions.run_with,
    ast.AsyncWith: exceptions.run_async_with,
    ast.Match: matching.run_match,
    ast.FunctionDef: functions.define,
    ast.AsyncFunctionDef: functions.define,
    ast.ClassDef: classes.define,
    ast.Import: imports.run_import,
    ast.ImportFrom: imports.run_import_from,
    ast.Pass: _pass,
    ast.Global: _pass,
    ast.Nonlocal: _pass,
}
if hasattr(ast, "TryStar"):
    STATEMENTS[ast.TryStar] = exceptions.run_try_star
if hasattr(ast, "TypeAlias"):
    STATEMENTS[ast.TypeAlias] = _type_alias
