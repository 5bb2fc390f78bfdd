"""An unpickler that builds tensors, numbers, text and containers of them, and nothing else. Every global that a pickle
names is looked up in a table of stand-ins written here; one that is not in the table is refused by its name, so no code
of the file, of torch or of the user is ever reached."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from .stored import DTYPES, CheckpointError, Storage, StoredTensor

STORAGES = {
    "FloatStorage": "float32",
    "DoubleStorage": "float64",
    "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16",
    "ComplexFloatStorage": "complex64",
    "ComplexDoubleStorage": "complex128",
    "LongStorage": "int64",
    "IntStorage": "int32",
    "ShortStorage": "int16",
    "CharStorage": "int8",
    "ByteStorage": "uint8",
    "BoolStorage": "bool",
    "UntypedStorage": None,
}


class StandIn:
    """Stands for a global of torch: calling it is all that a pickle can do with it."""

    __slots__ = ("_build", "name")

    def __init__(self, name: str, build: Callable[..., Any]) -> None:
        self.name = name
        self._build = build

    def __call__(self, *arguments: Any) -> Any:
        return self._build(*arguments)

    def __setstate__(self, state: object) -> None:
        raise CheckpointError(f"the file is damaged: it sets attributes of {self.name}")


class Dictionary(dict):  # type: ignore[type-arg]
    """An OrderedDict; what torch hangs on it (`_metadata`) is not needed."""

    def __setstate__(self, state: object) -> None:
        pass


# The unpickler that is written in Python keeps its memo in a dict; the other one would reserve memory for the highest
# index, which a file may choose.
class TensorUnpickler(pickle._Unpickler):
    """`storage(persistent_id) -> Storage` fetches what the pickle refers to."""

    def __init__(self, stream: Any, storage: Callable[[Any], Storage]) -> None:
        super().__init__(stream, encoding="utf-8")
        self._storage = storage

    def find_class(self, module: str, name: str) -> Any:
        """The stand-in. Raises CheckpointError for any other name."""
        found = _STAND_INS.get(f"{module}.{name}")
        if found is None:
            raise CheckpointError(
                f"{module}.{name} is refused: only tensors, numbers, text and containers of them are read, and "
                "nothing was run. Where you trust the file, write its weights alone with torch: "
                "torch.save(model.state_dict(), file)"
            )
        return found

    def persistent_load(self, pid: Any) -> Storage:
        """The storage that the pickle refers to."""
        return self._storage(pid)


def unpickle(stream: Any, storage: Callable[[Any], Storage]) -> Any:
    """The next object of the stream. Raises CheckpointError."""
    try:
        return TensorUnpickler(stream, storage).load()
    except CheckpointError:
        raise
    except Exception as error:  # noqa: BLE001 - damaged pickles raise whatever they like
        raise CheckpointError(
            f"the file is damaged or cut off: {type(error).__name__} {error}".rstrip()
        ) from None


def storage_dtype(kind: Any) -> str | None:
    """The dtype of the storage class that a persistent id names. Raises CheckpointError."""
    if not isinstance(kind, StandIn) or kind.name not in STORAGES:
        raise CheckpointError("the file is damaged: it refers to a storage of no known kind")
    return STORAGES[kind.name]


def _tensor(
    storage: Any, offset: Any, size: Any, stride: Any, *_: Any, dtype: str | None = None
) -> StoredTensor:
    if not isinstance(storage, Storage) or not isinstance(size, tuple) or not isinstance(stride, tuple):
        raise CheckpointError("the file is damaged: a tensor is put together from something else")
    kind = dtype or storage.dtype
    if kind is None:
        raise CheckpointError("the file is damaged: a tensor has no dtype")
    return StoredTensor(storage, kind, size, offset, stride)


def _tensor_v3(
    storage: Any, offset: Any, size: Any, stride: Any, grad: Any, hooks: Any, dtype: Any, *_: Any
) -> Any:
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise CheckpointError(f"tensors of dtype {dtype} cannot be read")
    return _tensor(storage, offset, size, stride, dtype=dtype)


def _as_it_is(value: Any, *_: Any) -> Any:
    return value


def _of_type(rebuild: Any, _: Any, arguments: Any, *__: Any) -> Any:
    """A Parameter, or a tensor with attributes of its own: its values."""
    if not isinstance(rebuild, StandIn):
        raise CheckpointError("the file is damaged: a tensor is put together by something else")
    return rebuild(*arguments)


def _no_value(*_: Any) -> Any:
    raise CheckpointError("the file is damaged: it calls a type")


def _table() -> dict[str, Any]:
    rebuilt: dict[str, Callable[..., Any]] = {
        "_rebuild_tensor": _tensor,
        "_rebuild_tensor_v2": _tensor,
        "_rebuild_tensor_v3": _tensor_v3,
        "_rebuild_parameter": _as_it_is,
        "_rebuild_parameter_with_state": _as_it_is,
    }
    table: dict[str, Any] = {f"torch._utils.{name}": StandIn(name, build) for name, build in rebuilt.items()}
    table["torch._tensor._rebuild_from_type_v2"] = StandIn("_rebuild_from_type_v2", _of_type)
    for module in ("torch", "torch.cuda", "torch.storage"):
        table.update({f"{module}.{name}": StandIn(name, _no_value) for name in STORAGES})
    table.update({f"torch.{name}": name for name in DTYPES})
    for name in ("torch.Tensor", "torch.nn.parameter.Parameter", "torch.nn.parameter.Buffer"):
        table[name] = StandIn(name, _no_value)
    table["torch.Size"] = StandIn("torch.Size", tuple)
    table["torch.device"] = StandIn("torch.device", lambda *parts: ":".join(map(str, parts)))
    table["collections.OrderedDict"] = StandIn("OrderedDict", Dictionary)
    return table


_STAND_INS = _table()
