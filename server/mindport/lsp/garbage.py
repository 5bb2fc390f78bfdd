"""When to look for garbage: while nobody waits. A search through all that is known of a project takes longer than a
key may, and Python would start one in the middle of typing."""

from __future__ import annotations

import asyncio
import gc

# Young objects often enough that a search takes less than ten milliseconds, old ones hardly ever: a document makes
# hundreds of thousands of objects that stay.
_THRESHOLDS = (10_000, 100, 1000)
_REST_SECONDS = 20.0
# Edits without such a rest after which the objects made since are searched: some ten milliseconds.
_MOST_EDITS = 100


class IdleCollector:
    """Collects garbage when nothing has happened for a while, or very much."""

    def __init__(self) -> None:
        gc.set_threshold(*_THRESHOLDS)
        # The first search would go through all that was loaded, which stays.
        gc.freeze()
        gc.enable()
        self._timer: asyncio.TimerHandle | None = None
        self._edits = 0

    def keep(self) -> None:
        """Leave what exists now out of searches: a document has been opened, and most of it will stay."""
        gc.freeze()

    def put_off(self) -> None:
        """Something happens; collect a while after it. Where it never ends, collect among what is not kept."""
        self._edits += 1
        if self._edits >= _MOST_EDITS:
            self._edits = 0
            asyncio.get_running_loop().call_soon(gc.collect)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(_REST_SECONDS, self._collect)

    def _collect(self) -> None:
        self._timer = None
        self._edits = 0
        gc.unfreeze()
        gc.collect()
        gc.freeze()
