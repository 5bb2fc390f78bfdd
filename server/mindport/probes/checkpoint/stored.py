"""Tensors that lie in a file: a storage of bytes, and views of it by offset, shape and strides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

# torch's name of a dtype -> the bytes of one number, as NumPy names them. NumPy has no bfloat16: its 16 bits are the
# upper ones of a float32.
DTYPES = {
    "float64": "f8",
    "float32": "f4",
    "float16": "f2",
    "bfloat16": "u2",
    "complex64": "c8",
    "complex128": "c16",
    "int64": "i8",
    "int32": "i4",
    "int16": "i2",
    "int8": "i1",
    "uint64": "u8",
    "uint32": "u4",
    "uint16": "u2",
    "uint8": "u1",
    "bool": "u1",
}


class CheckpointError(Exception):
    """The file cannot be read, or asks for what is refused; the message is for the user."""


class Storage:
    """The bytes that tensors share: `load` fetches them, once, when the first tensor is looked at. `dtype` is None for
    storages whose tensors say it themselves."""

    def __init__(self, dtype: str | None, order: str, load: Callable[[], bytes]) -> None:
        self.dtype = dtype
        self.order = order
        self._load = load
        self._content: bytes | None = None

    def content(self) -> bytes:
        """All bytes."""
        if self._content is None:
            self._content = self._load()
        return self._content

    def __setstate__(self, state: object) -> None:
        raise CheckpointError("the file is damaged: it sets attributes of a storage")


class StoredTensor:
    """One tensor of the file. `offset` and `strides` count numbers, not bytes; no strides: the numbers lie in order."""

    def __init__(
        self,
        storage: Storage,
        dtype: str,
        shape: tuple[int, ...],
        offset: int,
        strides: tuple[int, ...] | None,
    ) -> None:
        if strides is None:
            strides = tuple(int(numpy.prod(shape[axis + 1 :], dtype=object)) for axis in range(len(shape)))
        whole = (offset, *shape, *strides)
        if len(strides) != len(shape) or any(type(one) is not int or one < 0 for one in whole):
            raise CheckpointError(f"the file is damaged: no tensor has shape {shape} and strides {strides}")
        self.storage = storage
        self.dtype = dtype
        self.shape = shape
        self.offset = offset
        self.strides = strides

    def array(self) -> Any:
        """The values as a NumPy array, bfloat16 as float32. Raises CheckpointError where they are not in the file."""
        bytes_of = numpy.dtype(DTYPES[self.dtype]).newbyteorder(self.storage.order)
        content = self.storage.content()
        numbers = numpy.frombuffer(content, bytes_of, count=len(content) // bytes_of.itemsize)
        is_empty = 0 in self.shape
        last = self.offset + sum((size - 1) * stride for size, stride in zip(self.shape, self.strides))
        if not is_empty and last >= numbers.size:
            raise CheckpointError(
                f"the file is damaged: a tensor of shape {self.shape} reaches beyond its {numbers.size} numbers"
            )
        if is_empty:
            view = numpy.empty(self.shape, bytes_of)
        else:
            view = numpy.lib.stride_tricks.as_strided(
                numbers[self.offset :], self.shape, [stride * bytes_of.itemsize for stride in self.strides]
            )
        if self.dtype == "bfloat16":
            return numpy.asarray(numpy.left_shift(view, 16, dtype=numpy.uint32)).view(numpy.float32)
        return view.astype(bool) if self.dtype == "bool" else view.astype(bytes_of.newbyteorder("="))

    def __setstate__(self, state: object) -> None:
        raise CheckpointError("the file is damaged: it sets attributes of a tensor")
