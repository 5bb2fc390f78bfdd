"""Which files a fix must not write although it found them: what a link leads to outside of the folders that the user
named is not what he asked to change."""

from __future__ import annotations

import os
from collections.abc import Sequence

from mindport.model.language import say
from mindport.source.writing import lies_below


class OutOfReach:
    """Knows the paths that the user named. A link that is named itself may be followed; a module of helpers may come to
    lie beside a file that is named."""

    def __init__(self, named: Sequence[str]) -> None:
        self._files = frozenset(os.path.abspath(path) for path in named if not os.path.isdir(path))  # noqa: PTH100, PTH112
        folders = (path for path in named if os.path.isdir(path))  # noqa: PTH112
        self._folders = (*folders, *{os.path.dirname(file) for file in self._files})  # noqa: PTH120

    def reason(self, path: str) -> str | None:
        """Why a file must not be changed in place, or None where it may be."""
        if os.path.abspath(path) in self._files or any(lies_below(path, one) for one in self._folders):  # noqa: PTH100
            return None
        place = os.path.realpath(path)
        return say(
            "a link leads out of the folder, to {place}, which stays as it is; name it to fix it", place=place
        )
