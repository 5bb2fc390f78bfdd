"""Functions of Python itself and of its library, over values: the one table of them."""

from __future__ import annotations

import ast
import functools
import importlib
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import (
    attributes,
    builtins,
    classes,
    comparisons,
    copies,
    operators,
    records,
)
from mindport.semantics.flow.builtins import Python
from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.iterators import ITERTOOLS
from mindport.semantics.flow.objects import Sequence, Table
from mindport.semantics.flow.values import (
    OUTSIDE,
    UNKNOWN,
    Arguments,
    Dotted,
    Given,
    Named,
    Partial,
    Ref,
    Wrapped,
    is_plain,
)

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

# Modules whose functions only compute: they may be asked with plain values. Nothing here reads, writes or waits.
_PURE_MODULES = frozenset(("math", "operator", "string", "statistics", "fractions", "keyword"))
_LARGE = frozenset(
    ("math.factorial", "math.comb", "math.perm", "operator.pow", "operator.lshift", "operator.mul")
)


def call(m: Machine, name: str, passed: Arguments, frame: Frame) -> Any:
    """What a function of Python's gives; NotImplemented for one that is none of these."""
    module, _, function = name.rpartition(".")
    found = (builtins.BUILTINS if module == "builtins" else LIBRARIES).get(
        function if module == "builtins" else name
    )
    if found is not None:
        if passed.is_open and not getattr(found, "takes_open", False):
            m.lose(passed.values())
            m.may_raise()
            return UNKNOWN
        return found(m, frame, passed.positional, dict(passed.keywords))
    if module in _PURE_MODULES:
        return _computed(m, name, passed)
    return NotImplemented


def _computed(m: Machine, name: str, passed: Arguments) -> Any:
    module, _, function = name.rpartition(".")
    if module == "operator" and function in _OPERATORS and len(passed.positional) == 2:
        return operators.operate(m, _OPERATORS[function], *passed.positional)
    if module == "operator" and any(isinstance(one, Ref) for one in passed.values()):
        m.lose(passed.values())
        return UNKNOWN
    values = [m.plain(one) for one in passed.positional]
    keywords = {key: m.plain(one) for key, one in passed.keywords.items()}
    compute = getattr(importlib.import_module(module), function, None)
    if compute is None or passed.is_open or any(one is m.NOT_PLAIN for one in (*values, *keywords.values())):
        return m.given_outside(passed.values())
    if name in _LARGE and any(isinstance(one, int) and abs(one) > 500 for one in values):
        return OUTSIDE
    return m.lifted(m.applied(lambda: compute(*values, **keywords)))


_OPERATORS = {
    one.method.strip("_"): one for one in (*operators.BINARY.values(),)
} | {"and_": operators.BINARY_BY_SIGN["&"], "or_": operators.BINARY_BY_SIGN["|"]}  # fmt: skip


def value(name: str) -> Any:
    """A constant of the library, `math.pi`; NotImplemented for anything else."""
    module, _, constant = name.rpartition(".")
    if module in _PURE_MODULES:
        found = getattr(importlib.import_module(module), constant, NotImplemented)
        if is_plain(found):
            return found
    return NotImplemented


