"""Classes of the project: defined, put in order, and made instances of."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import attributes, exceptions, records
from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.objects import Class, Instance, Namespace
from mindport.semantics.flow.scopes import scope_of
from mindport.semantics.flow.values import UNKNOWN, Arguments, Dotted, Ref, is_unknown, unwrapped

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

ABSTRACT = "__isabstractmethod__"
_ABSTRACT_CLASS = Dotted("abc.ABCMeta")
OBJECT = Dotted("builtins.object")
# What marks or orders classes and changes nothing in them.
_IDLE_BASES = frozenset(("typing.Generic", "typing.Protocol", "abc.ABC", "typing_extensions.Protocol"))
_IDLE_METACLASSES = frozenset(("abc.ABCMeta", "builtins.type", "enum.EnumMeta", "enum.EnumType"))


def define(m: Machine, frame: Frame, node: ast.ClassDef) -> None:
    """`class`: the body runs, then the class is made and decorated."""
    decorators = [m.evaluate(frame, one) for one in node.decorator_list]
    bases: list[Any] = []
    for one in node.bases:
        value = m.evaluate(frame, one.value if isinstance(one, ast.Starred) else one)
        spread = m.items_of(value) if isinstance(one, ast.Starred) else [value]
        bases += spread if spread is not None else [UNKNOWN]
    keywords = {one.arg or "**": m.evaluate(frame, one.value) for one in node.keywords}
    scope = scope_of(node)
    body = m.new(Namespace(frame.path, frame.closure, bound=scope.bound))
    inner = Frame(frame.path, body, frame.module, closure=frame.closure)
    inner.globals, inner.rebound = scope.globals, scope.nonlocals
    frame.is_captured = True
    # Methods know their class, which is there only when they run.
    made = Class(node.name, frame.path, tuple(bases), {})
    ref = inner.owner = m.new(made)
    outer, m.frame = m.frame, inner
    try:
        m.run(inner, node.body)
    finally:
        m.frame = outer
    made = m.heap.write(ref)
    made.attributes = dict(m.heap.read(body).names)
    made.metaclass = keywords.pop("metaclass", None) or _inherited_metaclass(m, bases)
    made.order = _order(m, ref, bases)
    _note_made(m, ref, keywords)
    records.note_fields(m, ref, inner.annotated)
    result: Any = _made_by_metaclass(m, ref)
    for decorator in reversed(decorators):
        result = m.call(decorator, Arguments((result,)), decorates=node)
    m.bind(frame, node.name, result)


def made_by_type(m: Machine, path: str, name: str, bases: tuple[Any, ...], names: dict[str, Any]) -> Ref:
    """`type(name, bases, names)`."""
    ref = m.new(Class(name, path, bases, dict(names)))
    made = m.heap.write(ref)
    made.metaclass = _inherited_metaclass(m, list(bases))
    made.order = _order(m, ref, list(bases))
    _note_made(m, ref, {})
    return ref


def _inherited_metaclass(m: Machine, bases: list[Any]) -> Any:
    if Dotted("abc.ABC") in bases:
        return _ABSTRACT_CLASS
    found = (m.heap.read(base).metaclass for base in bases if isinstance(base, Ref) and _is_class(m, base))
    return next((one for one in found if one is not None), None)


def _made_by_metaclass(m: Machine, ref: Ref) -> Any:
    """The class itself, unless a metaclass of the project, or one that is not known, makes something else of it."""
    metaclass = m.heap.read(ref).metaclass
    if metaclass is None or (isinstance(metaclass, Dotted) and metaclass.name in _IDLE_METACLASSES):
        return ref
    if isinstance(metaclass, Dotted) and m.domain.is_idle(metaclass.name):
        return ref
    m.heap.write(ref).is_lost = True
    m.heap.escape((ref,))
    m.lose((metaclass,))
    return UNKNOWN


def _note_made(m: Machine, ref: Ref, keywords: dict[str, Any]) -> None:
    """What bases and attributes do when they are told of a new class."""
    made = m.heap.read(ref)
    for base in (made.order or ())[1:]:
        if not isinstance(base, Ref):
            continue
        hook = m.heap.read(base).attributes.get("__init_subclass__")
        if hook is not None:
            m.call(unwrapped(hook), Arguments((ref,), keywords))
            break
    for name, value in made.attributes.items():
        if isinstance(value, Ref) and isinstance(m.heap.read(value), Instance):
            told = m.class_member(value, "__set_name__")
            if told is not None:
                m.call(told, Arguments((ref, name)))


def _order(m: Machine, ref: Ref, bases: list[Any]) -> tuple[Any, ...] | None:
    """The order in which a class and its bases are asked for attributes; None where a base is not known."""
    rows: list[list[Any]] = []
    for base in bases:
        if isinstance(base, Ref) and _is_class(m, base):
            order = m.heap.read(base).order
            if order is None:
                return None
            rows.append(list(order))
        elif isinstance(base, Dotted):
            if base.name not in _IDLE_BASES and base != OBJECT:
                rows.append([base])
        else:
            return None
    rows.append([base for base in bases if any(base in row for row in rows)])
    found: list[Any] = [ref]
    while rows := [row for row in rows if row]:
        first = next((row[0] for row in rows if not any(row[0] in other[1:] for other in rows)), None)
        if first is None:
            return None
        found.append(first)
        rows = [[one for one in row if one != first] for row in rows]
    return tuple(found)


def _is_class(m: Machine, ref: Ref) -> bool:
    return isinstance(m.heap.read(ref), Class)


def instantiate(m: Machine, ref: Ref, passed: Arguments) -> Any:
    """What a call of a class of the project gives."""
    made: Class = m.heap.read(ref)
    if made.order is None or any(is_unknown(base) for base in made.bases):
        m.lose((*passed.values(), ref))
        return UNKNOWN
    if m.enumerated_names(ref) is not None:
        return records.enum_member(m, ref, passed)
    if _is_abstract(m, made):
        return m.raise_builtin("TypeError")
    maker = attributes.in_classes(m, made.order, "__new__")
    if maker is not None:
        return _made_by_new(m, ref, maker, passed)
    if records.is_named_tuple(made):
        return records.named_tuple(m, ref, passed)
    instance = m.new(Instance(ref))
    initialise(m, instance, made.order, passed)
    return instance


def _is_abstract(m: Machine, made: Class) -> bool:
    """Whether a class has a method that only its subclasses define."""
    if made.metaclass != _ABSTRACT_CLASS:
        return False
    names = {name for one in made.order or () if isinstance(one, Ref) for name in m.heap.read(one).attributes}
    for name in names:
        found = attributes.in_classes(m, made.order, name)
        function = unwrapped(found)
        if m.is_function(function) and ABSTRACT in m.heap.read(function).attributes:
            return True
    return False


def _made_by_new(m: Machine, ref: Ref, maker: Any, passed: Arguments) -> Any:
    made = m.call(unwrapped(maker), passed.before(ref))
    is_instance = isinstance(made, Ref) and isinstance(m.heap.read(made), Instance)
    if is_instance and m.derives(m.class_of(made), ref):
        initialise(m, made, m.heap.read(m.heap.read(made).class_of).order, passed)
    return made


def initialise(m: Machine, instance: Ref, order: tuple[Any, ...] | None, passed: Arguments) -> None:
    """Run the first `__init__` in an order of classes on an instance."""
    for one in order or ():
        if isinstance(one, Ref):
            if records.is_record(m, one) and "__init__" not in m.heap.read(one).attributes:
                records.initialise(m, instance, one, passed)
                return
            function = m.heap.read(one).attributes.get("__init__")
            if function is not None:
                m.call(function, passed.before(instance))
                return
        elif one != OBJECT:
            _initialise_outside(m, instance, one, passed)
            return
    if (passed.positional or passed.keywords) and not m.heap.read(instance).is_lost:
        m.raise_builtin("TypeError")


def _initialise_outside(m: Machine, instance: Ref, base: Dotted, passed: Arguments) -> None:
    """Run the constructor of a class outside on an object that derives from it."""
    module, _, name = base.name.rpartition(".")
    if module == "builtins" and exceptions.builtin_exception(name) is not None:
        m.heap.write(instance).attributes["args"] = UNKNOWN if passed.is_open else passed.positional
    elif not m.domain.initialise(m, instance, base.name, passed):
        m.heap.write(instance).lose()
        m.may_raise()
