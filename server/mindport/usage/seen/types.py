"""The types of the inference for what was seen."""

from __future__ import annotations

from collections.abc import Callable

from mindport.usage import torch_model
from mindport.usage.seen.run import MANY, SeenValue
from mindport.usage.types import (
    ARRAY,
    BOOL,
    BYTES,
    DEVICE,
    DTYPE,
    FLOAT,
    INT,
    MASK,
    NDARRAY,
    NONE,
    PARAMETER,
    SEEN,
    SIZE,
    STR,
    TENSOR,
    UNKNOWN,
    Tag,
    Type,
    dict_of,
    join_all,
    make,
    members,
    sequence_of,
    set_of,
    weakened,
)

_PLAIN = {
    "int": INT, "float": FLOAT, "bool": BOOL, "str": STR, "bytes": BYTES, "NoneType": NONE, "numpy.ndarray": ARRAY,
    "torch.Tensor": TENSOR, "torch.nn.parameter.Parameter": PARAMETER, "torch.Size": SIZE, "torch.dtype": DTYPE,
    "torch.device": DEVICE,
}  # fmt: skip
_OF_NUMPY = "numpy."
_CONTAINERS = {"list": sequence_of, "tuple": sequence_of, "set": set_of, "frozenset": set_of}
_TABLES = ("dict", "collections.OrderedDict", "collections.defaultdict")
_TOLD = frozenset({Tag.TENSOR, Tag.INSTANCE, Tag.PROJECT_INSTANCE})
_HOLDING = frozenset({Tag.SEQUENCE, Tag.TUPLE, Tag.DICT, Tag.SET})


def seen_type(value: SeenValue, key_of: Callable[[str], str]) -> Type:
    """The type of what was seen, no surer than that; UNKNOWN where its classes say nothing. `key_of` gives the key of a
    class of the project, by `model.py:Net`, or nothing."""
    return weakened(_type_of(value, key_of), SEEN)


def says_how_sure(kind: Type) -> bool:
    """Whether all that a type stands for says by itself how sure it is: what rests on it is known to rest on a run."""
    return all(map(_says_how_sure, members(kind)))


def _says_how_sure(kind: Type) -> bool:
    if kind.tag in _HOLDING:
        return any(map(_says_how_sure, kind.parts))
    return kind.tag in _TOLD


def _type_of(value: SeenValue, key_of: Callable[[str], str]) -> Type:
    parts = [_of_class(name, value, key_of) for name in value.types]
    known = [part for part in parts if part is not NONE]
    return UNKNOWN if not known or UNKNOWN in known else join_all(known)


def _of_class(name: str, value: SeenValue, key_of: Callable[[str], str]) -> Type:
    if name == MANY:
        return UNKNOWN
    known = _PLAIN.get(name)
    if known is TENSOR and value.tensor is not None and value.tensor.dtypes == ("torch.bool",):
        return MASK
    if known is not None:
        return known
    if name in _CONTAINERS or name in _TABLES:
        items = UNKNOWN if value.items is None else _type_of(value.items, key_of)
        return dict_of(UNKNOWN, items) if name in _TABLES else _CONTAINERS[name](items)
    if name.startswith(_OF_NUMPY):
        return NDARRAY
    if ":" in name:
        key = key_of(name)
        return make(Tag.PROJECT_INSTANCE, key) if key else UNKNOWN
    if name.partition(".")[0] in torch_model.TORCH_ROOTS:
        reference = torch_model.reference(name)
        if reference.is_known and reference.type.tag is Tag.CLASS:
            return make(Tag.INSTANCE, reference.name)
    return UNKNOWN
