"""Parameters and decorators of functions, as records and values for the walk."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mindport.source.written_names import last_name
from mindport.usage.called_names import is_kind_of_tensors
from mindport.usage.types import BOOL, NONE, STR, UNKNOWN, Tag, Type, dict_of, make, sequence_of
from mindport.usage.variables import FunctionRecord, Op, ParameterRecord, Value, Variable
from mindport.usage.walk_state import RESULT_CHOSEN

if TYPE_CHECKING:
    from mindport.usage.statements import UnitWalker

_PROPERTIES = frozenset({"property", "cached_property", "lazy_property", "abstractproperty", "lazyproperty"})


def decorate(record: FunctionRecord, nodes: list[ast.expr]) -> None:
    """Take over what decorators say of how the function is called."""
    for node in nodes:
        name = last_name(node)
        if name in _PROPERTIES:
            record.is_property = True
        elif name in ("setter", "deleter"):
            record.is_accessor = True
        elif name == "staticmethod":
            record.is_static = True
        elif name == "classmethod":
            record.is_class_method = True


def parameter_list(
    walker: UnitWalker, node: ast.FunctionDef | ast.AsyncFunctionDef, record: FunctionRecord
) -> list[tuple[str, Value]]:
    """Names and values of the parameters, in order; fills the record. Defaults and annotations are evaluated here,
    outside the function."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    defaults.extend(arguments.defaults)
    values: list[tuple[str, Value]] = []
    position = 0
    for index, argument in enumerate(positional):
        default = defaults[index]
        if index == 0 and record.class_key and not record.is_static:
            values.append((argument.arg, _receiver(record)))
            if default is not None:
                walker.evaluate(default)
            continue
        values.append((argument.arg, _parameter(walker, argument, default, record, position, node.body)))
        position += 1
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=False):
        values.append((argument.arg, _parameter(walker, argument, default, record, -1, node.body)))
    if arguments.vararg is not None:
        values.append((arguments.vararg.arg, _rest(walker, arguments.vararg, record, 1)))
    if arguments.kwarg is not None:
        values.append((arguments.kwarg.arg, _rest(walker, arguments.kwarg, record, 2)))
    return values


def _receiver(record: FunctionRecord) -> Type:
    if record.is_class_method or record.name == "__new__" or record.name == "__init_subclass__":
        return make(Tag.PROJECT_CLASS, record.class_key)
    return make(Tag.PROJECT_INSTANCE, record.class_key)


def _parameter(
    walker: UnitWalker,
    argument: ast.arg,
    default: ast.expr | None,
    record: FunctionRecord,
    position: int,
    body: Sequence[ast.stmt],
) -> Value:
    annotation = walker.annotation(argument.annotation) if argument.annotation is not None else None
    given = walker.evaluate(default) if default is not None else None
    if (
        default is not None
        and given is not None
        and is_kind_of_tensors(ast.Name(argument.arg), default, given, body)
    ):
        walker.summary.results[default] = RESULT_CHOSEN
    parameter = ParameterRecord(record.key, argument.arg, position, 0, annotation, given)
    record.parameters[argument.arg] = parameter
    value: Value
    if isinstance(annotation, Type) and annotation is not NONE:
        value = annotation
    elif annotation is None and given in (BOOL, STR):
        value = given
    else:
        value = walker.variable(Op.PARAMETER, None, argument.arg, parameter)
        if record.name == "forward" and record.class_key:
            walker.use(value, "@forward")
    parameter.variable = value
    return value


def _rest(walker: UnitWalker, argument: ast.arg, record: FunctionRecord, kind: int) -> Value:
    annotation = walker.annotation(argument.annotation) if argument.annotation is not None else None
    parameter = ParameterRecord(record.key, argument.arg, -1, kind, annotation, None)
    record.parameters[argument.arg] = parameter
    value: Value
    if annotation is None or annotation is UNKNOWN:
        inner = walker.variable(Op.PARAMETER, None, argument.arg, parameter)
        if record.name == "forward" and record.class_key and kind == 1:
            walker.use(inner, "@forward")
        value = (
            walker.variable(Op.SEQUENCE, None, "", [inner])
            if kind == 1
            else walker.variable(Op.DICT, None, "", [inner])
        )
    elif isinstance(annotation, Variable):
        value = walker.variable(Op.SEQUENCE if kind == 1 else Op.DICT, None, "", [annotation])
    elif kind == 1:
        value = sequence_of(annotation)
    else:
        value = dict_of(STR, annotation)
    parameter.variable = value
    return value
