"""What is left of a defect of mindport itself: the traceback for the terminal, and a report for us that says where it
happened and with what, and holds nothing of the user's: no code, no paths, no values, not even the message of the
error, which may quote them."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import mindport
from mindport import __version__

_PACKAGE = Path(mindport.__file__).parent
_ASKED = ("click", "jinja2", "lsprotocol", "msgspec", "packaging", "pathspec", "pygls", "rich", "ruamel.yaml")


def write_crash_report(error: BaseException, arguments: Sequence[str]) -> str | None:
    """Write the report into a file of its own in the folder for temporary files; its name, or None where that cannot
    be. `arguments` are those of the command line."""
    try:
        handle, name = tempfile.mkstemp(prefix="mindport-crash-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(crash_report(error, arguments))
    except OSError:
        return None
    return name


def crash_report(error: BaseException, arguments: Sequence[str]) -> str:
    """The text of the report."""
    return "\n".join([*_circumstances(arguments), "", *_errors(error)]) + "\n"


def _circumstances(arguments: Sequence[str]) -> Iterator[str]:
    yield f"mindport {__version__}"
    yield f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} {platform.machine()}"
    yield f"command: {' '.join(_without_values(arguments))}"
    yield f"packages: {', '.join(f'{name} {_version(name)}' for name in _ASKED)}"


def _without_values(arguments: Sequence[str]) -> Iterator[str]:
    """The command and the names of the options, as their values and all paths are the user's."""
    from mindport.cli.main import COMMANDS

    for place, word in enumerate(arguments):
        if word.startswith("--") and word != "--":
            yield word.partition("=")[0]
        elif word.startswith("-") and len(word) > 1:
            yield word[:2]
        elif place == 0 and word in COMMANDS:
            yield word
        else:
            yield "…"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _errors(error: BaseException) -> Iterator[str]:
    """The error and what it came from: its kind and the way to it."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield f"{type(current).__module__}.{type(current).__qualname__}"
        for frame in traceback.extract_tb(current.__traceback__):
            yield f"  {_place(frame.filename)}:{frame.lineno} in {frame.name}"
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)


def _place(filename: str) -> str:
    """A file of mindport or of a package, without where that is installed."""
    path = Path(filename)
    if path.is_relative_to(_PACKAGE):
        return f"mindport/{path.relative_to(_PACKAGE).as_posix()}"
    for folder in sorted(filter(None, sys.path), key=len, reverse=True):
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.name
