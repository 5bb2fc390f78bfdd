"""What in a file can be called with tensors alone: functions, classes that are made without arguments, and instances
of others. Looks at the text only."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.source.units import Unit, UnitKind

_MOST_INPUTS = 3


def entry_at(units: Sequence[Unit], line: int) -> str:
    """The name by which the top-level function or class around a 1-based line can be had: its own, or that of an
    instance at the top of the file where the class wants arguments. Empty where there is none."""
    unit = next((one for one in reversed(units) if one.statements and one.first_line <= line), None)
    if unit is None:
        return ""
    if unit.owner:
        return unit.owner if _is_made_without(units, unit.owner) else _instance(units, unit.owner)
    first = unit.statements[0]
    return first.name if isinstance(first, ast.FunctionDef) and _takes_inputs(first) else ""


def _required(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The parameters that must be passed, `self` included; a keyword that must be passed counts for many."""
    arguments = function.args
    if any(default is None for default in arguments.kw_defaults):
        return _MOST_INPUTS + 2
    return len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)


def _takes_inputs(function: ast.FunctionDef) -> bool:
    arguments = function.args
    can_take = len(arguments.posonlyargs) + len(arguments.args) + (arguments.vararg is not None)
    return can_take > 0 and _required(function) <= _MOST_INPUTS


def _is_made_without(units: Sequence[Unit], owner: str) -> bool:
    """Whether the class can be made without arguments, as far as its own `__init__` tells."""
    for unit in units:
        if unit.kind is not UnitKind.MEMBER or unit.owner != owner:
            continue
        for statement in unit.statements:
            if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
                return _required(statement) <= 1
    return True


def _instance(units: Sequence[Unit], owner: str) -> str:
    """A name at the top of the file that is given an instance of the class."""
    for unit in units:
        for statement in unit.statements if unit.kind is UnitKind.STATEMENT else ():
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=called))) if (
                    called == owner
                ):
                    return name
    return ""
