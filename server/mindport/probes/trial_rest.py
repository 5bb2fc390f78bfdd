"""What a program would have built after the place where it stopped: makes the networks of the statements that follow in
each function on the way there, with the values that the function had by then (options, constants, configuration)."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from types import TracebackType
from typing import Any

# A function that makes a network is known by the name that its result gets.
_NETWORK_NAME = re.compile(
    r"model|net|generator|discriminator|encoder|decoder|backbone|actor|critic|policy", re.IGNORECASE
)


class NotComputed(Exception):
    """A value that only the statements that did not run would have given."""


def networks_after(error: BaseException, folder: str) -> Iterator[Any]:
    """The networks that the functions on the way to `error`, of files in `folder`, would have made next, from the
    inside out. Raises what their constructors raise; a network is left out whose arguments are not known."""
    frames: list[TracebackType] = []
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(os.path.join(folder, "")):  # noqa: PTH118
            frames.append(trace)
        trace = trace.tb_next
    for one in reversed(frames):
        body = _body_of(one)
        if body:
            yield from _Rest(one).made_by(body)


class _Rest:
    """The statements of one function that did not run."""

    def __init__(self, trace: TracebackType) -> None:
        self._line = trace.tb_lineno
        self._globals = trace.tb_frame.f_globals
        self._locals = dict(trace.tb_frame.f_locals)

    def made_by(self, body: list[ast.stmt]) -> Iterator[Any]:
        """The networks that the statements behind the line make."""
        for statement in body:
            if (statement.end_lineno or statement.lineno) <= self._line and statement.lineno <= self._line:
                continue
            is_passed = statement.lineno > self._line
            if isinstance(statement, ast.If):
                yield from self._branch(statement, is_passed)
            elif isinstance(statement, (ast.With, ast.Try)):
                yield from self.made_by(statement.body)
            elif is_passed and isinstance(statement, ast.Assign):
                yield from self._assigned(statement)

    def _branch(self, statement: ast.If, is_passed: bool) -> Iterator[Any]:
        if not is_passed:  # the line lies in it
            is_first = self._line <= (statement.body[-1].end_lineno or 0)
            yield from self.made_by(statement.body if is_first else statement.orelse)
            return
        try:
            chosen = statement.body if self._value(statement.test) else statement.orelse
        except NotComputed:
            return
        yield from self.made_by(chosen)

    def _assigned(self, statement: ast.Assign) -> Iterator[Any]:
        target = statement.targets[0]
        has_calls = any(isinstance(node, ast.Call) for node in ast.walk(statement.value))
        if has_calls and not self._makes_network(statement.value, target):
            return
        try:
            value = self._value(statement.value)
        except NotComputed:
            return
        if isinstance(target, ast.Name):
            self._locals[target.id] = value
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            self._keep_attribute(target.value.id, target.attr, value)
        if _is_cell(value):
            yield value

    def _keep_attribute(self, name: str, attribute: str, value: Any) -> None:
        try:
            setattr(self._locals[name], attribute, value)
        except Exception:  # noqa: BLE001 - an object of the user's may refuse
            return

    def _makes_network(self, value: ast.expr, target: ast.expr) -> bool:
        if not isinstance(value, ast.Call):
            return False
        try:
            made = self._value(value.func)
        except NotComputed:
            return False
        if isinstance(made, type):
            return _is_cell_class(made)
        name = target.id if isinstance(target, ast.Name) else getattr(target, "attr", "")
        return callable(made) and bool(_NETWORK_NAME.search(name))

    def _value(self, expression: ast.expr) -> Any:
        """Raises Unknown where the expression itself fails, and what is raised inside of what it calls."""
        code = compile(ast.Expression(expression), "<rest>", "eval")
        try:
            return eval(code, self._globals, self._locals)
        except Exception as error:
            trace = error.__traceback__
            depth = 0
            while trace is not None:
                depth += 1
                trace = trace.tb_next
            if depth <= 2:  # this function and the expression: a name that is not there yet
                raise NotComputed from None
            raise


def _body_of(trace: TracebackType) -> list[ast.stmt]:
    """The statements of the function, or of the file, that a call was in."""
    code = trace.tb_frame.f_code
    try:
        with open(code.co_filename, "rb") as file:  # noqa: PTH123
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return []
    if code.co_name == "<module>":
        return tree.body
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if first <= code.co_firstlineno <= node.lineno:
                return node.body
    return []


def _is_cell(value: Any) -> bool:
    return _is_cell_class(type(value))


def _is_cell_class(kind: type) -> bool:
    from mindspore import nn
    from mindspore.experimental.optim.optimizer import Optimizer

    return issubclass(kind, nn.Cell) and not issubclass(kind, (nn.Optimizer, Optimizer))
