"""Classes whose code Python writes: dataclasses, named tuples and enumerations."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow.attributes import in_classes
from mindport.semantics.flow.objects import Class, Instance, Sequence
from mindport.semantics.flow.values import UNKNOWN, Arguments, Dotted, Ref, Wrapped

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

FIELDS = "__dataclass_fields__"  # where a class keeps (name, default, what makes it, is keyword only) of its fields
_ANNOTATED = "<annotated>"
AUTO = Dotted("mindport.auto")  # the value of a member that the enumeration is to number
_NO_DEFAULT = ("no default",)
_NAMED_TUPLE = Dotted("typing.NamedTuple")
_ENUMS = frozenset(f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum"))


def note_fields(m: Machine, ref: Ref, annotated: list[tuple[str, Any, bool]]) -> None:
    """Keep what a class body annotates, and make the members of an enumeration."""
    thing: Class = m.heap.write(ref)
    thing.attributes[_ANNOTATED] = tuple(
        name for name, annotation, _ in annotated if "ClassVar" not in ast.dump(annotation)
    )
    if not any(isinstance(one, Dotted) and one.name in _ENUMS for one in thing.order or ()):
        return
    members: list[tuple[str, Any]] = []
    made: dict[Any, Any] = {}
    for name, value in thing.attributes.items():
        if name.startswith("_") or isinstance(value, Wrapped) or m.is_function(value):
            continue
        if value == AUTO:
            last = m.heap.read(members[-1][1]).attributes["value"] if members else 0
            value = last + 1 if isinstance(last, int) else UNKNOWN
        key = m.key(value)
        if key is not m.NOT_PLAIN and key in made:
            members.append((name, made[key]))
            continue
        attributes = {"_value_": value, "value": value, "_name_": name, "name": name}
        member = m.new(Instance(ref, attributes))
        own = in_classes(m, thing.order, "__init__")
        if own is not None:
            given = value if isinstance(value, tuple) else (value,)
            m.call(own, Arguments((member, *given)))
        members.append((name, member))
        made[key] = member
    m.heap.write(ref).attributes["__members__"] = tuple(members)


def enum_member(m: Machine, ref: Ref, passed: Arguments) -> Any:
    """`Color(1)`."""
    if len(passed.positional) == 1:
        for _, member in m.heap.read(ref).attributes["__members__"]:
            if member == passed.positional[0]:
                return member
            same = m.equal(m.heap.read(member).attributes["value"], passed.positional[0])
            if same is None:
                return UNKNOWN
            if same:
                return member
        return m.raise_builtin("ValueError")
    return UNKNOWN


def make_dataclass(m: Machine, ref: Any, options: dict[str, Any]) -> Any:
    """`@dataclass` on a class."""
    if not isinstance(ref, Ref) or not isinstance(m.heap.read(ref), Class):
        return UNKNOWN
    thing: Class = m.heap.write(ref)
    if thing.order is None:
        return ref
    fields: dict[str, tuple[Any, ...]] = {}
    for base in reversed(thing.order[1:]):
        if isinstance(base, Ref):
            fields |= {one[0]: one for one in m.heap.read(base).attributes.get(FIELDS, ())}
    only_keywords = options.get("kw_only") is True
    for name in thing.attributes.get(_ANNOTATED, ()):
        given = thing.attributes.get(name, _NO_DEFAULT)
        if isinstance(given, tuple) and given[:1] == ("field",):
            keywords = dict(given[1])
            if keywords.get("init") is False:
                fields[name] = (
                    name,
                    keywords.get("default", _NO_DEFAULT),
                    keywords.get("default_factory"),
                    None,
                )
            else:
                is_only = keywords.get("kw_only", only_keywords) is True
                fields[name] = (
                    name, keywords.get("default", _NO_DEFAULT), keywords.get("default_factory"), is_only,
                )  # fmt: skip
            thing.attributes.pop(name)
            if "default" in keywords:
                thing.attributes[name] = keywords["default"]
        else:
            fields[name] = (name, given, None, only_keywords)
    thing.attributes[FIELDS] = tuple(fields.values())
    if options.get("frozen") is True:
        thing.attributes["__frozen__"] = True
    if options.get("init") is False:
        thing.is_lost = True
    return ref


def field(passed: Arguments) -> Any:
    """`dataclasses.field(...)`, as the class reads it."""
    return ("field", tuple(passed.keywords.items()))


def is_record(m: Machine, ref: Ref) -> bool:
    """Whether Python writes the constructor of a class."""
    return FIELDS in m.heap.read(ref).attributes


def initialise(m: Machine, instance: Ref, ref: Ref, passed: Arguments) -> None:
    """Run the constructor of a dataclass."""
    fields = m.heap.read(ref).attributes[FIELDS]
    names = [one[0] for one in fields if one[3] is False]
    given = dict(zip(names, passed.positional, strict=False))
    known = {one[0] for one in fields if one[3] is not None}
    if len(passed.positional) > len(names) or any(
        name not in known or name in given for name in passed.keywords
    ):
        m.raise_builtin("TypeError")
    given |= passed.keywords
    for name, default, factory, _ in fields:
        if name in given:
            value = given[name]
        elif passed.is_open:
            value = UNKNOWN
        elif factory is not None:
            value = m.call(factory, Arguments())
        elif default == _NO_DEFAULT:
            if name not in known:
                continue
            m.raise_builtin("TypeError")
        else:
            value = default
        m.heap.write(instance).attributes[name] = value
    after = m.class_member(instance, "__post_init__")
    if after is not None:
        m.call(after, Arguments())


def fields_of(m: Machine, value: Any) -> tuple[str, ...] | None:
    """The names of the fields of a dataclass or of an object of one; None for anything else."""
    thing = m.heap.read(value) if isinstance(value, Ref) else None
    if isinstance(thing, Instance) and isinstance(thing.class_of, Ref):
        thing = m.heap.read(thing.class_of)
    if not isinstance(thing, Class) or FIELDS not in thing.attributes:
        return None
    return tuple(one[0] for one in thing.attributes[FIELDS])


def replaced(m: Machine, value: Ref, changes: dict[str, Any]) -> Any:
    """`dataclasses.replace(value, ...)`."""
    thing: Instance = m.heap.read(value)
    fields = fields_of(m, value)
    if fields is None or thing.is_lost:
        return UNKNOWN
    given = {name: thing.attributes[name] for name in fields if name in thing.attributes}
    return m.call(thing.class_of, Arguments((), {**given, **changes}))


def is_named_tuple(thing: Class) -> bool:
    """Whether a class is a NamedTuple."""
    return _NAMED_TUPLE in thing.bases


def named_tuple(m: Machine, ref: Ref, passed: Arguments) -> Any:
    """An object of a NamedTuple: an instance that knows its items."""
    thing: Class = m.heap.read(ref)
    names = thing.attributes.get(_ANNOTATED, ())
    given = dict(zip(names, passed.positional, strict=False)) | dict(passed.keywords)
    if passed.is_open or len(passed.positional) > len(names) or any(name not in names for name in given):
        return UNKNOWN if passed.is_open else m.raise_builtin("TypeError")
    attributes = {}
    for name in names:
        if name not in given and name not in thing.attributes:
            m.raise_builtin("TypeError")
        attributes[name] = given[name] if name in given else thing.attributes[name]
    return m.new(Instance(ref, attributes, payload=("named tuple", names)))


def made_named_tuple(m: Machine, passed: Arguments) -> Any:
    """`collections.namedtuple("Point", ["x", "y"])`."""
    name, fields = (*passed.positional, UNKNOWN, UNKNOWN)[:2]
    names = m.plain(fields)
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    if not isinstance(name, str) or not isinstance(names, list | tuple):
        return UNKNOWN
    defaults = m.items_of(passed.keywords["defaults"]) if "defaults" in passed.keywords else []
    if defaults is None or "rename" in passed.keywords:
        return UNKNOWN
    made = Class(name, "", (_NAMED_TUPLE,), {_ANNOTATED: tuple(names)})
    made.attributes.update(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    ref = m.new(made)
    made.order = (ref, _NAMED_TUPLE)
    made.attributes["_fields"] = tuple(names)
    return ref


def are_equal(m: Machine, one: Any, other: Any) -> bool | None:
    """Whether two objects of records compare equal; None where neither is one, or that is not known."""
    items = [items_of_record(m, value) for value in (one, other) if isinstance(value, Ref)]
    if any(each is not None for each in items):
        pair = [
            each if isinstance(each, tuple) else tuple(items_of_record(m, each) or ())
            for each in (one, other)
        ]
        return m.equal(*pair)
    names = fields_of(m, one)
    if names is None or not m.is_same_class(one, other):
        return None
    first, second = m.heap.read(one), m.heap.read(other)
    if first.is_lost or second.is_lost:
        return None
    return m.equal(*(tuple(thing.attributes.get(name) for name in names) for thing in (first, second)))


def items_of_record(m: Machine, value: Ref) -> list[Any] | None:
    """The items of an object of a NamedTuple; None for anything else."""
    thing = m.heap.read(value)
    if (
        isinstance(thing, Instance)
        and isinstance(thing.payload, tuple)
        and thing.payload[:1] == ("named tuple",)
    ):
        return [thing.attributes[name] for name in thing.payload[1]]
    return None


def record_member(m: Machine, value: Ref, name: str, passed: Arguments) -> Any:
    """The methods of named tuples."""
    thing: Instance = m.heap.read(value)
    if name == "_replace":
        return m.call(thing.class_of, Arguments((), {**thing.attributes, **passed.keywords}))
    if name == "_asdict":
        return m.table(dict(thing.attributes))
    items = items_of_record(m, value) or []
    if name in ("index", "count"):
        return m.call(m.attribute(m.new(Sequence(items)), name), passed)
    return UNKNOWN
