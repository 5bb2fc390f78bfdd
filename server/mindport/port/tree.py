"""What of a project goes along with its port: everything that belongs to it, and nothing that tools made."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from mindport.model.language import later
from mindport.port.manifest import FOLDER
from mindport.source.ignored import GitIgnores
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.reasons import reason_of

_OF_TOOLS = frozenset(
    [
        *(".git", ".hg", ".svn", ".bzr", ".tox", ".nox", "__pycache__", "node_modules", FOLDER),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".mindport_cache", ".ipynb_checkpoints"),
    ]
)


class Tree(msgspec.Struct, frozen=True):
    """The files and links below a folder by their paths in it, with forward slashes; `left_out` are files and folders
    that git ignores."""

    files: tuple[str, ...]
    left_out: tuple[str, ...]
    problems: tuple[Problem, ...]


def tree_of(folder: Path, respect_gitignore: bool = True) -> Tree:
    """Walk a folder without following links. What the settings leave out of checks goes along all the same: a program
    may need it."""
    ignores = GitIgnores(folder) if respect_gitignore else None
    files: list[str] = []
    left_out: list[str] = []
    problems: list[Problem] = []
    stack = [""]
    while stack:
        inner = stack.pop()
        try:
            with os.scandir(folder / inner) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            values = {"reason": reason_of(error)}
            sentence = later("directory cannot be read: {reason}")
            problems.append(
                Problem(ProblemKind.UNREADABLE, sentence, FILE_START, str(folder / inner), values=values)
            )
            continue
        below = []
        for entry in entries:
            path = f"{inner}/{entry.name}" if inner else entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if entry.name in _OF_TOOLS and (is_folder or entry.name == ".git"):
                continue
            if is_folder and _is_environment(Path(entry.path)):
                continue
            if ignores is not None and ignores.matches(entry.path, is_folder):
                if not entry.name.endswith((".pyc", ".pyo")):
                    left_out.append(f"{path}/" if is_folder else path)
                continue
            if is_folder:
                below.append(path)
            elif entry.is_symlink() or entry.is_file():
                files.append(path)  # what else there is, as a pipe, holds nothing
        stack.extend(reversed(below))
    return Tree(tuple(sorted(files)), tuple(sorted(left_out)), tuple(problems))


def _is_environment(folder: Path) -> bool:
    return (folder / "pyvenv.cfg").exists() or (folder / "conda-meta").is_dir()
