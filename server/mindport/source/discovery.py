"""From the paths a user names to the files to read: walks directories, leaves out what git ignores and what
the settings exclude, and never runs in circles. A file that is named itself is taken all the
same, unless the caller says otherwise."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from mindport.model.language import later
from mindport.source.ignored import ExcludePatterns, GitIgnores
from mindport.source.notebook import NOTEBOOK_SUFFIX
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.reasons import reason_of
from mindport.source.text import YAML_SUFFIXES

PYTHON_SUFFIXES = (".py", ".pyi", ".pyw")
_BUILD_OUTPUT = ("build", "dist")
_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")


class Discovery(msgspec.Struct, frozen=True):
    """The files found, each once, in a fixed order: as the paths were named, then by name. `config_files` are
    YAML. `problems` are the paths that could not be walked; a missing path has the kind MISSING."""

    python_files: tuple[str, ...]
    config_files: tuple[str, ...]
    problems: tuple[Problem, ...]


def discover(
    paths: Sequence[str | os.PathLike[str]],
    exclude: Sequence[str] = (),
    root: str | os.PathLike[str] = ".",
    respect_gitignore: bool = True,
    force_exclude: bool = False,
) -> Discovery:
    """Find the files under `paths`. `exclude` are patterns as in .gitignore, relative to `root`; with `force_exclude`
    they speak for files that are named themselves, too."""
    walk = _Walk([os.fspath(path) for path in paths], exclude, root, respect_gitignore, force_exclude)
    found = list(walk.files())
    return Discovery(
        tuple(path for path in found if not path.endswith(YAML_SUFFIXES)),
        tuple(path for path in found if path.endswith(YAML_SUFFIXES)),
        tuple(walk.problems),
    )


class _Walk:
    def __init__(
        self,
        paths: list[str],
        exclude: Sequence[str],
        root: str | os.PathLike[str],
        respect_gitignore: bool,
        force_exclude: bool,
    ) -> None:
        self.paths = paths
        self.exclude = exclude
        self.root = root
        self.respect_gitignore = respect_gitignore
        self.force_exclude = force_exclude
        self.problems: list[Problem] = []
        self.seen: set[str] = set()
        self.roots = [os.path.realpath(path) for path in paths if os.path.isdir(path)]  # noqa: PTH112

    def files(self) -> Iterator[str]:
        for path in self.paths:
            if os.path.isdir(path):  # noqa: PTH112
                ignores = GitIgnores(path) if self.respect_gitignore else None
                excludes = ExcludePatterns(self.exclude, self.root, path)
                yield from self.directory(_tidy(path), excludes, ignores)
            elif not os.path.lexists(path):
                self.problem(ProblemKind.MISSING, later("no such file or directory"), path)
            elif self.is_new(path) and not (self.force_exclude and self.is_excluded(path)):
                yield _tidy(path)

    def is_excluded(self, file: str) -> bool:
        """Whether a walk from the root would have left out a file, or a directory above it."""
        root = os.path.abspath(self.root)  # noqa: PTH100
        excludes = ExcludePatterns(self.exclude, root, root)
        parts = Path(os.path.relpath(file, root)).parts
        if parts[0] == os.pardir:
            return False
        return any(
            excludes.matches(os.path.join(root, *parts[:depth]), depth < len(parts))  # noqa: PTH118
            for depth in range(1, len(parts) + 1)
        )

    def directory(self, top: str, excludes: ExcludePatterns, ignores: GitIgnores | None) -> Iterator[str]:
        # An own stack: the depth of a tree is the user's, the recursion limit is Python's. Each entry carries
        # the real paths of its ancestors, by which a link that leads back is known.
        stack: list[tuple[str, tuple[str, ...]]] = [(top, (os.path.realpath(top),))]
        while stack:
            directory, ancestors = stack.pop()
            below: list[tuple[str, tuple[str, ...]]] = []
            for entry in self.entries(directory):
                path = os.path.join(directory, entry.name) if directory != "." else entry.name  # noqa: PTH118
                is_directory = self.is_directory(entry, path)
                if is_directory is None or not (is_directory or _is_wanted(entry.name)):
                    continue
                if excludes.matches(path, is_directory):
                    continue
                if ignores is not None and ignores.matches(path, is_directory):
                    continue
                if not is_directory:
                    if self.is_new(path):
                        yield path
                elif not is_generated(directory, entry):
                    real = self.real_directory(entry, path, ancestors)
                    if real is not None and self.is_new(real):
                        below.append((path, (*ancestors, real)))
            stack.extend(reversed(below))

    def entries(self, directory: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(directory) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            sentence = later("directory cannot be read: {reason}")
            self.problem(ProblemKind.UNREADABLE, sentence, directory, reason=reason_of(error))
            return []

    def is_directory(self, entry: os.DirEntry[str], path: str) -> bool | None:
        try:
            if entry.is_dir():
                return True
            if entry.is_symlink() and not os.path.exists(path):  # noqa: PTH110
                entry.stat()  # tells a link in a circle from one whose target is gone
            return False
        except FileNotFoundError:
            # Editors leave such links as locks; a link that looks like source is reported when it is read.
            return None if entry.name.startswith(".#") else False
        except OSError as error:
            if error.errno == errno.ELOOP:
                self.problem(
                    ProblemKind.LOOP, later("is a link that leads to itself, so it is not followed"), path
                )
            elif _is_wanted(entry.name):
                sentence = later("cannot be read: {reason}")
                self.problem(ProblemKind.UNREADABLE, sentence, path, reason=reason_of(error))
            return None

    def real_directory(self, entry: os.DirEntry[str], path: str, ancestors: tuple[str, ...]) -> str | None:
        """The real path of a directory to walk, None for one that another way leads to."""
        if not entry.is_symlink():
            return os.path.join(ancestors[-1], entry.name)  # noqa: PTH118
        real = os.path.realpath(path)
        if real in ancestors or any(ancestor.startswith(real + os.sep) for ancestor in ancestors):
            self.problem(
                ProblemKind.LOOP, later("is a link back to {place}, so it is not followed"), path, place=real
            )
            return None
        if any(real == root or real.startswith(root + os.sep) for root in self.roots):
            return None  # found under its own name
        return real

    def is_new(self, path: str) -> bool:
        key = os.path.abspath(path)  # noqa: PTH100
        if key in self.seen:
            return False
        self.seen.add(key)
        return True

    def problem(self, kind: ProblemKind, sentence: str, path: str, **values: str) -> None:
        self.problems.append(Problem(kind, sentence, FILE_START, path, values=values))


def _tidy(path: str) -> str:
    """`./a/` as `a`, so that paths read as a person would write them."""
    return os.path.normpath(path)


def is_of_a_file(name: str) -> bool:
    """Whether a file has what macOS keeps beside another one, whose name it bears: `._train.py` is no Python."""
    return name.startswith("._")


def _is_wanted(name: str) -> bool:
    return not is_of_a_file(name) and name.endswith((*PYTHON_SUFFIXES, NOTEBOOK_SUFFIX, *YAML_SUFFIXES))


def is_generated(parent: str, entry: os.DirEntry[str]) -> bool:
    """Whether a directory holds what tools made: a virtual environment, or the build output of the project
    above.

    `build` and `dist` are names of real packages too, so the name alone is no reason to leave files out."""
    directory = Path(entry.path)
    if (directory / "pyvenv.cfg").exists() or (directory / "conda-meta").is_dir():
        return True
    if entry.name not in _BUILD_OUTPUT or (directory / "__init__.py").exists():
        return False
    return any((Path(parent) / name).exists() for name in _PROJECT_FILES)


def shown_path(full: str) -> str:
    """A file that nobody named, as users read it: from the current folder on where it lies below that."""
    here = full_path(".").rstrip("/") + "/"
    return full.removeprefix(here)


def written_like(full: str, other: str) -> str:
    """A full path as another one is written: from the current folder on, unless that is absolute."""
    return full if os.path.isabs(other) else os.path.relpath(full)  # noqa: PTH117


def printable_path(path: str) -> str:
    """A path as text: bytes of its name that are not UTF-8 are shown as replacement characters."""
    if path.isascii():
        return path
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def names_of(paths: Iterable[str]) -> Callable[[str], str]:
    """What gives for a full path the name that users know the file by: the one among `paths`, else `shown_path`."""
    given = {full_path(path): path for path in paths}
    return lambda full: given.get(full) or shown_path(full)


def full_path(path: str) -> str:
    """The absolute path with forward slashes: the name of a file inside a project."""
    return os.path.abspath(path).replace(os.sep, "/")  # noqa: PTH100
