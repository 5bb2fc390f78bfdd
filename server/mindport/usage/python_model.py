"""How Python's own types and builtins behave, as far as it tells tensors from others."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Sequence

from mindport.usage import torch_model
from mindport.usage.types import (
    ARRAYS,
    BOOL,
    BYTES,
    CALLABLE,
    FLOAT,
    INT,
    NDARRAY,
    NONE,
    NUMBER,
    OTHER,
    PARAMETER,
    SET,
    SLICE,
    STR,
    UNKNOWN,
    UNKNOWN_DICT,
    UNKNOWN_SEQUENCE,
    Tag,
    Type,
    dict_of,
    iterator_of,
    join,
    make,
    sequence_of,
    set_of,
    tuple_of,
)

BUILTINS = frozenset(dir(builtins))
# A star import may bring another `max` or `round`. Nobody gives these away under another meaning, and without them
# neither classes nor attributes can be followed.
LANGUAGE_WORDS = frozenset(
    {"super", "isinstance", "issubclass", "type", "object", "eval", "getattr", "setattr", "hasattr", "len"}
)
_BUILTIN_TYPES: dict[str, Type] = {
    "int": INT, "float": FLOAT, "complex": NUMBER, "bool": BOOL, "str": STR, "bytes": BYTES, "list": UNKNOWN_SEQUENCE,
    "tuple": UNKNOWN_SEQUENCE, "dict": UNKNOWN_DICT, "set": SET, "frozenset": SET, "slice": SLICE, "type": CALLABLE,
    "bytearray": BYTES, "range": sequence_of(INT),
}  # fmt: skip
_BUILTIN_RESULTS: dict[str, Type] = {
    **_BUILTIN_TYPES, "len": INT, "isinstance": BOOL, "issubclass": BOOL, "hasattr": BOOL, "callable": BOOL,
    "any": BOOL,
    "all": BOOL, "id": INT, "hash": INT, "ord": INT, "chr": STR, "repr": STR, "hex": STR, "bin": STR, "input": STR,
    "format": STR, "print": NONE, "open": OTHER, "object": OTHER, "divmod": tuple_of((NUMBER, NUMBER)),
    "dir": sequence_of(STR), "vars": UNKNOWN_DICT, "globals": UNKNOWN_DICT, "locals": UNKNOWN_DICT,
    "property": CALLABLE, "memoryview": OTHER, "setattr": NONE, "delattr": NONE,
}  # fmt: skip
# What named tuples have, of any class: the same tuple with some other fields.
REPLACED = "_replace"
# Stands for what gives the argument of the function in `net.apply(f)`.
PART_BY_APPLY = "@part by apply"
_KEEP_ARRAYS = frozenset({"astype", "copy", "flatten", "ravel", "repeat", "reshape", "transpose"})
_STRING_LISTS = frozenset({"split", "rsplit", "splitlines"})
_STRING_NUMBERS = frozenset({"find", "rfind", "index", "count"})
_STRING_TUPLES = frozenset({"partition", "rpartition"})
MEMBERS: dict[Tag, frozenset[str]] = {
    Tag.STR: frozenset(dir(str)),
    Tag.BYTES: frozenset(dir(bytes)),
    Tag.INT: frozenset(dir(int)),
    Tag.FLOAT: frozenset(dir(float)),
    Tag.NUMBER: frozenset(dir(complex)),
    Tag.BOOL: frozenset(dir(bool)),
    Tag.SEQUENCE: frozenset(dir(list)) | frozenset(dir(tuple)),
    Tag.TUPLE: frozenset(dir(tuple)),
    Tag.DICT: frozenset(dir(dict)) | {"move_to_end", "most_common"},
    Tag.SET: frozenset(dir(set)),
    Tag.NONE: frozenset(),
}


def builtin(name: str) -> Type:
    """The builtin `name` as a value; the constants have their own types."""
    if name in ("NotImplemented", "Ellipsis"):
        return OTHER
    return make(Tag.BUILTIN, name)


def builtin_instance(name: str) -> Type:
    """An instance of the builtin class `name`, as in an annotation."""
    if name in ("None", "NoneType"):
        return NONE
    if name == "object":
        return UNKNOWN
    return _BUILTIN_TYPES.get(name, OTHER)


def is_standard(root: str) -> bool:
    """Whether the import root is part of Python."""
    return root in sys.stdlib_module_names


def made_dictionary(source: Type) -> Type:
    """A dictionary made of another one, or of pairs."""
    if source.tag is Tag.DICT:
        return source
    pair = source.parts[0] if source.tag is Tag.SEQUENCE else UNKNOWN
    return dict_of(*pair.parts) if pair.tag is Tag.TUPLE and len(pair.parts) == 2 else UNKNOWN_DICT


def element_or_unknown(values: Sequence[Type]) -> Type:
    """The type of the items of the first of some values."""
    if not values:
        return UNKNOWN
    first = values[0]
    if first.tag is Tag.NDARRAY:
        return NDARRAY
    return first.parts[0] if first.tag in (Tag.SEQUENCE, Tag.TUPLE, Tag.SET) and first.parts else UNKNOWN


def member_of_value(base: Type, name: str) -> Type:
    """`base.name` for a value of Python's own types; a METHOD where it is to be called."""
    if base.tag is Tag.NDARRAY:
        if name in ("shape", "strides"):
            return sequence_of(INT)
        if name in ("ndim", "size"):
            return INT
        if name in ("T", "real", "imag"):
            return base
        if name == "flat":
            return NDARRAY
        return make(Tag.METHOD, f"numpy.{name}", (base,))
    return make(Tag.METHOD, f"python.{name}", (base,))


