"""The folders that a file adds to the search path of modules: `sys.path.append(os.path.join(HERE, "lib"))`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

_SIGN = "sys.path"
_CHANGE = re.compile(
    r"^[ \t]*sys\.path(?:\.(?:append|insert|extend)[ \t]*\(|(?:\[[^\]\r\n]*\])?[ \t]*\+?=)(.*)$", re.MULTILINE
)
_LITERAL = re.compile(r"""(['"])([^'"\r\n]*)\1""")


def added_folders(text: str, folder: str, root: str) -> Iterator[str]:
    """The folders of the project at `root` that a file in `folder` with that text may add. What the words of the
    statement are below (`HERE`, `os.getcwd()`, `"."`) is not known, so they are taken below each folder from the
    file's own up to the root, the nearest first."""
    if _SIGN not in text:
        return
    ways: dict[str, None] = {}
    for change in _CHANGE.finditer(text):
        words = [match[2] for match in _LITERAL.finditer(change[1]) if not match[2].startswith(("/", "~"))]
        ways.update(dict.fromkeys(("", *words, posixpath.join("", *words))))
    while ways:
        for way in ways:
            place = posixpath.normpath(posixpath.join(folder, way)) if way else folder
            if place == root or place.startswith(f"{root}/") or not root:
                yield place
        if folder == root or folder == posixpath.dirname(folder):
            return
        folder = posixpath.dirname(folder)
