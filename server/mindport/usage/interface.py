"""What the rest of a project can see of some units: if it is the same after an edit, nothing else need be looked at."""

from __future__ import annotations

from collections.abc import Iterable

from mindport.usage.memo import STRATA, STRUCTURE
from mindport.usage.resolve import Resolver
from mindport.usage.types import Type
from mindport.usage.variables import FunctionRecord, Op, UnitSummary, Value
from mindport.usage.world import name_of_base

_MAXIMAL_DEPTH = 6  # deeper than calls look into what a function returns
Interface = dict[tuple[object, ...], object]


def interface(summaries: Iterable[UnitSummary], resolver: Resolver) -> Interface:
    """What the units define, by key: two equal ones mean the same to every other unit."""
    found: Interface = {}
    for summary in summaries:
        for name, values in summary.bindings.items():
            visible = [_types(value, resolver) for value in values]
            _add(found, ("binding", summary.path, name), [name in summary.set_by_functions, *visible])
        for key, record in summary.classes.items():
            _add(found, ("bases", key), [resolver.type_of(base, STRUCTURE) for base in record.bases])
            for base in record.bases:
                _add(found, ("derived", name_of_base(base)), [key])
            for name, values in record.attributes.items():
                visible = [_types(value, resolver) for value in values]
                _add(found, ("member", key, name), visible)
                _add(found, ("kept", name), [key, *visible])
            for name, variable in record.reads.items():
                _add(found, ("uses", key, name), [frozenset(variable.uses or ())])
        for function in summary.functions:
            given = _function(function, resolver)
            _add(found, ("function", function.key), [given])
            if function.class_key:
                _add(found, ("member", function.class_key, function.name), [given])
                _add(found, ("overrides", function.name), [function.class_key])
    return found


def _add(found: Interface, key: tuple[object, ...], values: list[object]) -> None:
    known = found.get(key)
    found[key] = (*known, *values) if isinstance(known, tuple) else tuple(values)


def _types(value: Value, resolver: Resolver) -> object:
    return value if isinstance(value, Type) else tuple(resolver.type_of(value, stratum) for stratum in STRATA)


def _function(function: FunctionRecord, resolver: Resolver) -> object:
    parameters = tuple(
        (
            parameter.name,
            parameter.position,
            parameter.kind,
            None if parameter.annotation is None else resolver.type_of(parameter.annotation, STRUCTURE),
            None if parameter.default is None else _types(parameter.default, resolver),
        )
        for parameter in function.parameters.values()
    )
    annotation = function.return_annotation
    return (
        function.class_key,
        (
            function.is_property,
            function.is_static,
            function.is_class_method,
            function.is_generator,
            function.is_accessor,
            function.is_abstract,
            function.hands_on,
        ),
        parameters,
        None if annotation is None else resolver.type_of(annotation, STRUCTURE),
        tuple(_shape(value, function, resolver, 0) for value in function.returns),
    )


def _shape(value: Value, function: FunctionRecord, resolver: Resolver, depth: int) -> object:
    """A returned value as far as calls look into it to put their own arguments in."""
    if isinstance(value, Type):
        return value
    types = _types(value, resolver)
    if value.op is Op.PARAMETER:
        own = function.parameters.get(value.name) is value.detail
        return ("parameter", value.name if own else "", types)
    if depth >= _MAXIMAL_DEPTH:
        return types
    if value.op is Op.JOIN:
        parts = [value.base, *value.detail]
    elif value.op is Op.SEQUENCE:
        parts = value.detail
    elif value.op is Op.CALL:
        parts = [value.base, *value.detail[0]]
    else:
        return types
    return (value.op, value.name, types, tuple(_shape(part, function, resolver, depth + 1) for part in parts))
