"""Puts the weights of a torch checkpoint into the parameters of a port and writes them as a MindSpore checkpoint.

Request: `checkpoint`, `key` (the dictionary in it, or null), `file`, `entry`, `path` (folders to import from),
`device`, `out` (the .ckpt to write), `is_partial` (write even if not everything fits). The answer has `error`, or the
accounts: `key`, `prefix` (what was taken off all names), `loaded`, `missing`, `unexpected`, `mismatched`, `not_needed`
and `converted` (the change of dtype, once for each tensor), each a list of texts; and `is_written`. torch is not
needed, and nothing of the checkpoint is run."""

from __future__ import annotations

import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy
from checkpoint.read import read_weights
from checkpoint.stored import CheckpointError, StoredTensor
from probe_channel import serve_once
from program.entry import EntryError, build, load_module

# What wrappers put before all names: DataParallel, torch.compile, Lightning.
_WRAPPERS = ("module.", "_orig_mod.", "model.")


def probe(request: dict[str, Any]) -> dict[str, Any]:
    """Convert; whatever goes wrong is the `error` of the answer, and then nothing is written."""
    warnings.simplefilter("ignore")
    sys.path[:0] = request.get("path", [])
    try:
        tensors, key = read_weights(Path(request["checkpoint"]), request["key"])
        return {"key": key, **_convert(tensors, request)}
    except CheckpointError as error:
        return {"error": f"{request['checkpoint']}: {error}"}
    except Exception as error:  # noqa: BLE001 - the user's program may raise anything
        return {"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()[-3000:]}


def _convert(tensors: dict[str, StoredTensor], request: dict[str, Any]) -> dict[str, Any]:
    import mindspore
    from program.mindspore_weights import torch_name

    mindspore.set_device(request["device"])
    model = build(load_module(request["file"]), request["entry"])
    if not isinstance(model, mindspore.nn.Cell):
        raise EntryError(f"the entry gives a {type(model).__name__}, not a Cell")
    places = {torch_name(model, path): path for path in model.state_dict()}
    state = model.state_dict()
    prefix = _wrapper(list(tensors), list(places))
    accounts: dict[str, list[str]] = {
        name: [] for name in ("loaded", "missing", "unexpected", "mismatched", "not_needed", "converted")
    }
    arrays: dict[str, Any] = {}
    for full_name, stored in tensors.items():
        name = full_name[len(prefix) :]
        if name not in places:
            is_count = name.rpartition(".")[2] == "num_batches_tracked"
            accounts["not_needed" if is_count else "unexpected"].append(f"{full_name} {_shape(stored.shape)}")
            continue
        place = state[places[name]]
        if not _fits(stored.shape, tuple(place.shape)):
            accounts["mismatched"].append(
                f"{full_name} {_shape(stored.shape)}, in the port {_shape(place.shape)}"
            )
            continue
        value = mindspore.Tensor(stored.array().reshape(place.shape)).astype(place.dtype)
        if stored.dtype != _dtype_name(place.dtype):
            accounts["converted"].append(f"{stored.dtype} -> {_dtype_name(place.dtype)}")
        arrays[places[name]] = value
        accounts["loaded"].append(full_name)
    met = {name[len(prefix) :] for name in tensors}
    for name, path in places.items():
        if name in met:
            continue
        is_fixed = _is_fixed(path, state[path])
        accounts["not_needed" if is_fixed else "missing"].append(f"{path} {_shape(state[path].shape)}")
        if is_fixed:
            arrays[path] = state[path]
    is_whole = not (accounts["missing"] or accounts["unexpected"] or accounts["mismatched"])
    is_written = bool(accounts["loaded"]) and (is_whole or request["is_partial"])
    if is_written:
        _write(model, arrays, request["out"])
    return {"prefix": prefix, **accounts, "is_written": is_written}


def _wrapper(names: list[str], places: list[str]) -> str:
    """What stands before all names of the file and before none of the port."""
    prefix = ""
    while True:
        for wrapper in _WRAPPERS:
            longer = prefix + wrapper
            if all(name.startswith(longer) for name in names):
                break
        else:
            return prefix
        if any(name.startswith(wrapper) for name in places):
            return prefix
        prefix = longer


def _fits(theirs: tuple[int, ...], mine: tuple[int, ...]) -> bool:
    """The same shape, or the same but for axes of size 1: the kernel of a Conv1d has one more in MindSpore."""
    return [size for size in theirs if size != 1] == [size for size in mine if size != 1]


def _is_fixed(path: str, value: Any) -> bool:
    """Whether the port keeps a constant where torch keeps nothing: the factor 1 and the offset 0 of a norm without
    affine parameters."""
    last = path.rpartition(".")[2]
    if last not in ("gamma", "beta") or getattr(value, "requires_grad", True):
        return False
    return bool((value.asnumpy() == (1 if last == "gamma" else 0)).all())


def _write(model: Any, arrays: dict[str, Any], out: str) -> None:
    """Write the checkpoint, load it into the port, and see that the values are there. Raises ValueError."""
    import mindspore

    rows = [{"name": path, "data": value} for path, value in arrays.items()]
    mindspore.save_checkpoint(rows, out)
    model.load_state_dict(mindspore.load_checkpoint(out), strict=False)
    state = model.state_dict()
    for path, value in arrays.items():
        if not numpy.array_equal(_plain(state[path]), _plain(value), equal_nan=value.is_floating_point()):
            raise ValueError(f"MindSpore loads other values for {path} than were written")


def _plain(value: Any) -> Any:
    import mindspore

    return (value.astype(mindspore.float32) if value.dtype == mindspore.bfloat16 else value).asnumpy()


def _dtype_name(dtype: Any) -> str:
    return str(dtype).lower().rstrip("_")


def _shape(shape: Any) -> str:
    return str(tuple(shape))


if __name__ == "__main__":
    serve_once(probe)
