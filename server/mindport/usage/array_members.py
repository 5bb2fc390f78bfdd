"""What NumPy's arrays and numbers have, as far as it decides whether a member is theirs or a tensor's: `x.size` may be
an array's, `x.size(0)` and `x.unsqueeze(0)` may not."""

from __future__ import annotations

_METHODS = frozenset({
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "byteswap", "choose", "clip", "compress",
    "conj", "conjugate", "copy", "cumprod", "cumsum", "diagonal", "dot", "dump", "dumps", "fill", "flatten", "getfield",
    "item", "itemset", "max", "mean", "min", "newbyteorder", "nonzero", "partition", "prod", "ptp", "put", "ravel",
    "repeat", "reshape", "resize", "round", "searchsorted", "setfield", "setflags", "sort", "squeeze", "std", "sum",
    "swapaxes", "take", "to_device", "tobytes", "tofile", "tolist", "tostring", "trace", "transpose", "var", "view",
    # of numbers
    "as_integer_ratio", "bit_count", "hex", "is_integer",
})  # fmt: skip
_VALUES = frozenset({
    "T", "base", "ctypes", "data", "device", "dtype", "flags", "flat", "imag", "itemsize", "mT", "nbytes", "ndim",
    "real", "shape", "size", "strides",
    # of numbers
    "denominator", "numerator",
})  # fmt: skip
_OF_NUMPY_2 = frozenset(("device", "mT", "to_device"))
ARRAY_MEMBERS = (_METHODS | _VALUES) - _OF_NUMPY_2  # what most arrays in code for torch were asked for


def arrays_have(name: str, is_called: bool) -> bool:
    """Whether an array has a member of that name, and where it `is_called`, one that can be called."""
    return name in _METHODS or (name in _VALUES and not is_called) or name.startswith("__")
