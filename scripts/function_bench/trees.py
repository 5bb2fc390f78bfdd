"""Lays out the files of drawn functions with what they import, and ports them as a user would."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from open_bench.closure import Closure

from function_bench.population import Function

MOST_LINES = 3000  # of a drawn file with all that it imports: the bench is about functions, not packages
_PLACE = re.compile(r"`([^`\s]+\.py):(\d+)`")
_SECTIONS = {"## Still torch": "fails", "## Left as it is": "left", "## To review": "review"}


class Remark(msgspec.Struct, frozen=True):
    """What a port says of one of its lines: `fails`, `left` or `review`, as PORT.md has it."""

    file: str
    line: int
    section: str
    rule: str
    message: str


class SmallClosures:
    """Tells of a file whether what it imports, itself included, is short."""

    def __init__(self, sources: Path, roots: frozenset[str]) -> None:
        self._sources, self._roots = sources, roots
        self._trees: dict[str, ast.Module] = {}
        self._known: dict[str, bool] = {}

    def __call__(self, file: str) -> bool:
        if file not in self._known:
            self._known[file] = self._size(file) <= MOST_LINES and self._is_short(file)
        return self._known[file]

    def _is_short(self, file: str) -> bool:
        try:
            closure = Closure(self._sources, self._roots, file, trees=self._trees)
        except (SyntaxError, UnicodeDecodeError, RecursionError):
            return False
        return sum(self._size(one) for one in closure.files if not one.endswith("__init__.py")) <= MOST_LINES

    def _size(self, file: str) -> int:
        return (self._sources / file).read_bytes().count(b"\n")


def lay_out(sources: Path, roots: frozenset[str], functions: Sequence[Function], folder: Path) -> Path:
    """Write the files of the functions with what they import to `folder`/torch, which is given back."""
    shutil.rmtree(folder, ignore_errors=True)
    original = folder / "torch"
    closure = Closure(sources, roots, *sorted({function.file for function in functions}))
    closure.write(original)
    return original


def ported(original: Path, port: Path) -> Path:
    """Run the command line that a user runs; gives the folder of the port."""
    shutil.rmtree(port, ignore_errors=True)
    options = ["--device", "CPU", "--target-version", "2.10", "--no-respect-gitignore", "--no-try"]
    command = [sys.executable, "-I", "-m", "mindport", "port", str(original), "-o", str(port), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (port.parent / "port.txt").write_text(done.stdout + done.stderr)
    if done.returncode > 1:
        raise SystemExit(f"{original}: {done.stderr[-2000:]}")
    return port


def remarks_of(port: Path) -> tuple[Remark, ...]:
    """What PORT.md says, line by line."""
    found, section, rule, message = [], "", "", ""
    for line in (port / "PORT.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = next((name for start, name in _SECTIONS.items() if line.startswith(start)), "")
        elif line.startswith("- ") and section:
            rule, _, message = line[2:].partition(": ")
        elif section and (place := _PLACE.search(line)):
            found.append(Remark(place[1], int(place[2]), section, rule, message))
    return tuple(found)
