"""Calls: what is called, and what it gives."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import msgspec

from mindport.semantics.flow import (
    attributes,
    classes,
    containers,
    exceptions,
    functions,
    libraries,
    records,
    tables,
)
from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.objects import Class, Function, Instance, Iteration, Sequence, Suspended, Table
from mindport.semantics.flow.values import (
    OUTSIDE,
    UNKNOWN,
    Arguments,
    Bound,
    Dotted,
    Member,
    Partial,
    Ref,
    Super,
    Unknown,
    Wrapped,
    is_unknown,
)

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

Decorated = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def call(
    m: Machine,
    callee: Any,
    passed: Arguments,
    node: ast.Call | None = None,
    frame: Frame | None = None,
    decorates: Decorated | None = None,
) -> Any:
    """What a call gives. `node` and `frame` say where it stands, `decorates` what it decorates."""
    m.budget.step()
    if isinstance(callee, Dotted):
        return _outside(m, callee, passed, node, frame, decorates)
    if isinstance(callee, Bound):
        return call(m, callee.function, passed.before(callee.receiver))
    if isinstance(callee, Partial):
        keywords = {**dict(callee.keywords), **passed.keywords}
        return call(
            m,
            callee.callee,
            msgspec.structs.replace(passed, keywords=keywords).before(*callee.positional),
            node,
            frame,
        )
    if isinstance(callee, Wrapped):
        return _wrapped(m, callee, passed)
    if isinstance(callee, Member):
        return _member(m, callee, passed, node)
    if isinstance(callee, Ref):
        return _object(m, callee, passed)
    if is_unknown(callee):
        if callee.is_outside:
            return m.given_outside(passed.values())
        m.lose(passed.values())
        return UNKNOWN
    return m.raise_builtin("TypeError")


def _wrapped(m: Machine, callee: Wrapped, passed: Arguments) -> Any:
    if callee.kind != "cached":
        return (
            call(m, callee.function, passed)
            if callee.kind == "staticmethod"
            else m.raise_builtin("TypeError")
        )
    key = m.key((*passed.positional, *passed.keywords.items()))
    known = m.heap.read(callee.setter).items
    if passed.is_open or known is None or key is m.NOT_PLAIN:
        m.heap.write(callee.setter).lose()
        m.lose((callee.function, *passed.values()))
        return UNKNOWN
    if key in known:
        return known[key]
    value = call(m, callee.function, passed)
    m.heap.write(callee.setter).items[key] = value
    return value


def _object(m: Machine, callee: Ref, passed: Arguments) -> Any:
    thing = m.heap.read(callee)
    if isinstance(thing, Function):
        return functions.call(m, callee, passed)
    if isinstance(thing, Class):
        return classes.instantiate(m, callee, passed)
    if isinstance(thing, Suspended):
        m.lose((callee, *passed.values()))
        return UNKNOWN
    if isinstance(thing, Instance):
        method = m.class_member(callee, "__call__")
        if method is not None:
            return call(m, method, passed)
        answer = m.domain.call_instance(m, callee, passed)
        if answer is not NotImplemented:
            return answer
        m.lose((callee, *passed.values()))
        return UNKNOWN
    return m.raise_builtin("TypeError")


def _outside(
    m: Machine,
    callee: Dotted,
    passed: Arguments,
    node: ast.Call | None,
    frame: Frame | None,
    decorates: Decorated | None,
) -> Any:
    """A name outside the project: Python's own, a library's, or the domain's."""
    if decorates is not None and callee.name in _IDLE_DECORATORS:
        return passed.positional[0]
    answer = libraries.call(m, callee.name, passed, frame or m.frame)
    if type(answer) is Unknown:
        told = m.domain.call(m, callee.name, passed, node)
        return answer if told is NotImplemented else told
    if answer is not NotImplemented:
        return answer
    module, _, name = callee.name.rpartition(".")
    if module.startswith("builtins.") and passed.positional and not passed.is_open:
        return _of_builtin_class(m, module, name, passed)
    if module == "builtins" and exceptions.builtin_exception(name) is not None:
        return m.instance(callee, {"args": UNKNOWN if passed.is_open else passed.positional})
    answer = m.domain.call(m, callee.name, passed, node)
    if answer is not NotImplemented:
        return answer
    if decorates is not None:
        m.heap.escape(passed.values())
        return UNKNOWN
    return m.given_outside(passed.values())


def _of_builtin_class(m: Machine, module: str, name: str, passed: Arguments) -> Any:
    """A method asked of a class of Python's: `str.upper(x)`, `object.__setattr__(self, name, value)`."""
    first, rest = passed.positional[0], Arguments(passed.positional[1:], passed.keywords)
    thing = m.heap.read(first) if isinstance(first, Ref) else None
    if module == "builtins.object" and isinstance(thing, Instance | Class):
        return _of_object(m, first, name, passed if name == "__new__" else rest)
    if m.is_instance(first, Dotted(module)) is True and not isinstance(thing, Instance):
        return m.call(m.attribute(first, name), rest)
    m.lose(passed.values())
    return UNKNOWN


