"""Finds the weights in a file of any known format."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from .plain_files import read_npz, read_safetensors
from .stored import CheckpointError, StoredTensor
from .torch_file import read_legacy, read_zip

# Where training scripts put the weights among other things, the usual names first.
_USUAL_KEYS = ("state_dict", "model_state_dict", "model", "net", "weights", "params")


def read_weights(path: Path, key: str | None) -> tuple[dict[str, StoredTensor], str]:
    """The tensors by name, and the key of the dictionary that they were found in ("" for the file itself). `key`
    names that dictionary; without it, it is found. Raises CheckpointError."""
    content = read_file(path)
    found = _tensors(content)
    inner = {name: _tensors(value) for name, value in content.items()} if isinstance(content, dict) else {}
    holding = [name for name, tensors in inner.items() if isinstance(name, str) and tensors]
    if key is not None:
        if key not in holding:
            raise CheckpointError(f"the file has no weights under {key!r}; {_contents(content)}")
        return inner[key], key
    # The usual keys come first: a tensor beside them is no weight, but the best accuracy so far.
    usual = [name for name in _USUAL_KEYS if name in holding]
    if found and not usual:
        return found, ""
    if len(holding) > 1 and not usual:
        raise CheckpointError(f"weights are under {', '.join(holding)}: name one of them with --key")
    if not holding:
        raise CheckpointError(f"the file holds no dictionary of weights; {_contents(content)}")
    chosen = (usual or holding)[0]
    return inner[chosen], chosen


def read_file(path: Path) -> Any:
    """The content of the file, tensors as StoredTensor. Raises CheckpointError."""
    try:
        with path.open("rb") as file:
            start = file.read(4)
        if start in (b"PK\x03\x04", b"PK\x05\x06"):
            return read_npz(path) if _is_npz(path) else read_zip(path)
        if start[:1] == b"\x80":  # a pickle
            return read_legacy(path)
        if path.suffix.lower() == ".safetensors":
            return read_safetensors(path)
    except OSError as error:
        raise CheckpointError(f"the file cannot be read: {error.strerror or error}") from None
    if not start:
        raise CheckpointError("the file is empty")
    raise CheckpointError("the file was not written by torch.save, and is no .safetensors or .npz file")


def _is_npz(path: Path) -> bool:
    if path.suffix.lower() != ".npz":
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return all(name.endswith(".npy") for name in archive.namelist())
    except zipfile.BadZipFile:
        return True


def _tensors(value: Any) -> dict[str, StoredTensor]:
    """The tensors of a dictionary by name; none where the keys are no names."""
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        return {}
    return {name: one for name, one in value.items() if isinstance(one, StoredTensor)}


def _contents(value: Any) -> str:
    if isinstance(value, dict):
        return f"it has {', '.join(sorted(map(str, value))[:20]) or 'nothing'}"
    return f"it holds a {type(value).__name__}"
