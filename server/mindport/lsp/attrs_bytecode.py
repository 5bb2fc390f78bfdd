"""The protocol's types in half their time: attrs writes the methods of its classes as source text and compiles it at
each import, which Python does not keep as it keeps the bytecode of modules. For the 550 classes of lsprotocol that is a
quarter of the server's start."""

from __future__ import annotations

import builtins
import contextlib
import importlib.util
import marshal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import attr  # noqa: F401  has loaded what is looked up below, whatever it is called in a later version

from mindport.source.writing import keep_file

_COMPILER = "attr._make"  # its function `compile` is found here before the one of Python


@contextlib.contextmanager
def kept_bytecode(module: str) -> Iterator[None]:
    """While `module` is imported, take what attrs compiles for its classes from a file beside the module's own
    bytecode, and write that file where something is new. Where it cannot be read or written, or attrs works in another
    way, the import only takes longer."""
    compiler = sys.modules.get(_COMPILER)
    file = _file_of(module)
    if compiler is None or file is None:
        yield
        return
    kept = _read(file)
    new: dict[tuple[str, str, str], CodeType] = {}

    def compile_once(text: str, name: str, mode: str) -> CodeType:
        key = (text, name, mode)
        code = kept.get(key)
        if code is None:
            code = new[key] = builtins.compile(text, name, mode)
        return code

    setattr(compiler, "compile", compile_once)  # noqa: B010  it has no such name for a type checker
    try:
        yield
    finally:
        delattr(compiler, "compile")
    if new and not sys.dont_write_bytecode:
        keep_file(file, marshal.dumps(kept | new))


def _file_of(module: str) -> Path | None:
    """Named like the module's bytecode, so that another Python has another file; None where there is none."""
    found = importlib.util.find_spec(module)
    if found is None or found.cached is None:
        return None
    return Path(found.cached).with_suffix(".attrs")


def _read(file: Path) -> dict[tuple[str, str, str], CodeType]:
    try:
        kept = marshal.loads(file.read_bytes())
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return kept if isinstance(kept, dict) else {}
