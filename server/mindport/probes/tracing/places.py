"""Where in the project a call stands, as the interpreter knows it."""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType
from typing import Any

# Files of torch whose functions dispatch a call of the user's: what stands above them made it.
_DISPATCHING = (
    "overrides.py", "_tensor.py", "functional.py", "_jit_internal.py", "nn/functional.py", "utils/_contextlib.py"
)  # fmt: skip
_FOREIGN = ("site-packages", "dist-packages", ".venv", "venv", ".tox", "node_modules")

Place = tuple[int, int, int, int]


class CodePlaces:
    """Which code is of the project in `root`, and which place in it a frame is at."""

    def __init__(self, root: str, torch_folder: str) -> None:
        self._root = os.path.realpath(root)
        self._torch = os.path.realpath(torch_folder)
        self._standard = os.path.realpath(os.path.dirname(os.__file__))  # noqa: PTH120
        self._files: dict[str, str] = {}
        self._codes: dict[int, tuple[CodeType, list[Place]]] = {}  # by identity: the hash of code is slow
        self._dispatching = {os.path.join(self._torch, *name.split("/")) for name in _DISPATCHING}  # noqa: PTH118

    def file_of(self, name: str) -> str:
        """The path of a file of the project, seen from its root; empty for any other."""
        found = self._files.get(name)
        if found is None:
            found = self._files[name] = self._relative(name)
        return found

    def is_torch(self, name: str) -> bool:
        """Whether a file belongs to torch."""
        return os.path.realpath(name).startswith(self._torch + os.sep)

    def _relative(self, name: str) -> str:
        if name.startswith("<") or not name.endswith(".py"):
            return ""
        path = os.path.realpath(name)
        if not path.startswith(self._root + os.sep) or path.startswith(self._standard + os.sep):
            return ""
        relative = os.path.relpath(path, self._root)
        parts = relative.split(os.sep)  # noqa: PTH206
        return "" if any(part in _FOREIGN for part in parts) else "/".join(parts)

    def caller(self, frame: FrameType | None, function: Any) -> FrameType | None:
        """The frame that called `function` of torch, from what torch itself put in between."""
        own = getattr(function, "__code__", None)
        while frame is not None:
            code = frame.f_code
            if code is not own and code.co_filename not in self._dispatching:
                return frame
            frame = frame.f_back
        return None

    def place(self, frame: FrameType) -> Place:
        """Lines and byte columns of the expression that a frame is at; the columns are -1 before Python 3.11."""
        code = frame.f_code
        if sys.version_info < (3, 11):
            return (frame.f_lineno, -1, frame.f_lineno, -1)
        known = self._codes.get(id(code))
        if known is None:
            known = self._codes[id(code)] = (code, [_place(one) for one in code.co_positions()])
        at = frame.f_lasti // 2
        return known[1][at] if 0 <= at < len(known[1]) else (frame.f_lineno, -1, frame.f_lineno, -1)


def _place(position: tuple[int | None, ...]) -> Place:
    line, end_line, column, end_column = position
    if line is None or column is None or end_line is None or end_column is None:
        return (line or 0, -1, end_line or line or 0, -1)
    return (line, column, end_line, end_column)
