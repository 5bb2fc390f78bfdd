"""Attributes: where they are looked up, and what setting them does."""

from __future__ import annotations

import ast
import posixpath
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow.objects import Class, Function, Instance, Namespace
from mindport.semantics.flow.values import (
    OUTSIDE,
    UNKNOWN,
    Arguments,
    Bound,
    Dotted,
    Member,
    Ref,
    Super,
    Wrapped,
    is_plain,
    is_unknown,
)

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

NAMESPACE = Dotted("types.SimpleNamespace")  # an object that has what it was given
_OF_CLASSES = ("__name__",)
_DATA_OF_CLASSES = frozenset(
    ("__dict__", "__module__", "__doc__", "__mro__", "__qualname__", "__annotations__")
)


def attribute(m: Machine, owner: Any, name: str) -> Any:
    """`owner.name`. Raises Unreachable where it surely is missing."""
    if isinstance(owner, Dotted):
        is_class = owner.name.startswith("builtins.") or owner.name.rpartition(".")[2][:1].isupper()
        if name in _OF_CLASSES and is_class:
            return owner.name.rpartition(".")[2]
        if m.is_watched and m.domain.is_missing(f"{owner.name}.{name}"):
            return m.raise_builtin("AttributeError")
        return m.domain.named(f"{owner.name}.{name}")
    if is_unknown(owner):
        return m.domain.part(owner, name)
    if isinstance(owner, Super):
        return _of_super(m, owner, name)
    if isinstance(owner, Wrapped):
        return attribute(m, owner.function, name) if name.startswith("__") else UNKNOWN
    if isinstance(owner, Bound):
        return _of_bound(m, owner, name)
    if not isinstance(owner, Ref):
        return _of_plain(m, owner, name)
    thing = m.heap.read(owner)
    if isinstance(thing, Namespace):
        return _of_module(m, owner, thing, name)
    if isinstance(thing, Class):
        return _of_class(m, owner, thing, name)
    if isinstance(thing, Instance):
        return _of_instance(m, owner, thing, name)
    if isinstance(thing, Function):
        return _of_function(thing, name)
    return Member(owner, name)


def _of_plain(m: Machine, owner: Any, name: str) -> Any:
    """Of numbers, texts and tuples; what is no method is data."""
    if isinstance(owner, slice) and name in ("start", "stop", "step"):
        return getattr(owner, name)
    if not isinstance(owner, tuple | frozenset) and not is_plain(owner):
        return Member(owner, name)
    found = getattr(owner, name, OUTSIDE)
    if found is OUTSIDE:
        return m.raise_builtin("AttributeError")
    return found if is_plain(found) and not callable(found) else Member(owner, name)


def _of_function(thing: Function, name: str) -> Any:
    if name in thing.attributes:
        return thing.attributes[name]
    if name == "__doc__":
        return OUTSIDE if isinstance(thing.node, ast.Lambda) else ast.get_docstring(thing.node, clean=False)
    if name == "__defaults__":
        return thing.defaults or None
    return thing.name if name == "__name__" else UNKNOWN


def _of_bound(m: Machine, owner: Bound, name: str) -> Any:
    if name == "__self__":
        return owner.receiver
    return owner.function if name == "__func__" else attribute(m, owner.function, name)


def _of_module(m: Machine, owner: Ref, thing: Namespace, name: str) -> Any:
    if name in thing.names:
        return thing.names[name]
    inner = m.submodule(owner, thing, name)
    if inner is not None:
        return inner
    if "__getattr__" in thing.names:
        return m.call(thing.names["__getattr__"], Arguments((name,)))
    if name == "__name__":
        return posixpath.splitext(posixpath.basename(thing.path))[0]
    return m.missing_name(thing, name)


def _of_class(m: Machine, owner: Ref, thing: Class, name: str) -> Any:
    if name in _OF_CLASSES:
        return thing.name
    if name == "__bases__":
        return thing.bases or (Dotted("builtins.object"),)
    if name in _DATA_OF_CLASSES:
        return thing.attributes.get(name, OUTSIDE) if name == "__doc__" else OUTSIDE
    members = m.enumerated_names(owner)
    if members is not None and name in members:
        return members[name]
    if (
        thing.order is None
        or thing.is_lost
        or (thing.metaclass is not None and isinstance(thing.metaclass, Ref))
    ):
        found = thing.attributes.get(name)
        return UNKNOWN if found is None or thing.is_lost else _through_class(m, found, owner)
    found = in_classes(m, thing.order, name)
    if found is not None:
        return _through_class(m, found, owner)
    is_pythons = hasattr(type, name) or (name.startswith("__") and name.endswith("__"))
    if is_pythons or any(isinstance(one, Dotted) for one in thing.order):
        return Member(owner, name)
    return m.raise_builtin("AttributeError")


def _through_class(m: Machine, found: Any, owner: Ref) -> Any:
    """What a class gives of an attribute of its."""
    if isinstance(found, Wrapped):
        if found.kind == "staticmethod":
            return found.function
        return Bound(found.function, owner) if found.kind == "classmethod" else found
    return UNKNOWN if _has_getter(m, found) else found


def _has_getter(m: Machine, found: Any) -> bool:
    """Whether an attribute of a class decides itself what it gives."""
    if not isinstance(found, Ref) or not isinstance(m.heap.read(found), Instance):
        return False
    return m.class_member(found, "__get__") is not None


