"""A git branch for a port in place: made and switched to without touching a file and without running what the
repository brings along."""

from __future__ import annotations

import os
from pathlib import Path

from mindport.checking.git_status import Git, GitFailure, changed_files
from mindport.model.language import say
from mindport.port.outcome import Branch, PortProblem
from mindport.source.ignored import repository_of

_MOST_NAMED = 5


class CleanRepository:
    """The repository of a project, in which nothing is uncommitted. Raises PortProblem where that is not so."""

    def __init__(self, project: Path) -> None:
        root = repository_of(os.path.realpath(project))
        if root is None:
            raise PortProblem(
                say(
                    "{folder} lies in no git repository, so --in-place could not be undone: use -o",
                    folder=project,
                )
            )
        self.root = root
        try:
            changed = sorted(os.path.relpath(path, root) for path in changed_files(root))
            self._git = Git(root, os.environ)
            self.commit = self._git.answer("rev-parse", "--verify", "HEAD").decode().strip()
            self.before = (
                self._git.answer("symbolic-ref", "--short", "-q", "HEAD", nothing=1).decode().strip()
                or self.commit
            )
        except GitFailure as failure:
            raise PortProblem(f"{root}: {failure}") from None
        if changed:
            names = ", ".join(changed[:_MOST_NAMED]) + ", …" * (len(changed) > _MOST_NAMED)
            raise PortProblem(
                say(
                    "{folder} has changes that are not committed ({files}): commit them first",
                    folder=root,
                    files=names,
                )
            )

    def switch_to_new(self, name: str) -> Branch:
        """Make a branch and switch to it. The commit stays the same, so no file changes. Raises PortProblem."""
        try:
            self._git.answer("check-ref-format", "--branch", name)
        except GitFailure:
            raise PortProblem(say("{name!r} is no name of a branch", name=name)) from None
        reference = f"refs/heads/{name}"
        try:
            if self._git.answer("rev-parse", "--verify", "-q", reference, nothing=1):
                raise PortProblem(
                    say("there is a branch {name} already: name another one with --branch", name=name)
                )
            self._git.answer("update-ref", reference, self.commit, "")
            self._git.answer("symbolic-ref", "-m", "mindport port", "HEAD", reference)
        except GitFailure as failure:
            raise PortProblem(f"{self.root}: {failure}") from None
        return Branch(name, self.before, self.commit)
