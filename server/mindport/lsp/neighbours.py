"""The files around the open documents, read from the disk: a class that is defined elsewhere says what its instances
are, and a call elsewhere what a parameter gets. They are analysed piece by piece between requests, in a project beside
the one that is in use, which they replace only when all is ready; so typing never waits for them, and no half-known
state shows."""

from __future__ import annotations

from collections.abc import Mapping

from mindport.checking.neighbours import imported_files
from mindport.checking.small_project import small_project
from mindport.config.settings import Settings
from mindport.lsp.searcher import SLICE_SECONDS
from mindport.lsp.slices import Sliced
from mindport.source.discovery import full_path
from mindport.source.text import SourceText, read_source
from mindport.usage.project import Project
from mindport.usage.seen.run import SeenFile

# What is read besides the open documents, nearest first; about two seconds of work, done bit by bit.
MOST_CHARACTERS = 1_000_000


def read_neighbours(texts: Mapping[str, str], root: str, settings: Settings) -> dict[str, str]:
    """Path -> text of what the texts (path -> text) import from their project, directly or not, and of all the rest
    of the project where it is small enough."""
    found = imported_files(texts, root, settings.max_file_bytes, MOST_CHARACTERS)
    left = MOST_CHARACTERS - sum(map(len, found.values()))
    known = texts.keys() | found.keys()
    for path in small_project(root, settings, lambda one: full_path(one) not in known, left):
        source = read_source(path, settings.max_file_bytes)
        if isinstance(source, SourceText):
            found[full_path(path)] = source.text
    return found


class Loading:
    """A project in the making. Call `step` until it says that there is nothing left, then take `project`."""

    def __init__(
        self,
        root: str,
        neighbours: Mapping[str, str],
        documents: Mapping[str, str],
        configured: frozenset[str],
        seen: Mapping[str, SeenFile],
    ) -> None:
        self.neighbours = dict(neighbours)
        self.configured = configured  # the words that configuration has for names
        self.project = Project(root)
        self.project.configure(configured)
        texts = {**neighbours, **documents}
        # In the order of their paths, as the command line does it.
        self.project.add_all({path: texts[path] for path in sorted(texts)})
        self.project.see(seen)
        self._waiting = list(texts)
        self.search = Sliced(self.project.search_links)  # for second-order links, once all files are known

    def step(self) -> bool:
        """Do a bit of the work; says whether there is more."""
        if not self._waiting:
            return self.search.step(SLICE_SECONDS)
        path = self._waiting.pop()
        try:
            self.project.problems(path)
        except RecursionError:
            self.project.remove(path)
        return True

    def stop(self) -> None:
        """Give it up."""
        self.search.stop()
