"""Long work in short slices: in a thread of its own that runs only while the event loop waits for it. So nothing ever
happens at the same time, and what the work has half done is seen only where it pauses."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

Pause = Callable[[], None]
# The work may be as deeply recursive as the main thread may; some systems give other threads little room.
_STACK_BYTES = 64 * 1024 * 1024


class GivenUp(BaseException):
    """Raised inside the work when nobody wants its result any more."""


class Sliced:
    """Work that is given a function to call now and then: it pauses there when its time is up."""

    def __init__(self, work: Callable[[Pause], object]) -> None:
        self._work = work
        self._resume = threading.Semaphore(0)
        self._paused = threading.Semaphore(0)
        self._thread: threading.Thread | None = None
        self._deadline = 0.0
        self._is_given_up = False
        self._is_done = False
        self._error: BaseException | None = None
        self.seconds = 0.0  # that it has run so far

    def step(self, seconds: float) -> bool:
        """Go on for about that long; says whether there is more to do. Raises what the work raises."""
        if self._is_done:
            return False
        started = time.perf_counter()
        self._deadline = started + seconds
        if self._thread is None:
            self._thread = _started(self._run)
        self._resume.release()
        self._paused.acquire()
        self.seconds += time.perf_counter() - started
        if self._error is not None:
            raise self._error
        return not self._is_done

    def stop(self) -> None:
        """Give the work up where it is."""
        if self._thread is not None and not self._is_done:
            self._is_given_up = True
            self._resume.release()
            self._paused.acquire()
        self._is_done = True

    def _pause(self) -> None:
        if time.perf_counter() < self._deadline:
            return
        self._paused.release()
        self._resume.acquire()
        if self._is_given_up:
            raise GivenUp

    def _run(self) -> None:
        self._resume.acquire()
        try:
            self._work(self._pause)
        except GivenUp:
            pass
        except BaseException as error:  # noqa: BLE001  handed on to who waits
            self._error = error
        self._is_done = True
        self._paused.release()


def _started(run: Callable[[], None]) -> threading.Thread:
    before = threading.stack_size(_STACK_BYTES)
    try:
        thread = threading.Thread(target=run, name="slices", daemon=True)
        thread.start()
    finally:
        threading.stack_size(before)
    return thread
