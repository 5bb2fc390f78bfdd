"""Loads the neighbours of a project's open documents between requests."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator

from mindport.lsp.document import Document
from mindport.lsp.folder import Folder
from mindport.lsp.neighbours import Loading

_LOG = logging.getLogger(__name__)


class Loader:
    """The loading of one project. `documents` gives its open documents, `ready` is called at the end, when their
    findings may have changed."""

    def __init__(
        self, folder: Folder, documents: Callable[[], list[Document]], ready: Callable[[], None]
    ) -> None:
        self._folder = folder
        self._documents = documents
        self._ready = ready
        self._timer: asyncio.TimerHandle | None = None
        self._loading: Loading | None = None
        self._is_idle = asyncio.Event()
        self._is_idle.set()

    @property
    def is_busy(self) -> bool:
        """Whether something waits or is under way."""
        return not self._is_idle.is_set()

    async def finished(self, limit: float) -> None:
        """Wait until nothing is under way, but not longer than `limit` seconds."""
        try:
            await asyncio.wait_for(self._is_idle.wait(), limit)
        except asyncio.TimeoutError:
            return

    def begin(self, wait: float) -> None:
        """Start in `wait` seconds; what is under way is out of date and given up."""
        self.stop()
        self._is_idle.clear()
        self._timer = asyncio.get_running_loop().call_later(wait, self._start)

    def stop(self) -> None:
        """Give up what waits or is under way."""
        if self._timer is not None:
            self._timer.cancel()
        if self._loading is not None:
            self._loading.stop()
        self._timer = self._loading = None
        self._is_idle.set()

    def _start(self) -> None:
        self._timer = None
        with self._failing():
            self._loading = self._folder.loading(self._documents())
        if self._loading is None:
            self._finish()
        else:
            asyncio.get_running_loop().call_soon(self._step, self._loading)

    def _step(self, loading: Loading) -> None:
        if loading is not self._loading:
            return
        with self._failing():
            # Each step joins the end of the queue: requests that came meanwhile go first.
            if loading.step():
                asyncio.get_running_loop().call_soon(self._step, loading)
                return
            self._folder.take(loading)
        self._finish()

    @contextlib.contextmanager
    def _failing(self) -> Iterator[None]:
        """Around the work: where it fails the documents are shown as they are known, and nobody waits for more."""
        try:
            yield
        except Exception:  # noqa: BLE001  the border of work that no request asked for
            _LOG.exception("reading the neighbours of documents failed")

    def _finish(self) -> None:
        self._loading = None
        self._is_idle.set()
        self._ready()
