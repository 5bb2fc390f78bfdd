"""The folders that a file adds to the search path of modules: `sys.path.append(os.path.join(HERE, "lib"))`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

_SIGN = "sys.path"
_CHANGE = re.compile(
    r"^[ \t]*sys\.path(?:\.(?:append|insert|extend)[ \t]*\(|(?:\[[^\]\r\n]*\])?[ \t]*\+?=)(.*)$", re.MULTILINE
)
_LITERAL_OR_NAME = re.compile(r"""(['"])(?P<literal>[^'"\r\n]*)\1|(?<![\w.])(?P<name>[^\W\d]\w*)(?![\w(.])""")
_ASSIGNMENT = re.compile(r"^[ \t]*([^\W\d]\w*)[ \t]*=(?!=)(.*)$", re.MULTILINE)


def added_folders(text: str, folder: str, root: str) -> Iterator[str]:
    """The folders of the project at `root` that a file in `folder` with that text may add. What the words of the
    statement are below (`HERE`, `os.getcwd()`, `"."`) is not known, so they are taken below each folder from the
    file's own up to the root, the nearest first."""
    if _SIGN not in text:
        return
    ways: dict[str, None] = {}
    assigned = {assignment[1]: assignment[2] for assignment in _ASSIGNMENT.finditer(text)}
    for change in _CHANGE.finditer(text):
        words = [word for word in _words(change[1], dict(assigned)) if not word.startswith(("/", "~"))]
        ways.update(dict.fromkeys(("", *words, posixpath.join("", *words))))
    while ways:
        for way in ways:
            place = posixpath.normpath(posixpath.join(folder, way)) if way else folder
            if place == root or place.startswith(f"{root}/") or not root:
                yield place
        if folder == root or folder == posixpath.dirname(folder):
            return
        folder = posixpath.dirname(folder)


def _words(source: str, assigned: dict[str, str], steps: int = 8) -> Iterator[str]:
    """The literals in a piece of text, in its order, with those of the variables that it names, each of them once and
    at most `steps` assignments away."""
    for match in _LITERAL_OR_NAME.finditer(source):
        if match["name"] is None:
            yield match["literal"]
        elif match["name"] in assigned and steps:
            yield from _words(assigned.pop(match["name"]), assigned, steps - 1)