def in_classes(m: Machine, order: tuple[Any, ...] | None, name: str) -> Any:
    """The attribute of a name in the classes of an order, as it stands there. None for none, unknown where a class
    outside may have it first."""
    for one in order or ():
        if isinstance(one, Ref):
            thing: Class = m.heap.read(one)
            if name in thing.attributes:
                return thing.attributes[name]
            if thing.is_lost:
                return UNKNOWN
        elif m.domain.may_define(one, name):
            return None
    return None


def _of_instance(m: Machine, owner: Ref, thing: Instance, name: str) -> Any:
    if name == "__class__":
        return thing.class_of
    order = m.order_of(thing)
    found = in_classes(m, order, name)
    if isinstance(found, Wrapped) and found.kind == "property":
        return m.call(found.function, Arguments((owner,)))
    if found is not None and _has_getter(m, found):
        m.lose((owner,))
        return UNKNOWN
    if in_classes(m, order, "__getattribute__") is not None:
        m.lose((owner,))
        return UNKNOWN
    if name in thing.attributes:
        return thing.attributes[name]
    if name == "__dict__":
        return m.domain.dictionary(m, owner)
    if isinstance(found, Wrapped) and found.kind == "cached_property":
        value = m.call(found.function, Arguments((owner,)))
        m.heap.write(owner).attributes[name] = value
        return value
    if thing.is_lost:
        return UNKNOWN
    if found is not None:
        return bound(m, found, owner)
    answer = m.domain.member(m, owner, name)
    if answer is not None:
        return answer
    getter = in_classes(m, order, "__getattr__")
    if getter is not None:
        return m.call(getter, Arguments((owner, name)))
    is_bare = thing.class_of == NAMESPACE
    if (
        order is None
        or (any(isinstance(one, Dotted) for one in order) and not is_bare)
        or hasattr(object, name)
    ):
        return Member(owner, name)
    return m.raise_builtin("AttributeError")


def bound(m: Machine, found: Any, receiver: Ref) -> Any:
    """An attribute of a class as its instance gives it."""
    if isinstance(found, Wrapped):
        if found.kind == "staticmethod":
            return found.function
        if found.kind == "cached":
            return Bound(found, receiver)
        return Bound(found.function, m.heap.read(receiver).class_of)
    if isinstance(found, Ref) and isinstance(m.heap.read(found), Function):
        return Bound(found, receiver)
    return found


def _of_super(m: Machine, owner: Super, name: str) -> Any:
    receiver = owner.receiver
    thing = m.heap.read(receiver)
    is_class = isinstance(thing, Class)
    order = thing.order if is_class else m.order_of(thing)
    if order is None or owner.owner not in order:
        return UNKNOWN
    behind = order[order.index(owner.owner) + 1 :]
    found = in_classes(m, behind, name)
    if found is None:
        return Member(owner, name)
    if isinstance(found, Wrapped) and found.kind == "property":
        return m.call(found.function, Arguments((receiver,)))
    if is_class:
        return _through_class(m, found, receiver)
    return bound(m, found, receiver)


def set_attribute(m: Machine, owner: Any, name: str, value: Any) -> None:
    """`owner.name = value`."""
    if is_unknown(owner):
        m.heap.escape((value,))
        m.lose_if_unknown(owner)
        return
    if not isinstance(owner, Ref):
        m.heap.escape((value,))
        return
    thing = m.heap.read(owner)
    if isinstance(thing, Instance):
        order = m.order_of(thing)
        setter = in_classes(m, order, "__setattr__")
        if setter is not None:
            m.call(setter, Arguments((owner, name, value)))
        else:
            set_plainly(m, owner, name, value)
    elif isinstance(thing, Namespace):
        m.heap.write(owner).names[name] = value
    elif isinstance(thing, Function) and name == "__defaults__":
        m.heap.write(owner).defaults = value if isinstance(value, tuple) else ()
    elif isinstance(thing, Class | Function):
        m.heap.write(owner).attributes[name] = value
    else:
        m.heap.escape((value,))


def set_plainly(m: Machine, owner: Ref, name: str, value: Any) -> None:
    """What `object.__setattr__` does."""
    thing: Instance = m.heap.read(owner)
    found = in_classes(m, m.order_of(thing), name)
    if isinstance(found, Wrapped) and found.kind == "property":
        if found.setter is None:
            m.raise_builtin("AttributeError")
        m.call(found.setter, Arguments((owner, value)))
    elif found is not None and _has_getter(m, found):
        m.lose((owner, value))
    elif thing.is_lost:
        m.heap.escape((value,))
        m.heap.write(owner).attributes[name] = value
    else:
        m.heap.write(owner).attributes[name] = value


def delete_attribute(m: Machine, owner: Any, name: str) -> None:
    """`del owner.name`."""
    thing = m.heap.read(owner) if isinstance(owner, Ref) else None
    if isinstance(thing, Instance):
        if in_classes(m, m.order_of(thing), "__delattr__") is not None:
            m.lose((owner,))
        elif name in thing.attributes:
            del m.heap.write(owner).attributes[name]
        elif thing.is_lost:
            m.may_raise()
        elif any(isinstance(one, Dotted) for one in m.order_of(thing) or ()):
            m.heap.write(owner).lose()
        else:
            m.raise_builtin("AttributeError")
    elif isinstance(thing, Class | Function):
        if m.heap.write(owner).attributes.pop(name, OUTSIDE) is OUTSIDE:
            m.may_raise()
    elif isinstance(thing, Namespace):
        m.heap.write(owner).names.pop(name, None)
    else:
        m.lose_if_unknown(owner)
