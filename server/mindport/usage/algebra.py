"""What expressions give for known types: attribute, call, subscript, iteration, operator. Everything here is a pure
function of types; what needs the project's classes and functions is in resolve.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindport.usage import masks, package_model, python_model, torch_calls, torch_model, torch_values
from mindport.usage.array_members import arrays_have
from mindport.usage.found_positions import is_positions, part_of
from mindport.usage.types import (
    ARRAY,
    BOOL,
    BOTTOM,
    FLOAT,
    GUESSED,
    HELD_BY_TORCH,
    INFERRED,
    INT,
    NDARRAY,
    NUMBER,
    NUMERIC,
    NUMPY_FLOAT,
    OF_MINDSPORE,
    OF_NETWORK,
    OTHER,
    PARAMETER,
    SIZE,
    STR,
    TENSORS,
    UNKNOWN,
    Tag,
    Type,
    computed,
    dict_with,
    is_vague,
    join,
    join_all,
    make,
    members,
    sequence_of,
    tuple_of,
    value_of_key,
    weakened,
)
from mindport.usage.variables import Index

_PYTHON_VALUES = frozenset(python_model.MEMBERS) | {Tag.NDARRAY}
_OF_NETWORKS = (OF_NETWORK, HELD_BY_TORCH)
_PARAMETERS = sequence_of(weakened(PARAMETER, INFERRED))
_NUMBERS_AND_ARRAYS = NUMERIC | {Tag.NDARRAY, Tag.BOTTOM}
_COMPARISONS = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"})


def attribute(base: Type, name: str) -> Type:
    """`base.name`."""
    tag = base.tag
    if tag is Tag.NONE:
        return UNKNOWN  # where a member is asked for, the value is none that is seen here
    if tag is Tag.TENSOR or tag is Tag.INSTANCE:
        return torch_values.member_value(base, name)
    if tag is Tag.TORCH_MODULE:
        return torch_model.reference(f"{base.name}.{name}").type
    if tag is Tag.CLASS:
        canonical = torch_model.members(base.name).get(name)
        return make(Tag.FUNCTION, canonical) if canonical is not None else UNKNOWN
    if tag is Tag.EXTERNAL:
        return package_model.external_member(base, name)
    if tag is Tag.EXTERNAL_VALUE:
        return package_model.member_of_external(base, name)
    if tag is Tag.UNION:
        return join_all(attribute(part, name) for part in base.parts if may_have(part, name))
    if tag in _PYTHON_VALUES:
        return python_model.member_of_value(base, name)
    if tag is Tag.OTHER:
        return OTHER
    return base if base in _OF_NETWORKS and name not in torch_model.MEMBER_NAMES else UNKNOWN


def may_have(part: Type, name: str) -> bool:
    """Whether one of the alternatives of a value may be the one that is asked for `.name`."""
    if part.tag is Tag.NDARRAY:
        return arrays_have(name, is_called=False)
    known = python_model.MEMBERS.get(part.tag)
    return known is None or name in known


def needed_arguments(callee: Type) -> bool:
    """Whether the result of calling it hangs on its arguments."""
    tag = callee.tag
    if tag is Tag.CLASS:
        return callee.name in torch_calls.CONTAINERS
    if tag is Tag.METHOD:
        name = callee.name
        return (
            name.rpartition(".")[2] in _NEEDY_METHODS
            or callee.parts[0].tag is Tag.INSTANCE
            or name == "functools.partial"
        )
    return tag in (Tag.FUNCTION, Tag.BUILTIN, Tag.EXTERNAL, Tag.INSTANCE, Tag.UNION) and callee.name not in (
        "len",
        "print",
    )


_NEEDY_METHODS = frozenset(
    {
        "max",
        "maximum",
        "min",
        "minimum",
        "median",
        "nanmedian",
        "nonzero",
        "size",
        "unique",
        "unique_consecutive",
        "get",
        "pop",
        "setdefault",
        "to",
        "type",
    }
)


def call(callee: Type, positional: Sequence[Type], keywords: Mapping[str, Type]) -> Type:
    """`callee(...)`. Keyword and positional arguments need only be given where `needed_arguments` says so."""
    tag = callee.tag
    if tag is Tag.FUNCTION:
        return torch_calls.call_function(callee.name, positional, keywords)
    if tag is Tag.METHOD:
        receiver = callee.parts[0]
        if callee.name == "functools.partial":
            return call(receiver, positional, keywords)
        if receiver.tag is Tag.TENSOR or receiver.tag is Tag.INSTANCE:
            return torch_calls.call_method(callee, positional, keywords)
        return python_model.call_member(callee, positional)
    if tag is Tag.CLASS:
        if callee.name in torch_calls.CONTAINERS:
            return torch_calls.made_container(callee, positional, keywords)
        return torch_values.instance_of(callee.name, callee.level)
    if tag is Tag.BUILTIN:
        if callee.name == "dict" and keywords and not positional:
            return dict_with(tuple(keywords), tuple(keywords.values()))
        return python_model.call_builtin(callee.name, positional, [element(value) for value in positional])
    if tag is Tag.EXTERNAL:
        return package_model.external_call(callee.name, positional, keywords)
    if tag is Tag.EXTERNAL_VALUE:
        return callee
    if tag is Tag.INSTANCE:
        return torch_calls.call_instance(callee, positional, keywords)
    if callee in (OF_MINDSPORE, HELD_BY_TORCH):
        return callee
    if tag is Tag.LIBRARY_VALUE and package_model.is_einops_layer(callee.name):
        return TENSORS[INFERRED]
    if tag is Tag.UNION:
        return join_all(call(part, positional, keywords) for part in callee.parts)
    return UNKNOWN


def item(base: Type, index: int | str | Index, index_type: Type) -> Type:
    """`base[index]`; `index_type` is the type of the index where it is no constant."""
    tag = base.tag
    if base is package_model.GYM_STEP and index == 1:
        return NUMPY_FLOAT  # the reward
    if tag is Tag.TENSOR:
        if is_positions(base):
            return part_of(base)
        return base if masks.is_mask(base) else computed(base)
    is_slice = index is Index.SLICE
    if tag is Tag.SEQUENCE:
        return base if is_slice else base.parts[0]
    if tag is Tag.TUPLE:
        if isinstance(index, int):
            return base.parts[index] if -len(base.parts) <= index < len(base.parts) else UNKNOWN
        joined = join_all(base.parts)
        return sequence_of(joined) if is_slice else joined
    if tag is Tag.DICT:
        if index == "params" and base.parts[1] is UNKNOWN:
            return _PARAMETERS  # the key under which every optimizer keeps them
        held = value_of_key(base, index) if isinstance(index, str) else None
        return base.parts[1] if held is None else held
    if tag is Tag.INSTANCE:
        held = torch_values.module_in(base, index) if isinstance(index, int | str) else None
        if held is not None:
            return held
        return torch_calls.item_of_instance(base, is_slice)
    if tag is Tag.STR:
        return STR
    if tag is Tag.NDARRAY:
        return base if is_slice else NDARRAY
    if tag is Tag.EXTERNAL_VALUE or tag is Tag.LIBRARY_VALUE:
        return base
    if tag is Tag.UNION:
        return join_all(item(part, index, index_type) for part in base.parts)
    return OTHER if tag is Tag.OTHER else UNKNOWN


def element(base: Type) -> Type:
    """What iterating over `base` gives."""
    tag = base.tag
    if tag is Tag.TENSOR:
        return part_of(base) if is_positions(base) else base
    if tag is Tag.SEQUENCE or tag is Tag.DICT:
        return base.parts[0]
    if tag is Tag.TUPLE or tag is Tag.SET:
        return join_all(base.parts) if base.parts else UNKNOWN
    if tag is Tag.STR:
        return STR
    if tag is Tag.NDARRAY:
        return NDARRAY
    if tag is Tag.INSTANCE:
        return torch_calls.element_of_instance(base)
    if tag is Tag.UNION:
        return join_all(map(element, base.parts))
    if tag is Tag.EXTERNAL_VALUE or tag is Tag.OTHER:
        return OTHER
    return base if tag is Tag.LIBRARY_VALUE else UNKNOWN


def unpacked(base: Type, index: int, count: int) -> Type:
    """Part `index` of `base` in an assignment to `count` targets."""
    if base.tag is Tag.TUPLE:
        if len(base.parts) == count:
            return base.parts[index]
        return join_all(base.parts) if base.parts else UNKNOWN
    if base.tag is Tag.UNION:
        return join_all(unpacked(part, index, count) for part in base.parts)
    if base is package_model.GYM_STEP and index == 1:
        return NUMPY_FLOAT  # the reward
    return element(base)


def binary(name: str, left: Type, right: Type | None) -> Type:
    """An operator; `right` is None for a unary one."""
    return masks.of_operator(name, left, right, _binary(name, left, right))


def _may_be_either(kind: Type) -> bool:
    """Whether a value may be a tensor or an array, which stays open whatever is computed with it."""
    return {Tag.TENSOR, Tag.NDARRAY} <= {part.tag for part in members(kind)}


def _binary(name: str, left: Type, right: Type | None) -> Type:
    if left.tag is Tag.TENSOR:
        if right is not None and right.tag is Tag.TENSOR and right.level < left.level:
            return computed(right) if right.level > GUESSED else weakened(computed(left), INFERRED)
        if left.level == GUESSED and right is not None and right.tag is Tag.TENSOR:
            return weakened(computed(right), INFERRED)  # a tensor and whatever the other is make a tensor
        return computed(left)
    if right is None:
        return left if left.tag is not Tag.BOOL else INT
    if right.tag is Tag.TENSOR:
        return computed(right)
    if _may_be_either(left) or _may_be_either(right):
        return join_all(_binary(name, one, other) for one in members(left) for other in members(right))
    if left.tag is Tag.NDARRAY or right.tag is Tag.NDARRAY or _are_of_numpy(left, right):
        return _with_array(name, left, right)
    for side in (left, right):
        if side.tag is Tag.UNION:
            for part in side.parts:
                if part.tag is Tag.TENSOR:
                    return TENSORS[min(part.level, INFERRED)]
    for given in (OF_MINDSPORE, OF_NETWORK, HELD_BY_TORCH):
        if given in (left, right):
            return given
    if is_vague(left) or is_vague(right):
        return UNKNOWN
    if name in _COMPARISONS:
        return BOOL
    if left.tag in NUMERIC:
        if right.tag in NUMERIC:
            return _arithmetic(name, left, right)
        if right.tag in (Tag.SEQUENCE, Tag.TUPLE, Tag.STR):
            return right
        return UNKNOWN if right.tag is Tag.UNKNOWN else OTHER
    if left.tag in (Tag.SEQUENCE, Tag.TUPLE, Tag.STR):
        if left.tag is Tag.TUPLE and right.tag is Tag.TUPLE and name == "__add__":
            return tuple_of((*left.parts, *right.parts))
        if name == "__mul__" and left.tag is Tag.TUPLE:
            return sequence_of(join_all(left.parts)) if left.parts else left
        return join(left, right) if right.tag in (Tag.SEQUENCE, Tag.TUPLE) else left
    if left.name == SIZE.name:
        return left
    if left.tag is Tag.UNKNOWN or right.tag is Tag.UNKNOWN:
        return UNKNOWN
    return left


def _are_of_numpy(left: Type, right: Type) -> bool:
    """Whether two values are numbers or arrays, one of them perhaps of NumPy's."""
    tags = {part.tag for part in (*members(left), *members(right))}
    return Tag.NDARRAY in tags and tags <= _NUMBERS_AND_ARRAYS


def _with_array(name: str, left: Type, right: Type) -> Type:
    """What is computed of a value of NumPy's and another one."""
    if ARRAY in (left, right) and name != "__matmul__":
        return ARRAY
    parts = (*members(left), *members(right))
    are_numbers = all(one in (NUMPY_FLOAT, BOTTOM) or one.tag in NUMERIC for one in parts)
    return NUMPY_FLOAT if are_numbers and name not in _COMPARISONS else NDARRAY


def _arithmetic(name: str, left: Type, right: Type) -> Type:
    if name == "__truediv__":
        return FLOAT
    integers = (Tag.INT, Tag.BOOL)
    if left.tag in integers and right.tag in integers:
        return INT
    return FLOAT if Tag.FLOAT in (left.tag, right.tag) and Tag.NUMBER not in (left.tag, right.tag) else NUMBER
