"""Items of lists, dictionaries, texts and objects."""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import iteration
from mindport.semantics.flow.objects import Class, Instance, Namespace, Sequence, Table
from mindport.semantics.flow.values import (
    UNKNOWN,
    Arguments,
    Dotted,
    Ref,
    View,
    is_plain,
    is_unknown,
)

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


def item(m: Machine, owner: Any, key: Any, node: ast.Subscript | None = None) -> Any:
    """`owner[key]`. `node` says where it stands, unless it is about to be given a value."""
    if isinstance(owner, tuple) and isinstance(key, int | slice) and is_plain(key):
        return m.applied(operator.getitem, owner, key)
    if is_plain(owner) and is_plain(key):
        return m.applied(operator.getitem, owner, key)
    if is_unknown(owner):
        return m.domain.subscript(m, owner, key, node)
    owner = _behind(owner)
    thing = m.heap.read(owner) if isinstance(owner, Ref) else None
    if isinstance(thing, Sequence):
        return _of_list(m, thing, key)
    if isinstance(thing, Table):
        return _of_table(m, owner, thing, key)
    if isinstance(thing, Namespace):
        if not isinstance(key, str):
            m.heap.escape(thing.values())
            return UNKNOWN
        if key in thing.names or thing.is_open:
            return thing.names.get(key, UNKNOWN)
        return m.raise_builtin("KeyError", (key,))
    if isinstance(thing, Instance):
        answer = m.domain.subscript(m, owner, key, node)
        if answer is not NotImplemented:
            return answer
        method = m.class_member(owner, "__getitem__")
        return m.unknown_of((owner, key)) if method is None else m.call(method, Arguments((key,)))
    if isinstance(thing, Class):
        method = m.member_of_class(owner, "__class_getitem__")
        members = m.enumerated_names(owner)
        if members is not None and isinstance(key, str):
            return members.get(key, UNKNOWN)
        return owner if method is None else UNKNOWN
    if isinstance(owner, Dotted):
        return m.domain.subscript(m, owner, key, node) if not _is_generic(owner) else owner
    if isinstance(owner, tuple):
        return m.heap.one_of(owner) if not isinstance(key, slice) else m.domain.group(m.heap.one_of(owner))
    return m.unknown_of((owner, key))


def _is_generic(owner: Dotted) -> bool:
    return owner.name.startswith(("typing.", "builtins.", "collections."))


def _behind(owner: Any) -> Any:
    """The namespace that `globals()` shows."""
    return owner.table if isinstance(owner, View) and owner.kind == "names" else owner


def _of_list(m: Machine, thing: Sequence, key: Any) -> Any:
    if thing.items is None or not is_plain(key):
        found = iteration.any_item(m, thing)
        return m.new(Sequence(None, each=found)) if isinstance(key, slice) else found
    if isinstance(key, slice):
        return m.new(Sequence(m.applied(operator.getitem, thing.items, key)))
    if not isinstance(key, int):
        return m.raise_builtin("TypeError")
    if not -len(thing.items) <= key < len(thing.items):
        return m.raise_builtin("IndexError")
    return thing.items[key]


def _of_table(m: Machine, owner: Ref, thing: Table, key: Any) -> Any:
    hashed = m.key(key)
    if thing.items is None or hashed is m.NOT_PLAIN:
        if thing.default is not None:
            m.heap.escape(thing.values())
            m.heap.write(owner).lose()
        m.heap.escape(thing.values())
        m.may_raise()
        return UNKNOWN if thing.items is None else m.heap.one_of(thing.items.values())
    if hashed in thing.items:
        return thing.items[hashed]
    if thing.kind == "Counter":
        return 0
    if thing.default is not None:
        made = m.call(thing.default, Arguments())
        table = m.heap.write(owner)
        if table.items is not None:
            table.items[hashed] = made
        return made
    return m.raise_builtin("KeyError", (key,))


def set_item(m: Machine, owner: Any, key: Any, value: Any) -> None:
    """`owner[key] = value`."""
    owner = _behind(owner)
    thing = m.heap.read(owner) if isinstance(owner, Ref) else None
    if isinstance(thing, Sequence):
        _into_list(m, owner, thing, key, value)
    elif isinstance(thing, Table):
        hashed = m.key(key)
        table = m.heap.write(owner)
        if hashed is m.NOT_PLAIN or table.items is None:
            m.heap.escape((*table.values(), value))
            table.lose()
        else:
            table.items[hashed] = value
    elif isinstance(thing, Namespace):
        names = m.heap.write(owner)
        if isinstance(key, str):
            names.names[key] = value
        else:
            m.heap.escape((value,))
            names.names = dict.fromkeys(names.names, UNKNOWN)
            names.is_open = True
    elif isinstance(thing, Instance):
        if m.domain.set_item(m, owner, key, value):
            return
        method = m.class_member(owner, "__setitem__")
        if method is None:
            m.heap.escape((value,))
            m.lose((owner,))
        else:
            m.call(method, Arguments((key, value)))
    elif is_unknown(owner):
        m.heap.escape((value,))
        m.lose_if_unknown(owner)
    else:
        m.raise_builtin("TypeError")


def _into_list(m: Machine, owner: Ref, thing: Sequence, key: Any, value: Any) -> None:
    items = m.heap.write(owner).items
    fresh = m.items_of(value) if isinstance(key, slice) else None
    if items is None or not is_plain(key) or (isinstance(key, slice) and fresh is None):
        m.heap.escape((*thing.values(), value))
        each = m.heap.one_of(
            (
                iteration.any_item(m, owner),
                iteration.any_item(m, value) if fresh is None and isinstance(key, slice) else value,
            )
        )
        m.heap.write(owner).become(each)
        return
    try:
        items = m.heap.write(owner).items
        if isinstance(key, slice):
            items[key] = fresh
        else:
            items[key] = value
    except IndexError:
        m.raise_builtin("IndexError")
    except (ValueError, TypeError):
        m.raise_builtin("ValueError")


def delete_item(m: Machine, owner: Any, key: Any) -> None:
    """`del owner[key]`."""
    thing = m.heap.read(owner) if isinstance(owner, Ref) else None
    if isinstance(thing, Sequence | Table):
        items = m.heap.write(owner).items
        hashed = key if isinstance(thing, Sequence) and is_plain(key) else m.key(key)
        if items is None or hashed is m.NOT_PLAIN:
            m.heap.escape(thing.values())
            m.heap.write(owner).lose()
            return
        try:
            del items[hashed]
        except (IndexError, KeyError) as error:
            m.raise_builtin(type(error).__name__)
        except TypeError:
            m.raise_builtin("TypeError")
    elif isinstance(thing, Instance):
        if m.domain.delete_item(m, owner, key):
            return
        method = m.class_member(owner, "__delitem__")
        if method is None:
            m.lose((owner,))
        else:
            m.call(method, Arguments((key,)))
    else:
        m.lose_if_unknown(owner)
