"""A branch of a git repository for a port in place, so that the original is never lost."""

from __future__ import annotations

import os
import re
from pathlib import Path

import msgspec

from mindport.check.git_status import Git, GitFailure, changed_files
from mindport.model.language import say
from mindport.source.ignored import repository_of

_NAME = re.compile(r"[\w][\w./-]*\Z")


class Branch(msgspec.Struct, frozen=True):
    """A branch that was made at `commit`; `before` is where the repository was: a branch, or the commit."""

    name: str
    before: str
    commit: str


class CannotBranch(Exception):
    """No branch was made; the text says why."""


def branched(folder: Path, name: str) -> Branch:
    """Make a branch at the present commit and go to it, or stay on it where a port began it before. Raises
    CannotBranch."""
    root = repository_of(folder)
    if root is None:
        raise CannotBranch(say("{folder} is in no git repository: use --output DIR", folder=folder))
    if not _NAME.match(name):
        raise CannotBranch(say("{name!r} is no name for a branch", name=name))
    try:
        git = Git(root, os.environ)
        git.switch_filters_off()
        commit = _text(git.answer("rev-parse", "--verify", "HEAD"))
        before = _text(git.answer("symbolic-ref", "--short", "--quiet", "HEAD", nothing=1)) or commit
        if changed_files(root):
            raise CannotBranch(say("{root} has changes that are not committed: commit them first", root=root))
        if before == name:
            return Branch(name, before, commit)
        git.answer("switch", "--quiet", "--create", name)
    except GitFailure as failure:
        raise CannotBranch(str(failure)) from None
    return Branch(name, before, commit)


def go_back_line(branch: Branch) -> str:
    """How to go on, and how to go back."""
    return say(
        "On branch {name}, nothing is committed. Back: git stash -u && git switch {before}",
        name=branch.name,
        before=branch.before,
    )


def _text(answer: bytes) -> str:
    return answer.decode("utf-8", "replace").strip()
