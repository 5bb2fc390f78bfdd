"""Makes up for a put-off search for second-order links in slices, between requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from mindport.lsp.slices import Sliced
from mindport.usage.project import Project

SLICE_SECONDS = 0.01  # what a request may have to wait for it


class Searcher:
    """The searches of one connection, one at a time for each project."""

    def __init__(self) -> None:
        self._runs: dict[Project, Sliced] = {}

    def begin(self, project: Project, ready: Callable[[], None]) -> None:
        """Search for the links of the project; `ready` is called at the end."""
        self.stop(project)
        run = self._runs[project] = Sliced(project.search_links)
        self._step(project, run, ready)

    def stop(self, project: Project) -> None:
        """Give the search up, because the project is about to change."""
        run = self._runs.pop(project, None)
        if run is not None:
            run.stop()

    def _step(self, project: Project, run: Sliced, ready: Callable[[], None]) -> None:
        if self._runs.get(project) is not run:
            return
        # Each step joins the end of the queue: requests that came meanwhile go first.
        if run.step(SLICE_SECONDS):
            asyncio.get_running_loop().call_soon(self._step, project, run, ready)
            return
        del self._runs[project]
        ready()
