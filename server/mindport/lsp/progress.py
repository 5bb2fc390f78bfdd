"""Work that takes long, as the client shows it: with a way to cancel it, where the client has one."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from mindport.model.language import say

if TYPE_CHECKING:
    from mindport.lsp.server import MindportServer

T = TypeVar("T")


class Progress:
    """Shown while the `with` block runs; clients that show no progress get a message at its start. With `counts` it
    goes on in the background: how far it is can be reported, and there is no such message."""

    def __init__(self, server: MindportServer, title: str, detail: str, *, counts: bool = False) -> None:
        self._server = server
        self._title = title
        self._detail = detail
        self._token = str(uuid.uuid4())
        self._is_shown = False
        self._counts = counts
        self._percentage = 0

    async def __aenter__(self) -> Progress:
        if self._server.session.abilities.shows_progress:
            try:
                await self._server.work_done_progress.create_async(self._token)
                self._is_shown = True
            except JsonRpcException:
                pass  # it shows none after all
        if self._is_shown:
            begin = types.WorkDoneProgressBegin(
                title=self._title,
                message=self._detail,
                cancellable=True,
                percentage=0 if self._counts else None,
            )
            self._server.work_done_progress.begin(self._token, begin)
        elif not self._counts:
            self._server.show(types.MessageType.Info, f"{self._title} {self._detail}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_shown:
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())

    def show(self, detail: str, percentage: int) -> None:
        """Say how far it is; nothing where the client shows no progress."""
        if self._is_shown:
            report = types.WorkDoneProgressReport(message=detail, percentage=percentage)
            self._server.work_done_progress.report(self._token, report)

    def report(self, done: int, of: int) -> None:
        """So many of all are done; every whole percent is shown."""
        percentage = 100 * done // max(of, 1)
        if self._is_shown and percentage > self._percentage:
            self._percentage = percentage
            report = types.WorkDoneProgressReport(
                message=say(
                    "{what}: {done} of {of} files", what=self._detail, done=f"{done:,}", of=f"{of:,}"
                ),
                percentage=percentage,
                cancellable=True,
            )
            self._server.work_done_progress.report(self._token, report)

    def when_cancelled(self, call: Callable[[], object]) -> None:
        """Call this on the event loop when the user cancels."""
        if not self._is_shown:
            return
        # pygls resolves this when the client says `window/workDoneProgress/cancel`.
        asked = self._server.work_done_progress.tokens[self._token]
        loop = asyncio.get_running_loop()
        asked.add_done_callback(lambda _: loop.call_soon_threadsafe(call))

    async def unless_cancelled(self, work: Coroutine[Any, Any, T]) -> T | None:
        """The result of the work; None where the user cancels it first."""
        task = asyncio.get_running_loop().create_task(work)
        self.when_cancelled(task.cancel)
        try:
            return await task
        except asyncio.CancelledError:
            if self._is_shown and self._server.work_done_progress.tokens[self._token].cancelled():
                return None
            task.cancel()
            raise