def _partial(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return Partial(given[0], given[1:], tuple(named.items()))


def _reduce(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    items = m.items_of(given[1])
    if items is None:
        m.lose(given)
        return UNKNOWN
    if len(given) > 2:
        items = [given[2], *items]
    if not items:
        return m.raise_builtin("TypeError")
    return functools.reduce(lambda one, two: m.call(given[0], Arguments((one, two))), items)


def _wraps(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    """`@wraps(f)` gives its function the name of f."""
    return Partial(Dotted("mindport.wrapped"), given[:1], ())


def _wrapped(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    source, function = given[0], given[1]
    if m.is_function(function) and m.is_function(source):
        m.heap.write(function).attributes.update(
            __name__=m.attribute(source, "__name__"),
            __doc__=m.attribute(source, "__doc__"),
            __wrapped__=source,
        )
    return function


def _cached(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    """`@lru_cache`, also with its size in brackets: a size that is not None may drop answers, but none is told
    apart."""
    if given and (m.is_function(given[0]) or isinstance(given[0], Wrapped)):
        return Wrapped("cached", given[0], m.table({}))
    return Partial(Dotted("functools.cache"), (), ())


def _abstract(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    if m.is_function(given[0]):
        m.heap.write(given[0]).attributes[classes.ABSTRACT] = True
    return given[0]


def _ordering(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    """`@total_ordering` adds methods that nobody follows."""
    if isinstance(given[0], Ref):
        m.heap.write(given[0]).is_lost = True
    return given[0]


def _same(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    """A decorator with options that hands on what it gets."""
    return Partial(Dotted("mindport.same"), (), ())


def _first(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return given[0] if given else _same(m, frame, given, named)


def _property(kind: str) -> Python:
    def make(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
        return Wrapped(kind, given[0])

    return make


def _dataclass(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    if given:
        return records.make_dataclass(m, given[0], named)
    return Partial(Dotted("dataclasses.dataclass"), (), tuple(named.items()))


def _field(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return records.field(Arguments(given, named))


def _replace(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return records.replaced(m, given[0], named)


def _fields(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    names = records.fields_of(m, given[0])
    if names is None:
        return UNKNOWN
    kind = Dotted("dataclasses.Field")
    return tuple(m.instance(kind, {"name": name}) for name in names)


def _as_dictionary(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    names = records.fields_of(m, given[0])
    if names is None:
        return UNKNOWN
    values = {name: m.plain(m.heap.read(given[0]).attributes.get(name, UNKNOWN)) for name in names}
    # What is plain is copied; of anything else nobody here says how deep.
    return UNKNOWN if any(one is m.NOT_PLAIN for one in values.values()) else m.lifted(values)


def _context_manager(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    if m.is_function(given[0]):
        m.heap.write(given[0]).attributes["__contextmanager__"] = True
        return given[0]
    return UNKNOWN


def _ordered(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return builtins.make_dict(m, given, named, "OrderedDict")


def _default_dict(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    made = builtins.make_dict(m, given[1:], named)
    if isinstance(made, Ref):
        m.heap.write(made).default = given[0] if given else None
    return made


def _counter(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    made = m.new(Table({}, "Counter"))
    table = m.table_of(given[0]) if given else {}
    if table is not None:
        m.heap.write(made).items = dict(table)
        return made
    keys = m.keys_of(given[0])
    if keys is None:
        m.heap.write(made).items = None
        return made
    counts: dict[Any, int] = {}
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
    m.heap.write(made).items = counts
    return made


def _named_tuple(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return records.made_named_tuple(m, Arguments(given, named))


def _deque(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    if named.get("maxlen") is not None or len(given) > 1:
        return m.new(Sequence(None, "deque"))
    return m.new(Sequence(m.items_of(given[0]) if given else [], "deque"))


def _item_getter(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return Partial(Dotted("mindport.items"), (given,), ())


def _items(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    found = tuple(m.item(given[1], key) for key in given[0])
    return found[0] if len(found) == 1 else found


def _attribute_getter(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return Partial(Dotted("mindport.attributes"), (given,), ())


def _attributes(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    def reach(owner: Any, path: str) -> Any:
        return functools.reduce(m.attribute, path.split("."), owner)

    found = tuple(reach(given[1], name) for name in given[0])
    return found[0] if len(found) == 1 else found


def _copy(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return copies.copied(m, given[0])


def _deep_copy(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return copies.deeply_copied(m, given[0])


def _run_coroutine(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return m.awaited(given[0]) if given else UNKNOWN


def _known(answer: bool | None) -> Any:
    return UNKNOWN if answer is None else answer


def _namespace(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return UNKNOWN if given else m.instance(attributes.NAMESPACE, named)


def _cast(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    return given[1]


def _product(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    items = m.items_of(given[0])
    if items is None:
        return UNKNOWN
    start = named.get("start", 1)
    return functools.reduce(lambda one, two: m.operate(m.MULTIPLY, one, two), items, start)


LIBRARIES: dict[str, Python] = {
    **ITERTOOLS,
    "functools.partial": _partial, "functools.reduce": _reduce, "functools.wraps": _wraps,
    "functools.lru_cache": _cached, "functools.cache": _cached, 
    "functools.total_ordering": _ordering, "abc.abstractmethod": _abstract,
    "functools.cached_property": _property("cached_property"), "mindport.wrapped": _wrapped, "mindport.same": _first,
    "dataclasses.dataclass": _dataclass, "dataclasses.field": _field, "dataclasses.replace": _replace,
    "dataclasses.fields": _fields, "dataclasses.asdict": _as_dictionary,
    "contextlib.contextmanager": _context_manager,
    "collections.OrderedDict": _ordered, "collections.defaultdict": _default_dict, "collections.Counter": _counter,
    "collections.namedtuple": _named_tuple, "collections.deque": _deque,
    "operator.itemgetter": _item_getter, "mindport.items": _items, "operator.attrgetter": _attribute_getter,
    "mindport.attributes": _attributes, 
    "operator.contains": lambda m, frame, given, named: _known(comparisons.contains(m, given[0], given[1])),
    "operator.not_": lambda m, frame, given, named: operators.unary(m, ast.Not(), given[0]),
    "operator.getitem": lambda m, frame, given, named: m.item(given[0], given[1]),
    "types.SimpleNamespace": _namespace, "argparse.Namespace": _namespace,
    "copy.copy": _copy, "copy.deepcopy": _deep_copy,
    "importlib.import_module": builtins.imported, "asyncio.run": _run_coroutine, "typing.cast": _cast,
    "enum.auto": lambda m, frame, given, named: records.AUTO, "math.prod": _product, "numpy.prod": _product,
}  # fmt: skip