def call_member(method: Type, positional: Sequence[Type]) -> Type:
    """What calling a METHOD of Python's own types gives."""
    receiver = method.parts[0]
    name = method.name.rpartition(".")[2]
    tag = receiver.tag
    if method.name == "functools.partial":
        return UNKNOWN
    if method.name == REPLACED:
        return receiver
    if tag is Tag.STR:
        if name in _STRING_LISTS:
            return sequence_of(STR)
        if name in _STRING_NUMBERS:
            return INT
        if name in _STRING_TUPLES:
            return tuple_of((STR, STR, STR))
        if name.startswith(("is", "startswith", "endswith")):
            return BOOL
        return BYTES if name == "encode" else STR
    if tag is Tag.NDARRAY:
        if name in ("item",):
            return NUMBER
        if name == "tolist":
            return UNKNOWN_SEQUENCE
        if name == "nonzero":
            return ARRAYS
        return receiver if name in _KEEP_ARRAYS else NDARRAY
    if tag is Tag.DICT:
        key, value = receiver.parts[:2]
        if name == "items":
            return sequence_of(tuple_of((key, value)))
        if name == "keys":
            return sequence_of(key)
        if name == "values":
            return sequence_of(value)
        if name in ("get", "pop", "setdefault"):
            return _or_default(value, positional)
        if name == "copy":
            return receiver
        return tuple_of((key, value)) if name == "popitem" else OTHER
    if tag in (Tag.SEQUENCE, Tag.TUPLE):
        if name in ("pop", "popleft"):
            return receiver.parts[0] if receiver.parts else UNKNOWN
        if name == "copy":
            return receiver
        return INT if name in ("index", "count") else NONE
    if tag in (Tag.INT, Tag.FLOAT, Tag.NUMBER):
        return BOOL if name == "is_integer" else OTHER
    return OTHER


def _or_default(value: Type, positional: Sequence[Type]) -> Type:
    """What a dictionary gives for a key, or the default that stands for one that it lacks. Code that gives none, or
    None, says by that that the key is there, or asks."""
    default = positional[1] if len(positional) > 1 else UNKNOWN
    return value if default.tag in (Tag.NONE, Tag.UNKNOWN) else join(value, default)


def call_builtin(name: str, positional: Sequence[Type], element: Sequence[Type]) -> Type:
    """What calling the builtin gives; `element` are the types of the items of the arguments."""
    if positional:
        first = positional[0]
        if name in ("set", "frozenset"):
            return set_of(element[0])
        if name in ("list", "tuple", "sorted", "reversed", "iter", "filter"):
            if name == "filter":
                return iterator_of(element[1]) if len(element) > 1 else UNKNOWN
            if name in ("reversed", "iter"):
                return iterator_of(element[0])
            if name == "tuple" and first.tag is Tag.TUPLE:
                return first
            return sequence_of(element[0])
        if name == "enumerate":
            return iterator_of(tuple_of((INT, element[0])))
        if name == "zip":
            return iterator_of(tuple_of(element))
        if name == "next":
            return element[0]
        if name == "abs" or name == "round" or name == "pow":
            return first
        if name in ("sum", "max", "min"):
            if len(positional) > 1 and name != "sum":
                return _extreme(positional)
            return element[0]
        if name == "dict":
            return made_dictionary(first)
        if name == "map":
            return iterator_of(UNKNOWN)
        if name == "type":
            return type_of(first)
    return _BUILTIN_RESULTS.get(name, UNKNOWN)


def type_of(value: Type) -> Type:
    """What `type` gives for a value: the class of tensors for one that is no parameter of a network."""
    if value is UNKNOWN:
        return UNKNOWN
    is_plain = value.tag is Tag.TENSOR and value.name != PARAMETER.name
    return make(Tag.CLASS, torch_model.TENSOR_CLASS, level=value.level) if is_plain else CALLABLE


def _extreme(values: Sequence[Type]) -> Type:
    for value in values:
        if value.tag in (Tag.TENSOR, Tag.NDARRAY):
            return value
    if all(value is INT for value in values):
        return INT
    return values[0] if values[0].tag is not Tag.UNKNOWN else NUMBER
