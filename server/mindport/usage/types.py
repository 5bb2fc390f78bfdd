"""The types of the inference: small interned values, so that equal types are the same object and joins are cheap."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from typing import Any


class Tag(enum.Enum):
    """What a type is; `Type.name` and `Type.parts` say more where noted."""

    BOTTOM = enum.auto()  # nothing known yet: the value of a cycle that is being computed
    UNKNOWN = enum.auto()
    TENSOR = enum.auto()
    INSTANCE = enum.auto()  # of the torch class `name`
    CLASS = enum.auto()  # the torch class `name` itself
    FUNCTION = enum.auto()  # the torch function `name`
    TORCH_MODULE = enum.auto()  # the Python module `name` of torch
    METHOD = enum.auto()  # the method `name` (canonical) of the receiver parts[0]
    EXTERNAL = enum.auto()  # the dotted name `name` of a package that is neither torch nor the project
    EXTERNAL_VALUE = enum.auto()  # made by the package `name`; known not to be a tensor
    LIBRARY_VALUE = enum.auto()  # made by `name`, which belongs to a library built on torch
    BUILTIN = enum.auto()  # the builtin function or class `name`
    PROJECT_MODULE = enum.auto()  # the module `name` of the project
    PROJECT_CLASS = enum.auto()  # key in `name`
    PROJECT_INSTANCE = enum.auto()  # of the class with the key `name`
    PROJECT_FUNCTION = enum.auto()  # `payload` holds its record
    BOUND = (
        enum.auto()
    )  # a function of the project bound to the instance parts[0]; `payload` holds its record
    SUPER = enum.auto()  # super() in the class with the key `name`
    NONE = enum.auto()
    BOOL = enum.auto()
    INT = enum.auto()
    FLOAT = enum.auto()
    NUMBER = enum.auto()
    STR = enum.auto()
    BYTES = enum.auto()
    NDARRAY = enum.auto()
    SEQUENCE = enum.auto()  # list or tuple of parts[0]
    TUPLE = enum.auto()  # exactly these parts
    DICT = enum.auto()  # keys parts[0], values parts[1]
    SET = enum.auto()  # of parts[0]
    CALLABLE = enum.auto()
    OTHER = enum.auto()  # known, and nothing of torch
    UNION = enum.auto()  # one of the parts

    # Members are single objects; Enum's own hash, that of the name, costs ten times as much.
    __hash__ = object.__hash__


PROVED, ANNOTATED, INFERRED, SEEN, GUESSED = 4, 3, 2, 1, 0


class Type:
    """One type. `level` says how sure it is (PROVED down to GUESSED) for tensors and instances. Made by `make` only,
    so that `is` compares; types that carry a `payload` are equal only to themselves."""

    __slots__ = ("level", "name", "parts", "payload", "tag")

    def __init__(self, tag: Tag, name: str, parts: tuple[Type, ...], level: int, payload: Any) -> None:
        self.tag = tag
        self.name = name
        self.parts = parts
        self.level = level
        self.payload = payload

    def __repr__(self) -> str:
        parts = f"[{', '.join(map(repr, self.parts))}]" if self.parts else ""
        name = f":{self.name}" if self.name else ""
        level = "" if self.level == PROVED else str(self.level)
        return f"{self.tag.name.lower()}{name}{parts}{level}"


_INTERNED: dict[tuple[Tag, str, tuple[Type, ...], int], Type] = {}


def make(tag: Tag, name: str = "", parts: tuple[Type, ...] = (), level: int = PROVED) -> Type:
    """The type with these fields; the same object for the same fields."""
    key = (tag, name, parts, level)
    found = _INTERNED.get(key)
    if found is None:
        found = _INTERNED[key] = Type(tag, name, parts, level, None)
    return found


def with_payload(tag: Tag, name: str, payload: Any, parts: tuple[Type, ...] = ()) -> Type:
    """A type that carries a record, such as a function of the project."""
    return Type(tag, name, parts, PROVED, payload)


BOTTOM = make(Tag.BOTTOM)
UNKNOWN = make(Tag.UNKNOWN)
TENSOR = make(Tag.TENSOR)
TENSORS = tuple(make(Tag.TENSOR, level=level) for level in range(PROVED + 1))
PARAMETER = make(Tag.TENSOR, "parameter")  # of a network
MASK = make(Tag.TENSOR, "mask")  # of truth values
BYTES_OF_MASK = make(Tag.TENSOR, "bytes")  # uint8: torch's indices take them for truth values
PERHAPS = make(Tag.TENSOR, "perhaps")  # or what came another way, of which nothing is known
POSITIONS = make(Tag.TENSOR, "positions")  # that were found, maybe none
POSITIONS_OF_AXES = make(Tag.TENSOR, "positions of axes")  # perhaps a tuple of such tensors
NONE = make(Tag.NONE)
BOOL = make(Tag.BOOL)
INT = make(Tag.INT)
FLOAT = make(Tag.FLOAT)
NUMBER = make(Tag.NUMBER)
STR = make(Tag.STR)
BYTES = make(Tag.BYTES)
NDARRAY = make(Tag.NDARRAY)  # or one of NumPy's numbers
ARRAY = make(Tag.NDARRAY, "array")  # an array, and no number
ARRAYS = make(Tag.SEQUENCE, parts=(ARRAY,))  # as nonzero and where give for the axes
NUMPY_FLOAT = make(Tag.NDARRAY, "float")  # a float of NumPy's, or one of Python's
OTHER = make(Tag.OTHER)
SLICE = make(Tag.OTHER, "slice")
SET = make(Tag.SET, parts=(UNKNOWN,))
CALLABLE = make(Tag.CALLABLE)
SIZE = make(Tag.INSTANCE, "torch.Size")
# What a DataLoader gives: tensors, or containers of them; what is done with it tells which.
BATCH = make(Tag.LIBRARY_VALUE, "torch.utils.data.DataLoader")
# What MindSpore gives, once a part of a file is converted: tensors and what holds them; the same tells which.
OF_MINDSPORE = make(Tag.LIBRARY_VALUE, "mindspore")
# What a network gives whose `forward` is not known: most often a tensor, unless what is done with it says otherwise.
OF_NETWORK = make(Tag.LIBRARY_VALUE, "torch.nn.Module")
# What such a network holds or its own methods give, and what an optimizer keeps for a parameter: tensors, and others.
HELD_BY_TORCH = make(Tag.LIBRARY_VALUE, "torch")
# What is done with these has to tell more; beside another type they say nothing.
_VAGUE = frozenset((UNKNOWN, BATCH, OF_MINDSPORE, OF_NETWORK, HELD_BY_TORCH))
DTYPE = make(Tag.INSTANCE, "torch.dtype")
DTYPE_OF_BYTES = make(Tag.INSTANCE, "torch.dtype", (BYTES_OF_MASK,))  # torch.uint8
DTYPE_OF_TRUTH = make(Tag.INSTANCE, "torch.dtype", (MASK,))  # torch.bool
DEVICE = make(Tag.INSTANCE, "torch.device")
UNKNOWN_DICT = make(Tag.DICT, parts=(UNKNOWN, UNKNOWN))
UNKNOWN_SEQUENCE = make(Tag.SEQUENCE, parts=(UNKNOWN,))
EMPTY_LIST = make(Tag.SEQUENCE, "empty", (UNKNOWN,))  # `[]`, which something may be added to
DEQUE = make(Tag.SEQUENCE, "deque", (UNKNOWN,))
ITERATOR = "iterator"  # the name of a sequence that can be gone through once, and is no list: `reversed(x)`
NUMERIC = frozenset({Tag.INT, Tag.FLOAT, Tag.NUMBER, Tag.BOOL})

_LEVELLED = frozenset({Tag.TENSOR, Tag.INSTANCE, Tag.PROJECT_INSTANCE})
_JOINABLE = _LEVELLED | {Tag.SEQUENCE, Tag.TUPLE, Tag.DICT, Tag.SET}
BETWEEN_KEYS = "\0"  # in the name of a dictionary whose keys are known
_TABLE_OF_MODULES = "torch.nn.ModuleDict"
EMPTY_DICT = make(Tag.DICT, BETWEEN_KEYS, (UNKNOWN, UNKNOWN))  # `{}`, which something may be put into
_MAXIMAL_DEPTH = 4
_MAXIMAL_MEMBERS = 6
# Tables of networks, layers and what makes them are longer: `{"resnet18": resnet18, ...}[args.arch]`.
_MAXIMAL_CHOICES = 64
_CHOSEN_FROM_TABLES = frozenset(
    {
        Tag.INSTANCE, Tag.CLASS, Tag.FUNCTION, Tag.TORCH_MODULE, Tag.METHOD, Tag.BOUND,
        Tag.PROJECT_MODULE, Tag.PROJECT_CLASS, Tag.PROJECT_INSTANCE, Tag.PROJECT_FUNCTION,
    }
)  # fmt: skip


def is_vague(kind: Type) -> bool:
    """Whether what is done with the value has to tell more."""
    return kind in _VAGUE


def is_guess(kind: Type) -> bool:
    """Whether only the names of its members speak for what the value is."""
    return kind.tag is Tag.TENSOR and kind.level == GUESSED


def weakened(kind: Type, level: int) -> Type:
    """The same type, at most as sure as `level`; containers weaken what they hold."""
    if kind.tag in _LEVELLED:
        return make(kind.tag, kind.name, kind.parts, level) if kind.level > level else kind
    if kind.parts and kind.payload is None:
        return make(kind.tag, kind.name, tuple(weakened(part, level) for part in kind.parts), kind.level)
    return kind


def computed(kind: Type) -> Type:
    """What is computed from a value: of a parameter a tensor."""
    return TENSORS[kind.level] if kind.tag is Tag.TENSOR else kind


def sequence_of(element: Type) -> Type:
    """A list or tuple of any length."""
    return make(Tag.SEQUENCE, parts=(element,)) if depth(element) < _MAXIMAL_DEPTH else UNKNOWN_SEQUENCE


def iterator_of(element: Type) -> Type:
    """What can be gone through once."""
    return make(Tag.SEQUENCE, ITERATOR, sequence_of(element).parts)


def tuple_of(parts: Iterable[Type]) -> Type:
    """A tuple of exactly these parts."""
    fixed = tuple(parts)
    if any(depth(part) >= _MAXIMAL_DEPTH for part in fixed):
        return UNKNOWN_SEQUENCE
    return make(Tag.TUPLE, parts=fixed)


def set_of(element: Type) -> Type:
    """A set."""
    return make(Tag.SET, parts=(element,)) if depth(element) < _MAXIMAL_DEPTH else SET


def dict_of(key: Type, value: Type) -> Type:
    """A dictionary."""
    return make(Tag.DICT, parts=(key, value)) if depth(value) < _MAXIMAL_DEPTH else UNKNOWN_DICT


def dict_with(keys: Sequence[str], values: Sequence[Type]) -> Type:
    """A dictionary with exactly these keys; `value_of_key` gives the value of one."""
    if not keys or any(depth(value) >= _MAXIMAL_DEPTH - 1 for value in values):
        return dict_of(STR, join_all(values)) if values else EMPTY_DICT
    return make(Tag.DICT, BETWEEN_KEYS.join(keys), (STR, join_all(values), *values))


def value_of_key(kind: Type, key: str) -> Type | None:
    """The value under a key of a dictionary all of whose keys are known."""
    if kind.tag is not Tag.DICT or not kind.name or kind is EMPTY_DICT:
        return None
    keys = kind.name.split(BETWEEN_KEYS)
    return kind.parts[2 + keys.index(key)] if key in keys else None


def depth(kind: Type) -> int:
    """How deeply containers are nested; bounded, so that growing types of loops settle."""
    return 1 + max(map(depth, kind.parts)) if kind.parts and kind.tag is not Tag.METHOD else 0


def join(first: Type, second: Type) -> Type:
    """The type of a value that is one or the other. None is left out, as code asks before it uses the value."""
    if first is second or second.tag is Tag.BOTTOM:
        return first
    if first.tag is Tag.BOTTOM:
        return second
    if first.tag is Tag.NONE:
        return second
    if second.tag is Tag.NONE:
        return first
    tag = first.tag
    if tag is second.tag:
        if tag in _LEVELLED and first.name == second.name:
            if first.parts is not second.parts and first.parts != second.parts:
                return make(tag, first.name, level=min(first.level, second.level))
            return first if first.level <= second.level else second
        if EMPTY_DICT in (first, second):
            return weakened(second if first is EMPTY_DICT else first, INFERRED)
        if tag is Tag.DICT:
            parts = tuple(map(join, first.parts, second.parts))
            return make(tag, first.name, parts) if first.name == second.name else make(tag, parts=parts[:2])
        if EMPTY_LIST in (first, second):
            return weakened(second if first is EMPTY_LIST else first, INFERRED)
        if tag is Tag.SEQUENCE:
            either = ITERATOR if ITERATOR in (first.name, second.name) else ""
            name = first.name if first.name == second.name else either
            return make(tag, name, tuple(map(join, first.parts, second.parts)))
        if tag is Tag.TUPLE:
            if len(first.parts) == len(second.parts):
                return make(tag, parts=tuple(map(join, first.parts, second.parts)))
            return sequence_of(join_all((*first.parts, *second.parts)))
        if tag is Tag.SET:
            return make(tag, parts=tuple(map(join, first.parts, second.parts)))
        if tag is Tag.NDARRAY:
            return NDARRAY
        if tag is Tag.TENSOR:
            level = min(first.level, second.level)
            return weakened(PERHAPS, level) if PERHAPS.name in (first.name, second.name) else TENSORS[level]
    if first in _VAGUE:
        return _with_unknown(second)
    if second in _VAGUE:
        return _with_unknown(first)
    if tag in NUMERIC and second.tag in NUMERIC:
        return NUMBER
    sequences = (Tag.SEQUENCE, Tag.TUPLE)
    if tag in sequences and second.tag in sequences:
        return sequence_of(join_all((*first.parts, *second.parts)))
    return union((*members(first), *members(second)))


def _with_unknown(kind: Type) -> Type:
    """A value that is `kind` on one path and not known on another: usually the same kind of thing, less surely."""
    if kind.tag is Tag.TENSOR and not kind.name:
        return weakened(PERHAPS, min(kind.level, INFERRED))
    if all(part.tag in _LEVELLED for part in members(kind)):
        return weakened(kind, INFERRED)
    if kind.tag in (Tag.SEQUENCE, Tag.TUPLE, Tag.DICT):
        return kind
    return UNKNOWN


def members(kind: Type) -> tuple[Type, ...]:
    """The alternatives of a union; any other type is its own only one."""
    return kind.parts if kind.tag is Tag.UNION else (kind,)


def with_item(holder: Type, item: Type) -> Type:
    """A container after `holder[key] = item`. One that nothing is known of is a dictionary, most often; what is written
    to items of a tensor or an array makes none of it."""
    if holder.tag is Tag.INSTANCE and holder.name == _TABLE_OF_MODULES:
        stored = dict_of(STR, item)
        held = join(holder.parts[0], stored) if holder.parts else stored
        is_module = item.tag in (Tag.INSTANCE, Tag.PROJECT_INSTANCE)
        parts = (weakened(held, INFERRED),) if is_module else ()
        return make(Tag.INSTANCE, holder.name, parts, holder.level)
    kinds = {part.tag for part in members(holder)}
    if kinds <= {Tag.UNKNOWN, Tag.BOTTOM, Tag.NONE} or Tag.DICT in kinds:
        return join(holder, dict_of(STR, item))
    return join(holder, sequence_of(item)) if Tag.SEQUENCE in kinds else holder


def union(parts: Iterable[Type]) -> Type:
    """One of the parts, without doubles; UNKNOWN when there are too many."""
    found: dict[tuple[Tag, str], Type] = {}
    for part in parts:
        key = (part.tag, part.name)
        before = found.get(key)
        if before is None:
            found[key] = part
        elif before is not part and part.tag in _JOINABLE:
            found[key] = join(before, part)
    if len(found) == 1:
        return next(iter(found.values()))
    are_choices = all(tag in _CHOSEN_FROM_TABLES for tag, _ in found)
    if len(found) > (_MAXIMAL_CHOICES if are_choices else _MAXIMAL_MEMBERS):
        return UNKNOWN
    ordered = sorted(found.values(), key=lambda part: (part.tag.value, part.name))
    return make(Tag.UNION, parts=tuple(ordered))


def join_all(parts: Iterable[Type]) -> Type:
    """The join of any number of types; BOTTOM for none."""
    result = BOTTOM
    for part in parts:
        result = join(result, part)
    return result
