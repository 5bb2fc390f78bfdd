"""Which paths to leave out: .gitignore files as git reads them, and the exclude patterns of the settings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from pathspec import GitIgnoreSpec

from mindport.config.regular_file import read_regular


class ExcludePatterns:
    """Patterns as in .gitignore for the files below `top`, relative to `root`.

    They are relative to `top` where it lies elsewhere, or where they match it: then it was asked for by name,
    and what stands above it does not count."""

    def __init__(
        self, patterns: Sequence[str], root: str | os.PathLike[str], top: str | os.PathLike[str]
    ) -> None:
        self._spec = _parsed(patterns)
        self._root = os.path.abspath(root)  # noqa: PTH100
        absolute = os.path.abspath(top)  # noqa: PTH100
        is_inside = absolute == self._root or absolute.startswith(self._root.rstrip(os.sep) + os.sep)
        if not is_inside or self.matches(absolute, True):
            self._root = absolute

    def matches(self, path: str, is_directory: bool) -> bool:
        """Whether a pattern says to leave the path out."""
        return self._spec is not None and bool(_answer(self._spec, self._root, path, is_directory))


class GitIgnores:
    """The .gitignore files that speak for what lies below one directory, read as they are met.

    Outside of a repository those from that directory downward count. A directory that is ignored itself was
    asked for by name; then the files above it do not count."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self._specs: dict[str, GitIgnoreSpec | None] = {}
        top = os.path.abspath(directory)  # noqa: PTH100
        self._root = repository_of(top) or top
        self._info = _read(Path(self._root, ".git", "info", "exclude"))
        if self._is_ignored(top):
            self._root = top
            self._info = None

    def matches(self, path: str, is_directory: bool) -> bool:
        """Whether git ignores the path. Its directories must have been asked about before and not be ignored:
        git does not look into an ignored directory."""
        path = os.path.abspath(path)  # noqa: PTH100
        directory = os.path.dirname(path)  # noqa: PTH120
        while True:
            spec = self._spec(directory)
            answer = None if spec is None else _answer(spec, directory, path, is_directory)
            if answer is not None:
                return answer
            if len(directory) <= len(self._root):
                break
            directory = os.path.dirname(directory)  # noqa: PTH120
        return bool(self._info and _answer(self._info, self._root, path, is_directory))

    def _is_ignored(self, directory: str) -> bool:
        """Whether one of the directories between the repository and this one is ignored."""
        while len(directory) > len(self._root):
            if self.matches(directory, True):
                return True
            directory = os.path.dirname(directory)  # noqa: PTH120
        return False

    def _spec(self, directory: str) -> GitIgnoreSpec | None:
        if directory not in self._specs:
            self._specs[directory] = _read(Path(directory, ".gitignore"))
        return self._specs[directory]


def repository_of(path: str | os.PathLike[str]) -> str | None:
    """The root of the git repository that a directory lies in, by its `.git`; None outside of one."""
    directory = Path(os.path.abspath(path))  # noqa: PTH100
    for candidate in (directory, *directory.parents):
        if (candidate / ".git").exists():
            return str(candidate)
    return None


def _read(path: Path) -> GitIgnoreSpec | None:
    try:
        data = read_regular(path)
    except OSError:
        return None
    return _parsed(data.decode("utf-8", "replace").splitlines())


def _parsed(patterns: Sequence[str]) -> GitIgnoreSpec | None:
    kept = [pattern for pattern in patterns if pattern.strip() and not pattern.startswith("#")]
    good: list[str] = []
    for pattern in kept:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError:
            continue  # git passes over a pattern that it cannot read
        good.append(pattern)
    return GitIgnoreSpec.from_lines(good) if good else None


def _answer(spec: GitIgnoreSpec, root: str, path: str, is_directory: bool) -> bool | None:
    """True: ignored; False: taken back by a pattern with `!`; None: no pattern says anything."""
    absolute = os.path.abspath(path)  # noqa: PTH100
    if not absolute.startswith(root.rstrip(os.sep) + os.sep):
        return None
    relative = absolute[len(root.rstrip(os.sep)) + 1 :]
    return spec.check_file(relative + "/" if is_directory else relative).include