# Decorators that hand on what they get, as far as values go.
_IDLE_DECORATORS = frozenset(
    (
        "typing.overload", "typing.final", "typing.runtime_checkable", "typing.no_type_check",
        "typing_extensions.override", "typing.override", "enum.unique", "atexit.register",
    )
)  # fmt: skip


def _member(m: Machine, callee: Member, passed: Arguments, node: ast.Call | None) -> Any:
    """A method that needs no code of the project."""
    receiver, name = callee.receiver, callee.name
    if is_unknown(receiver):
        return m.domain.call_part(m, receiver, name, passed, node)
    if isinstance(receiver, Super):
        return _of_super(m, receiver, name, passed)
    thing = m.heap.read(receiver) if isinstance(receiver, Ref) else None
    if isinstance(thing, Sequence):
        return containers.of_list(m, receiver, name, passed)
    if isinstance(thing, Table):
        return tables.of_table(m, receiver, name, passed)
    if isinstance(thing, Suspended | Iteration):
        return containers.of_iteration(m, receiver, name, passed)
    if isinstance(thing, Instance):
        return _of_instance(m, receiver, thing, name, passed)
    if isinstance(thing, Class):
        return _of_class(m, receiver, name, passed)
    if isinstance(thing, Function):
        m.lose(passed.values())
        return UNKNOWN
    return containers.of_plain(m, receiver, name, passed)


def _of_instance(m: Machine, receiver: Ref, thing: Instance, name: str, passed: Arguments) -> Any:
    if name in ("__init__", "__setattr__", "__getattribute__", "__delattr__", "__init_subclass__"):
        return _of_object(m, receiver, name, passed)
    if thing.payload is not None and records.items_of_record(m, receiver) is not None:
        return records.record_member(m, receiver, name, passed)
    answer = m.domain.call_member(m, receiver, name, passed)
    if answer is not NotImplemented:
        return answer
    m.lose((receiver, *passed.values()))
    return UNKNOWN


def _of_class(m: Machine, receiver: Ref, name: str, passed: Arguments) -> Any:
    if name == "__new__" and passed.positional:
        return _of_object(m, receiver, name, passed)
    if name == "__subclasses__":
        return UNKNOWN
    # A method of a class outside, called with the object in front: `nn.Module.__init__(self)` of a subclass.
    if passed.positional and isinstance(passed.positional[0], Ref):
        first, rest = passed.positional[0], passed.positional[1:]
        if isinstance(m.heap.read(first), Instance):
            return _of_instance(
                m, first, m.heap.read(first), name, Arguments(rest, passed.keywords, passed.is_open)
            )
    if records.fields_of(m, receiver) is None and name == "_make" and passed.positional:
        items = m.items_of(passed.positional[0])
        return UNKNOWN if items is None else m.call(receiver, Arguments(tuple(items)))
    m.lose((receiver, *passed.values()))
    return UNKNOWN


def _of_super(m: Machine, owner: Super, name: str, passed: Arguments) -> Any:
    """A method that only classes outside have, behind the project's."""
    receiver = owner.receiver
    thing = m.heap.read(receiver)
    if isinstance(thing, Class):
        return _of_object(m, receiver, name, passed)
    order = m.order_of(thing)
    behind = order[order.index(owner.owner) + 1 :] if order is not None and owner.owner in order else None
    if name == "__init__":
        if behind is None:
            m.lose((receiver, *passed.values()))
        else:
            classes.initialise(m, receiver, behind, passed)
        return None
    if name in ("__setattr__", "__getattribute__", "__delattr__"):
        return _of_object(m, receiver, name, passed)
    return _of_instance(m, receiver, thing, name, passed)


def _of_object(m: Machine, receiver: Ref, name: str, passed: Arguments) -> Any:
    """What `object` does."""
    given = passed.positional
    if name == "__new__" and given and isinstance(given[0], Ref):
        thing = m.heap.read(given[0])
        order = thing.order if isinstance(thing, Class) else None
        if order is None:
            return UNKNOWN
        return m.new(Instance(given[0]))
    if name == "__setattr__" and len(given) == 2 and isinstance(given[0], str):
        attributes.set_plainly(m, receiver, given[0], given[1])
        return None
    if name == "__getattribute__" and given and isinstance(given[0], str):
        thing = m.heap.read(receiver)
        return thing.attributes.get(given[0], UNKNOWN)
    if name == "__delattr__" and given and isinstance(given[0], str):
        m.heap.write(receiver).attributes.pop(given[0], None)
        return None
    if name in ("__init__", "__init_subclass__"):
        return None
    m.lose((receiver, *passed.values()))
    return OUTSIDE
