"""Which files have changes that are not committed: fixing one in place would mix our changes with the
user's."""

from __future__ import annotations

import os

from mindport.checking.git_status import GitFailure, changed_files
from mindport.model.language import say
from mindport.source.ignored import repository_of


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
    try:
        return changed_files(root)
    except GitFailure as failure:
        return str(failure)
