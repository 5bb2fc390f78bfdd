"""Python's own functions over values: the one table of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import attributes, classes, comparisons, containers, iteration, operators
from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.objects import (
    Class,
    Function,
    Instance,
    Iteration,
    Namespace,
    Sequence,
    Suspended,
    Table,
)
from mindport.semantics.flow.paths import either
from mindport.semantics.flow.values import (
    OUTSIDE,
    UNKNOWN,
    Arguments,
    Bound,
    Dotted,
    Given,
    Member,
    Named,
    Partial,
    Ref,
    Super,
    View,
    Wrapped,
    is_plain,
    is_unknown,
)

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

Python = Callable[["Machine", Frame, Given, Named], Any]


def _plainly(function: Callable[..., Any]) -> Python:
    """A function that computes with plain values; where an argument is not known neither is the answer."""

    def compute(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
        values = [m.plain(one) for one in given]
        keywords = {key: m.plain(one) for key, one in named.items()}
        if any(one is m.NOT_PLAIN for one in (*values, *keywords.values())):
            return _asked(m, function.__name__, given)
        return m.lifted(m.applied(lambda: function(*values, **keywords)))

    return compute


def _asked(m: Machine, name: str, given: Given) -> Any:
    """What an object of the project answers to `int(x)`, `abs(x)` and the like."""
    first = given[0] if given else None
    found = m.class_member(first, f"__{name}__") if isinstance(first, Ref) else None
    if found is None and name == "str" and isinstance(first, Ref):
        found = m.class_member(first, "__repr__")
    if found is not None:
        return m.call(found, Arguments(given[1:]))
    return m.given_outside(given)


def _text(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    if given and isinstance(given[0], Ref):
        thing = m.heap.read(given[0])
        if isinstance(thing, Instance) and isinstance(thing.class_of, Dotted) and m.is_exception(given[0]):
            told = thing.attributes.get("args", UNKNOWN)
            is_short = isinstance(told, tuple) and is_plain(told) and len(told) < 2
            if is_short and "KeyError" not in thing.class_of.name:
                return str(told[0]) if told else ""
    return _plainly(str)(m, frame, given, named)


def _length(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return containers.length(m, given[0])


def _list(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    found = m.items_of(given[0]) if given else []
    return m.new(Sequence(found, each=UNKNOWN if found is not None else iteration.any_item(m, given[0])))


def _tuple(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    items = m.items_of(given[0]) if given else []
    return UNKNOWN if items is None else tuple(items)


def _set(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    keys = m.keys_of(given[0]) if given else []
    return m.new(Table(None if keys is None else dict.fromkeys(keys), "set"))


def _frozen_set(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    keys = m.keys_of(given[0]) if given else []
    return UNKNOWN if keys is None or not all(map(is_plain, keys)) else frozenset(keys)


def _dict(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return make_dict(m, given, named)


def make_dict(m: Machine, given: Given, named: Named, kind: str = "dict") -> Any:
    """`dict(...)` and its kin."""
    made = m.new(Table({}, kind))
    for one in given:
        m.update(made, one)
    for name, value in named.items():
        table = m.heap.write(made)
        if table.items is not None:
            table.items[name] = value
    return made


def _range(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return m.applied(range, *given) if all(is_plain(one) for one in given) else OUTSIDE


def as_iterator(m: Machine, value: Any) -> Any:
    """What `iter(value)` gives."""
    thing = m.heap.read(value) if isinstance(value, Ref) else None
    if isinstance(thing, Iteration | Suspended):
        return value
    if isinstance(thing, Instance):
        method = m.class_member(value, "__iter__")
        if method is not None:
            return m.call(method, Arguments())
    if isinstance(value, View):
        items = m.items_of(value)
        value = UNKNOWN if items is None else tuple(items)
    if is_unknown(value):
        return value
    return m.new(Iteration("iter", (value,)))


def _iterator(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return as_iterator(m, given[0]) if len(given) == 1 else _unknown(m, frame, given, named)


def _next(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    source = given[0]
    thing = m.heap.read(source) if isinstance(source, Ref) else None
    if isinstance(thing, Instance):
        method = m.class_member(source, "__next__")
        if method is not None and len(given) == 1:
            return m.call(method, Arguments())
    try:
        return iteration.next_item(m, source)
    except iteration.NotTold:
        return UNKNOWN
    except iteration.NothingLeft:
        return given[1] if len(given) > 1 else m.raise_builtin("StopIteration")


def _zip(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    if named.get("strict", False) is not False:
        groups = [found for one in given if (found := m.items_of(one)) is not None]
        if len(groups) < len(given):
            return UNKNOWN
        if len({len(one) for one in groups}) > 1:
            return m.raise_builtin("ValueError")
        return m.new(Iteration("iter", (tuple(zip(*groups, strict=True)),)))
    return m.new(Iteration("zip", tuple(as_iterator(m, one) for one in given)))


def _map(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    first, *rest = (as_iterator(m, one) for one in given[1:])
    return m.new(Iteration("map", (first, given[0], *rest)))


def _filter(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return m.new(Iteration("filter", (as_iterator(m, given[1]), given[0])))


def _enumerate(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    start = given[1] if len(given) > 1 else named.get("start", 0)
    if not isinstance(start, int):
        return UNKNOWN
    return m.new(Iteration("enumerate", (as_iterator(m, given[0]), start)))


def _reversed(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    own = m.class_member(given[0], "__reversed__") if isinstance(given[0], Ref) else None
    if own is not None:
        return m.call(own, Arguments())
    items = m.items_of(given[0])
    return UNKNOWN if items is None else m.new(Iteration("iter", (tuple(reversed(items)),)))


def _sorted(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    items = m.unordered_items(given[0])
    return m.new(Sequence(None if items is None else containers.sort(m, items, named)))


def _sum(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    items = m.unordered_items(given[0])
    total = given[1] if len(given) > 1 else named.get("start", 0)
    if items is None:
        return UNKNOWN
    for one in items:
        total = m.operate(m.ADD, total, one)
    return total


def _extreme(sign: str) -> Python:
    def choose(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
        items = m.unordered_items(given[0]) if len(given) == 1 else list(given)
        if items is None:
            return UNKNOWN
        if not items:
            return named["default"] if "default" in named else m.raise_builtin("ValueError")
        key = named.get("key")
        keys = items if key is None else [m.call(key, Arguments((one,))) for one in items]
        best = 0
        for index in range(1, len(items)):
            is_better = m.truth(comparisons.compare(m, comparisons.NODES[sign], keys[index], keys[best]))
            if is_better is None:
                return m.heap.one_of(items)
            best = index if is_better else best
        return items[best]

    return choose


def _any_or_all(stops: bool) -> Python:
    return lambda m, frame, given, named: iteration.search(m, given[0], stops)


def _is_instance(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    answer = m.is_instance(given[0], given[1])
    return UNKNOWN if answer is None else answer


def _is_subclass(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    kinds = given[1] if isinstance(given[1], tuple) else (given[1],)
    answers = [m.derives(given[0], one) for one in kinds]
    return True if True in answers else UNKNOWN if None in answers else False


def _get_attribute(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    if not isinstance(given[1], str):
        m.may_raise()
        return UNKNOWN
    if len(given) == 2:
        return attributes.attribute(m, given[0], given[1])
    answer = m.has_attribute(given[0], given[1])
    if answer is False:
        return given[2]
    if answer:
        return attributes.attribute(m, given[0], given[1])
    return either(m, (lambda: attributes.attribute(m, given[0], given[1]), lambda: given[2]))


def _has_attribute(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    answer = m.has_attribute(given[0], given[1]) if isinstance(given[1], str) else None
    return UNKNOWN if answer is None else answer


def _set_attribute(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    if isinstance(given[1], str):
        attributes.set_attribute(m, given[0], given[1], given[2])
        return None
    m.heap.escape(given)
    m.lose(given[:1])
    return None


def _delete_attribute(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    if isinstance(given[1], str):
        attributes.delete_attribute(m, given[0], given[1])
    else:
        m.lose(given[:1])
    return None


def _type(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    if len(given) == 3 and isinstance(given[0], str) and isinstance(given[1], tuple):
        table = m.table_of(given[2])
        if table is not None and all(isinstance(name, str) for name in table):
            return classes.made_by_type(m, frame.path, given[0], given[1], table)
    return m.class_of(given[0]) if len(given) == 1 else _unknown(m, frame, given, named)


def _callable(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    value = given[0]
    if is_plain(value) or isinstance(value, tuple):
        return False
    if isinstance(value, Bound | Partial | Member):
        return True
    if not isinstance(value, Ref):
        return UNKNOWN
    thing = m.heap.read(value)
    if isinstance(thing, Function | Class):
        return True
    if isinstance(thing, Instance):
        return True if m.class_member(value, "__call__") is not None else UNKNOWN
    return False


def _super(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    if len(given) == 2 and isinstance(given[1], Ref):
        return Super(given[0], given[1])
    return UNKNOWN


def _globals(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return View(frame.module, "names")


def _locals(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    names = m.heap.read(frame.names)
    return View(frame.module, "names") if frame.names == frame.module else m.table(dict(names.names))


def _vars(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    if not given:
        return _locals(m, frame, given, named)
    thing = m.heap.read(given[0]) if isinstance(given[0], Ref) else None
    if isinstance(thing, Namespace):
        return View(given[0], "names")
    return m.domain.dictionary(m, given[0]) if isinstance(thing, Instance) else UNKNOWN


def _executed(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    """`exec` and `eval`: anything may have happened to anything."""
    m.heap.lose_everything()
    m.heap.write(frame.names).is_open = True
    m.may_raise()
    return UNKNOWN


def _unknown(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    m.lose((*given, *named.values()))
    m.may_raise()
    return UNKNOWN


def _printed(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return None


def _wrapper(kind: str) -> Python:
    return lambda m, frame, given, named: Wrapped(kind, given[0]) if given else UNKNOWN


def _object(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return m.instance(Dotted("builtins.object"), {})


def imported(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    """`__import__(name)` and the like."""
    return m.load(frame.path, given[0]) if given and isinstance(given[0], str) else UNKNOWN


BUILTINS: dict[str, Python] = {
    **{
        one.__name__: _plainly(one)
        for one in (
            abs, bin, bool, bytes, chr, complex, divmod, float, format, hex, int, oct, ord, pow, repr, round, slice,
            ascii,
        )
    },
    "str": _text, "len": _length, "list": _list, "tuple": _tuple, "set": _set, "frozenset": _frozen_set, "dict": _dict,
    "range": _range, "iter": _iterator, "next": _next, "zip": _zip, "map": _map, "filter": _filter,
    "enumerate": _enumerate, "reversed": _reversed, "sorted": _sorted, "sum": _sum, "max": _extreme(">"),
    "min": _extreme("<"), "any": _any_or_all(stops=True), "all": _any_or_all(stops=False),
    "isinstance": _is_instance, "issubclass": _is_subclass, "getattr": _get_attribute, "hasattr": _has_attribute,
    "setattr": _set_attribute, "delattr": _delete_attribute, "type": _type, "callable": _callable, "super": _super,
    "globals": _globals, "locals": _locals, "vars": _vars, "dir": _unknown, "exec": _executed, "eval": _executed,
    "print": _printed, "property": _wrapper("property"), "classmethod": _wrapper("classmethod"),
    "staticmethod": _wrapper("staticmethod"), "object": _object, "__import__": imported,
}  # fmt: skip


def _truth(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    test = m.truth(given[0]) if given else False
    return OUTSIDE if test is None else test


def _power(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return (
        m.operate(operators.BINARY_BY_SIGN["**"], *given)
        if len(given) == 2
        else _plainly(pow)(m, frame, given, named)
    )


BUILTINS["bool"] = _truth
BUILTINS["pow"] = _power
