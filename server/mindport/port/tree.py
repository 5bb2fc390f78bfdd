"""What of a project is taken over into its port: files, links as they are, and folders; not what tools made."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import msgspec

from mindport.config.settings import DEFAULT_EXCLUDE, DEFAULT_TRACE
from mindport.model.language import later, say
from mindport.port.manifest import PLACE
from mindport.port.outcome import LeftOut
from mindport.source.discovery import PYTHON_SUFFIXES, is_generated, is_of_a_file
from mindport.source.ignored import ExcludePatterns, GitIgnores
from mindport.source.notebook import NOTEBOOK_SUFFIX
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.reasons import reason_of

LARGE = 100_000_000  # bytes: a data set or a checkpoint, which nobody wants twice


class Tree(msgspec.Struct, frozen=True):
    """Paths relative to the project, with forward slashes, in a fixed order. `links` are symbolic links of any kind."""

    files: list[str] = []
    links: list[str] = []
    folders: list[str] = []
    left_out: list[LeftOut] = []
    problems: list[Problem] = []


def read_tree(project: Path, *, respect_gitignore: bool = True, with_large_files: bool = False) -> Tree:
    """Walk a project without following links. Left out are repositories, virtual environments, caches, build output,
    what git ignores, and files of more than LARGE bytes unless `with_large_files`."""
    tree = Tree([], [], [], [], [])
    excludes = ExcludePatterns(DEFAULT_EXCLUDE, project, project)
    ignores = GitIgnores(project) if respect_gitignore else None
    stack = [""]
    while stack:
        folder = stack.pop()
        below = []
        for entry in _entries(project / folder, tree):
            path = f"{folder}/{entry.name}" if folder else entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if path in (PLACE, DEFAULT_TRACE):  # ours, of the original
                continue
            if excludes.matches(entry.path, is_folder) or (
                is_folder and is_generated(str(project / folder), entry)
            ):
                continue  # what tools made, and make again
            if ignores is not None and ignores.matches(entry.path, is_folder):
                tree.left_out.append(LeftOut(path + "/" * is_folder, say("git ignores it")))
            elif is_folder:
                tree.folders.append(path)
                below.append(path)
            elif entry.is_symlink():
                tree.links.append(path)
            else:
                _take_file(entry, path, tree, with_large_files)
        stack.extend(reversed(below))
    return tree


def is_code(path: str) -> bool:
    """Whether the name is one of a file that is converted."""
    return not is_of_a_file(path.rpartition("/")[2]) and path.endswith((*PYTHON_SUFFIXES, NOTEBOOK_SUFFIX))


def _take_file(entry: os.DirEntry[str], path: str, tree: Tree, with_large_files: bool) -> None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        tree.problems.append(_unreadable(entry.path, error))
        return
    if not stat.S_ISREG(status.st_mode):
        tree.left_out.append(LeftOut(path, say("it is no regular file")))
    elif status.st_size > LARGE and not with_large_files and not is_code(path):
        tree.left_out.append(LeftOut(path, say("it is large"), status.st_size))
    else:
        tree.files.append(path)


def _entries(folder: Path, tree: Tree) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        tree.problems.append(_unreadable(str(folder), error))
        return []


def _unreadable(path: str, error: OSError) -> Problem:
    sentence = later("cannot be read: {reason}")
    return Problem(ProblemKind.UNREADABLE, sentence, FILE_START, path, values={"reason": reason_of(error)})
