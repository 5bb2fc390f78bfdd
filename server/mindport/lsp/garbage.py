"""When to look for garbage: while nobody waits. A search through all that is known of a project takes longer than a
key may, and Python would start one in the middle of typing."""

from __future__ import annotations

import asyncio
import gc

# Young objects often enough that a search takes less than ten milliseconds, old ones hardly ever: a document makes
# hundreds of thousands of objects that stay.
_THRESHOLDS = (10_000, 100, 1000)
_REST_SECONDS = 20.0


class IdleCollector:
    """Collects garbage when nothing has happened for a while."""

    def __init__(self) -> None:
        gc.set_threshold(*_THRESHOLDS)
        # The first search would go through all that was loaded, which stays.
        gc.freeze()
        gc.enable()
        self._timer: asyncio.TimerHandle | None = None

    def keep(self) -> None:
        """Leave what exists now out of searches: a document has been opened, and most of it will stay."""
        gc.freeze()

    def put_off(self) -> None:
        """Something happens; collect a while after it."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(_REST_SECONDS, self._collect)

    def _collect(self) -> None:
        self._timer = None
        gc.unfreeze()
        gc.collect()
        gc.freeze()
