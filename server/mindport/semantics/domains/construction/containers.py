"""Modules that hold others by place or by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mindport.semantics.domains.construction.counts import MODULE, OPEN, is_module, size_of
from mindport.semantics.flow import copies
from mindport.semantics.flow.objects import Instance, Table
from mindport.semantics.flow.values import UNKNOWN, Arguments, Dotted, Ref, is_plain, is_unknown

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

_MOST_COPIES = 200
_BY_PLACE = tuple(Dotted(f"torch.nn.{name}") for name in ("Sequential", "ModuleList", "ParameterList"))
_BY_NAME = tuple(Dotted(f"torch.nn.{name}") for name in ("ModuleDict", "ParameterDict"))


def holds_by_place(m: Machine, owner: Ref) -> bool:
    """Whether a module is a Sequential or a list."""
    return any(m.derives(m.class_of(owner), one) is True for one in _BY_PLACE)


def holds_by_name(m: Machine, owner: Ref) -> bool:
    """Whether a module is a dictionary."""
    return any(m.derives(m.class_of(owner), one) is True for one in _BY_NAME)


def parts_of(m: Machine, owner: Ref) -> dict[str, Any] | None:
    """What a container holds, by key; None where that is not known."""
    thing: Instance = m.heap.read(owner)
    if thing.is_lost or OPEN in thing.attributes:
        return None
    parts = {
        name: value
        for name, value in thing.attributes.items()
        if name.isdigit() or (not isinstance(value, bool | int | float | str) and _is_part(m, value))
    }
    return None if any(is_unknown(one) for one in parts.values()) else parts


def _is_part(m: Machine, value: Any) -> bool:
    return (
        is_unknown(value)
        or is_module(m, value)
        or size_of(m, value, Dotted("torch.nn.Parameter")) is not None
    )


def hold(m: Machine, owner: Ref, key: Any, value: Any) -> None:
    """Set a part. One whose key is not known leaves the container open."""
    thing = m.heap.write(owner)
    if isinstance(key, str):
        thing.attributes[key] = UNKNOWN if is_unknown(value) else value
    else:
        m.heap.escape((value,))
        thing.attributes[OPEN] = True


def fill(m: Machine, owner: Ref, passed: Arguments) -> None:
    """What a container is made with."""
    if passed.is_open:
        leave_open(m, owner, passed.values())
        return
    for one in passed.positional:
        if is_module(m, one) and m.derives(m.class_of(owner), _BY_PLACE[0]):
            append(m, owner, one)
        else:
            extend(m, owner, one)
    for one in passed.keywords.values():
        extend(m, owner, one)


def leave_open(m: Machine, owner: Ref, values: Any) -> None:
    """Somebody may have put these into a container."""
    m.heap.escape(values)
    m.heap.write(owner).attributes[OPEN] = True


def append(m: Machine, owner: Ref, value: Any) -> None:
    """`owner.append(value)`."""
    parts = parts_of(m, owner)
    if parts is None:
        leave_open(m, owner, (value,))
    else:
        hold(m, owner, str(len(parts)), value)


def extend(m: Machine, owner: Ref, value: Any) -> None:
    """`owner.extend(value)` and `owner.update(value)`."""
    table = m.table_of(value)
    if table is None and isinstance(value, Ref) and holds_by_name(m, value):
        table = parts_of(m, value)
    if table is not None:
        for key, one in table.items():
            hold(m, owner, key, one)
        return
    thing = m.heap.read(value) if isinstance(value, Ref) else None
    found = None if value is None or is_unknown(value) or isinstance(thing, Table) else m.items_of(value)
    if found is None:
        if value is not None:
            leave_open(m, owner, (value,))
        return
    for one in found:
        if holds_by_name(m, owner):
            pair = m.items_of(one)
            hold(m, owner, *(pair if pair is not None and len(pair) == 2 else (UNKNOWN, UNKNOWN)))
        else:
            append(m, owner, one)


def stack(m: Machine, owner: Ref, passed: Arguments) -> None:
    """A stack of copies of a layer, and a norm behind them: `TransformerEncoder(layer, 6, norm)`."""
    layer, *rest = passed.positional
    times = passed.keywords.get("num_layers", rest[0] if rest else None)
    norm = passed.keywords.get("norm", rest[1] if len(rest) > 1 else None)
    if not isinstance(times, int) or times > _MOST_COPIES or not is_module(m, layer):
        leave_open(m, owner, (layer,))
        return
    layers = m.instance(_BY_PLACE[1], {})
    for _ in range(times):
        append(m, layers, copies.deeply_copied(m, layer))
    m.heap.write(owner).attributes.update(layers=layers, norm=norm)


def items(m: Machine, owner: Ref) -> list[Any] | None:
    """What a loop over a container goes over."""
    if not is_module(m, owner):
        return None
    parts = parts_of(m, owner) if holds_by_place(m, owner) or holds_by_name(m, owner) else None
    if parts is None:
        return None
    return list(parts) if holds_by_name(m, owner) else list(parts.values())


def item(m: Machine, owner: Ref, key: Any) -> Any:
    """`owner[key]`."""
    if not is_module(m, owner) or not (holds_by_place(m, owner) or holds_by_name(m, owner)):
        return NotImplemented
    parts = parts_of(m, owner)
    if parts is None or not is_plain(key):
        return UNKNOWN
    if isinstance(key, str):
        return parts[key] if key in parts else m.raise_builtin("KeyError", (key,))
    values = list(parts.values())
    if isinstance(key, slice):
        made = m.new(Instance(m.heap.read(owner).class_of))
        for one in m.applied(values.__getitem__, key):
            append(m, made, one)
        return made
    return m.applied(values.__getitem__, key)


def _name(parts: dict[str, Any], key: Any) -> str | None:
    if isinstance(key, str):
        return key
    if isinstance(key, int) and -len(parts) <= key < len(parts):
        return list(parts)[key]
    return None


def set_item(m: Machine, owner: Ref, key: Any, value: Any) -> bool:
    """`owner[key] = value`."""
    if not is_module(m, owner):
        return False
    parts = parts_of(m, owner)
    name = None if parts is None else _name(parts, key)
    if name is None:
        leave_open(m, owner, (value,))
    else:
        hold(m, owner, name, value)
    return True


def delete_item(m: Machine, owner: Ref, key: Any) -> bool:
    """`del owner[key]`; what stands behind it moves up."""
    if not is_module(m, owner):
        return False
    parts = parts_of(m, owner)
    if parts is None or not is_plain(key):
        leave_open(m, owner, ())
        return True
    attributes = m.heap.write(owner).attributes
    if isinstance(key, slice):
        gone = list(parts)[key]
    else:
        name = _name(parts, key)
        gone = [] if name is None else [name]
    for name in gone:
        attributes.pop(name, None)
    if holds_by_place(m, owner):
        _renumber(m, owner, [one for name, one in parts.items() if name not in gone], list(parts))
    return True


def insert(m: Machine, owner: Ref, place: Any, value: Any) -> None:
    """`owner.insert(place, value)`."""
    parts = parts_of(m, owner)
    if parts is None or not isinstance(place, int):
        leave_open(m, owner, (value,))
        return
    values = list(parts.values())
    values.insert(place, value)
    _renumber(m, owner, values, list(parts))


def _renumber(m: Machine, owner: Ref, values: list[Any], names: list[str]) -> None:
    attributes = m.heap.write(owner).attributes
    for name in names:
        attributes.pop(name, None)
    attributes |= {str(index): one for index, one in enumerate(values)}


def dictionary_of(m: Machine, owner: Ref, name: str) -> Any:
    """`module._modules` and the like: to be read only."""
    if name not in ("_modules", "_parameters", "_buffers") or not is_module(m, owner):
        return None
    wanted = MODULE if name == "_modules" else None
    if m.heap.read(owner).is_lost or wanted is None:
        m.heap.escape((owner,))
        return UNKNOWN
    found = {key: one for key, one in m.heap.read(owner).attributes.items() if is_module(m, one)}
    m.heap.escape((owner,))
    return m.table(found)
