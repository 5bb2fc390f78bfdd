"""The files that the open documents import, read from the disk: a class that is defined elsewhere says what its
instances are. They are analysed piece by piece between requests, in a project beside the one that is in use, which
they replace only when all is ready; so typing never waits for them, and no half-known state shows."""

from __future__ import annotations

from collections.abc import Mapping

from mindport.check.neighbours import imported_files
from mindport.usage.project import Project

# What is read besides the open documents, nearest first; about two seconds of work, done bit by bit.
MOST_CHARACTERS = 1_000_000


def read_neighbours(texts: Mapping[str, str], root: str, max_bytes: int) -> dict[str, str]:
    """Path -> text of what the texts (path -> text) import from their project, directly or not."""
    return imported_files(texts, root, max_bytes, MOST_CHARACTERS)


class Loading:
    """A project in the making. Call `step` until it says that there is nothing left, then take `project`."""

    def __init__(self, root: str, neighbours: Mapping[str, str], documents: Mapping[str, str]) -> None:
        self.neighbours = dict(neighbours)
        self.project = Project(root)
        texts = {**neighbours, **documents}
        # In the order of their paths, as the command line does it.
        for path in sorted(texts):
            self.project.add(path, texts[path])
        self._waiting = list(texts)

    def step(self) -> bool:
        """Do a bit of the work; says whether there is more."""
        if self._waiting:
            path = self._waiting.pop()
            try:
                self.project.problems(path)
            except RecursionError:
                self.project.remove(path)
        return bool(self._waiting)
