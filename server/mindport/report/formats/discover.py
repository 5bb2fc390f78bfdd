"""Finds the output formats by walking this package: a format is one file that holds a `FORMAT` and is called as the
command line calls it. Only those that are asked for are loaded."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from mindport.report import formats
from mindport.report.formats.format import Format

_NO_FORMATS = ("discover", "format")
_FIRST = ("text", "full", "concise", "json", "jsonl")  # the others follow by the alphabet


@functools.cache
def format_names() -> tuple[str, ...]:
    """The names of all formats, in the order of the help."""
    names = [module.name for module in pkgutil.iter_modules(formats.__path__)]
    return (*_FIRST, *sorted(set(names).difference(_FIRST, _NO_FORMATS)))


def format_called(name: str) -> Format:
    """The format of this name, which is one of them."""
    found: Format = importlib.import_module(f"{formats.__name__}.{name}").FORMAT
    return found
