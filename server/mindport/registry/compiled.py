"""Compiled copies of the facts: written beside the mappings when missing or out of date, or shipped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from mindport.registry.location import compiled_folder, is_installed
from mindport.source.writing import keep_file

FORMAT = 1
_T = TypeVar("_T")
_COMPILERS = tuple(
    Path(__file__).with_name(f"{name}.py") for name in ("torch", "mindspore", "signature", "returns")
)


class _Header(msgspec.Struct, frozen=True, array_like=True):
    """What the copy was made from."""

    format: int
    size: int
    modified: int
    content: msgspec.Raw


_HEADER = msgspec.msgpack.Decoder(_Header)


def load_compiled(
    source: Path,
    part: str,
    kind: type[_T],
    compile_source: Callable[[], dict[str, object]],
    beside: Sequence[Path] = (),
) -> _T:
    """The `part` of the facts in `source` and the files `beside` it, decoded as `kind`.

    `compile_source` makes all parts by name; it runs only if the stored copy is missing or of another state
    of the files. Raises FileNotFoundError when there is neither."""
    path = compiled_folder() / f"{source.stem}.{part}.msgpack"
    sources = (source, *beside)
    stored = _read(path, sources)
    if stored is not None:
        try:
            return msgspec.msgpack.decode(stored, type=kind)
        except msgspec.DecodeError:
            pass  # written by another version of the code
    parts = {name: msgspec.msgpack.encode(content) for name, content in compile_source().items()}
    size, modified = _state(sources)
    for name, content in parts.items():
        header = _Header(FORMAT, size, modified, msgspec.Raw(content))
        keep_file(compiled_folder() / f"{source.stem}.{name}.msgpack", msgspec.msgpack.encode(header))
    return msgspec.msgpack.decode(parts[part], type=kind)


def _read(path: Path, sources: Sequence[Path]) -> msgspec.Raw | None:
    try:
        header = _HEADER.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError):
        return None
    if header.format != FORMAT:
        return None
    if is_installed():  # nobody edits the files, and unpacking gives them new times
        return header.content
    return header.content if (header.size, header.modified) == _state(sources) else None


def _state(sources: Sequence[Path]) -> tuple[int, int]:
    """Size and time of what a copy is made from: the sources, and the code that compiles them."""
    status = [source.stat() for source in sources]
    times = [one.st_mtime_ns for one in status] + [path.stat().st_mtime_ns for path in _COMPILERS]
    return sum(one.st_size for one in status), max(times)


def forget_times() -> None:
    """Take out of all copies when their sources were written, for a wheel: two wheels of the same sources are the same.
    A checkout makes its copies anew then."""
    for path in sorted(compiled_folder().glob("*.msgpack")):
        try:
            header = _HEADER.decode(path.read_bytes())
        except msgspec.DecodeError:
            continue  # not one of ours
        keep_file(path, msgspec.msgpack.encode(msgspec.structs.replace(header, modified=0)))
