"""The facts of a run by file, as long as each file is the one that ran."""

from __future__ import annotations

from collections.abc import Mapping

from mindport.usage.files import FileState
from mindport.usage.seen.places import SeenPlaces
from mindport.usage.seen.run import SeenFile


class SeenFiles:
    """What a run showed of the files of one project in `root`."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._seen: dict[str, SeenFile] = {}
        self._current: set[str] = set()
        self._places: dict[str, tuple[FileState, SeenPlaces]] = {}

    @property
    def has_any(self) -> bool:
        """Whether there are facts of any file."""
        return bool(self._seen)

    def take(self, seen: Mapping[str, SeenFile], texts: Mapping[str, str]) -> None:
        """Take what was seen, by the paths of files, which have these texts now."""
        self._seen = dict(seen)
        self._current = {path for path, one in seen.items() if path in texts and one.is_of(texts[path])}
        self._places.clear()

    def note(self, path: str, text: str) -> bool:
        """Take notice that a file has another text; says whether its facts count now where they did not, or no more."""
        known = self._seen.get(path)
        if known is None:
            return False
        was, now = path in self._current, known.is_of(text)
        (self._current.add if now else self._current.discard)(path)
        self._places.pop(path, None)
        return was != now

    def is_of(self, path: str) -> bool:
        """Whether there are facts of the present text of a file."""
        return path in self._current

    def places(self, state: FileState) -> SeenPlaces:
        """The facts of a file that there are some of."""
        known = self._places.get(state.path)
        if known is None or known[0] is not state:
            known = self._places[state.path] = (
                state,
                SeenPlaces(state, self._seen[state.path], self._key_of),
            )
        return known[1]

    def _key_of(self, name: str) -> str:
        """The key of a class of the project, whose files have their full paths in it."""
        return f"{self._root}/{name}" if self._root else name
