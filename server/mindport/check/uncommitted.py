"""Which files have changes that are not committed: fixing one in place would mix our changes with the
user's."""

from __future__ import annotations

import os
import subprocess

from mindport.model.language import say
from mindport.source.ignored import repository_of

_SECONDS = 60


class UncommittedChanges:
    """Asks git once for every repository. A file outside of any repository, or one that git ignores, has
    no changes to lose."""

    def __init__(self) -> None:
        self._by_root: dict[str, frozenset[str] | str] = {}

    def reason(self, path: str) -> str | None:
        """Why a file must not be changed in place, or None where it may be."""
        real = os.path.realpath(path)
        root = repository_of(os.path.dirname(real))  # noqa: PTH120
        if root is None:
            return None
        if root not in self._by_root:
            self._by_root[root] = _changed_files(root)
        changed = self._by_root[root]
        if isinstance(changed, str):
            return say(
                "{reason}, so nobody knows what is committed; use --allow-dirty to fix it all the same",
                reason=changed,
            )
        if real in changed:
            return say("has uncommitted changes; commit them first, or use --allow-dirty")
        return None


def _changed_files(root: str) -> frozenset[str] | str:
    """The real paths of all files with changes, or why they cannot be known."""
    command = ["git", "-C", root, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
    except FileNotFoundError:
        return say("git is not installed")
    except (OSError, subprocess.TimeoutExpired):
        return say("git does not answer")
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return say("git fails ({reason})", reason=lines[0] if lines else say("no message"))
    entries = (os.fsdecode(entry)[3:] for entry in done.stdout.split(b"\0") if entry)
    return frozenset(os.path.realpath(os.path.join(root, entry)) for entry in entries)  # noqa: PTH118
