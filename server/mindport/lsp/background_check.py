"""Checks the files that are not open: in the background, once somebody asks for it, and again when files change. What
is found goes to clients that pull it, and is pushed to the others; open documents have diagnostics of their own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mindport.lsp.document import path_of_uri
from mindport.lsp.progress import Progress
from mindport.lsp.workspace_check import Begun, CheckedFile, CheckRequest, Finished
from mindport.lsp.workspace_index import WorkspaceIndex
from mindport.lsp.workspace_run import checked_files
from mindport.model.language import say

if TYPE_CHECKING:
    from mindport.lsp.server import MindportServer

_LOG = logging.getLogger(__name__)
_PAUSE_SECONDS = 1.0  # after a change: more may follow
_CHECKS_TO_WAIT = 2  # after a change, counted in what the last check took
_QUIET_SECONDS = 1.0  # a check that takes no longer shows no progress
_GATHER_SECONDS = 0.2  # so that what is found in quick succession goes to the client together
_MOST_AT_ONCE = 100  # files in one message


class CheckSummary(msgspec.Struct, frozen=True):
    """What a check of all folders came to; `problems` say which of them could not be checked, and why."""

    files: int
    errors: int
    warnings: int
    problems: tuple[str, ...] = ()


class BackgroundCheck:
    """The checks of one connection, one at a time. Nothing happens before the first `begin`."""

    def __init__(self, server: MindportServer) -> None:
        self._server = server
        self._index = WorkspaceIndex()
        self._is_wanted = False
        self._is_asked_for = False  # by the user, not by a client that pulls
        self._is_given_up = False
        self._is_pulled = False
        self._is_outdated = False  # something changed while a check ran
        self._task: asyncio.Task[CheckSummary | None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._seconds = 0.0  # that the last check took
        self._pushed: set[str] = set()
        self._pulls = 0
        self._notebooks: set[str] = set()  # that are open
        self._news = asyncio.Event()

    def begin_as_asked(self) -> asyncio.Task[CheckSummary | None]:
        """Check now because the user asks for it, whatever the settings say."""
        if not self._is_asked_for:
            self._is_asked_for = True
            self._stop()
        return self.begin()

    def begin(self) -> asyncio.Task[CheckSummary | None]:
        """Check now, unless that is under way; from now on also when files change. The summary is None where the user
        gives it up."""
        self._is_wanted, self._is_given_up = True, False
        self._stop_timer()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())
            self._task.add_done_callback(lambda _: self._news.set())
        return self._task

    def files_changed(self) -> None:
        """Something was written: check again soon. The longer a check takes, the longer it waits, so that saving now
        and then in a large repository does not keep a processor busy."""
        if not self._is_wanted:
            return
        if self._task is not None and not self._task.done():
            self._is_outdated = True
            return
        self._stop_timer()
        wait = max(_PAUSE_SECONDS, _CHECKS_TO_WAIT * self._seconds)
        self._timer = asyncio.get_running_loop().call_later(wait, self.begin)

    def settings_changed(self) -> None:
        """Everything may be different: start anew."""
        if not self._is_wanted:
            return
        self._stop()
        self.begin()

    def opened(self, uri: str) -> None:
        """A document shows its own diagnostics from now on: take away what was pushed to a client that pulls those."""
        if uri in self._pushed and self._server.session.abilities.pulls_diagnostics:
            self._push(uri, "[]")

    def closed(self, uri: str) -> None:
        """What is known of the file counts again."""
        self._notebooks.discard(uri)
        self._tell(uri)

    def notebook_opened(self, uri: str) -> None:
        """The cells of a notebook show their own diagnostics from now on: its file has none."""
        self._notebooks.add(uri)
        self._news.set()
        self._push(uri, "[]")

    async def pull(self, known: dict[str, str], send: Callable[[list[str]], None] | None) -> list[str]:
        """The reports, as JSON, of files whose diagnostics are not `known` (URI -> name). With `send` they are sent as
        they come, and the answer waits until there were some; without it until everything is checked. A later
        pull ends an earlier one."""
        if not self._is_wanted and not self._is_given_up:
            self.begin()
        self._is_pulled = True
        for uri in tuple(self._pushed):
            self._push(uri, "[]")
        self._pulls += 1
        number, has_sent = self._pulls, False
        self._news.set()
        while number == self._pulls:
            self._news.clear()
            if send is not None:
                found = self._index.news(known, self._is_open, self._notebooks)
                for start in range(0, len(found), _MOST_AT_ONCE):
                    send(found[start : start + _MOST_AT_ONCE])
                    await asyncio.sleep(0)
                has_sent = has_sent or bool(found)
                if has_sent and not self._is_busy:
                    break
            elif not self._is_busy:
                return self._index.news(known, self._is_open, self._notebooks)
            await self._news.wait()
            await asyncio.sleep(_GATHER_SECONDS)
        return []

    @property
    def _is_busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def _is_open(self, uri: str) -> bool:
        return self._server.document(uri) is not None

    def _folders(self) -> list[str]:
        """The folders that the client has open, or else the projects of its open documents, each once."""
        workspace = self._server.workspace
        uris = list(workspace.folders) or [*filter(None, [workspace.root_uri])]
        paths = [str(path_of_uri(uri)) for uri in uris] or [
            folder.root for folder in self._server.session.folders()
        ]
        found = {path for path in dict.fromkeys(paths) if os.path.isdir(path)}  # noqa: PTH112
        return sorted(path for path in found if found.isdisjoint(map(str, Path(path).parents)))

    async def _run(self) -> CheckSummary | None:
        started = time.perf_counter()
        self._is_outdated = False
        seen: set[str] = set()
        problems: list[str] = []
        try:
            with self._server.session.speaking():
                for folder in self._folders():
                    await self._check(folder, seen, problems)
        except asyncio.CancelledError:
            return None
        self._seconds = time.perf_counter() - started
        if not problems:  # else files may be missing that are there
            for uri in self._index.keep_only(seen):
                self._tell(uri)
        if self._is_outdated:
            asyncio.get_running_loop().call_soon(self.files_changed)
        return CheckSummary(*self._index.totals(), tuple(problems))

    async def _check(self, folder: str, seen: set[str], problems: list[str]) -> None:
        session = self._server.session
        request = CheckRequest(
            folder=folder,
            abilities=session.abilities,
            is_asked_for=self._is_asked_for,
            overrides=dict(session.settings.of_directory(folder)),
        )
        started, files = time.perf_counter(), 0
        before = len(seen)
        async with contextlib.AsyncExitStack() as stack:
            lines = await stack.enter_async_context(contextlib.aclosing(checked_files(request)))
            progress: Progress | None = None
            async for line in lines:
                match line:
                    case Begun():
                        files = line.files
                    case CheckedFile():
                        seen.add(line.uri)
                        if self._index.take(line):
                            self._tell(line.uri)
                    case Finished(problem) if problem:
                        _LOG.warning("%s", problem)
                        problems.append(problem)
                if progress is None and time.perf_counter() - started > _QUIET_SECONDS:
                    title = say("mindport: checking")
                    progress = Progress(self._server, title, Path(folder).name, counts=True)
                    await stack.enter_async_context(progress)
                    progress.when_cancelled(self._give_up)
                if progress is not None:
                    progress.report(len(seen) - before, files)

    def _give_up(self) -> None:
        """The user does not want it: until the command asks for it nothing happens, however often a client pulls."""
        self._is_wanted = self._is_asked_for = False
        self._is_given_up = True
        self._stop()

    def _stop(self) -> None:
        self._stop_timer()
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tell(self, uri: str) -> None:
        """The diagnostics of a file are new: wake who pulls them, or push them."""
        self._news.set()
        if not self._is_pulled and not self._is_open(uri) and uri not in self._notebooks:
            self._push(uri, self._index[uri].diagnostics)

    def _push(self, uri: str, diagnostics: str) -> None:
        if diagnostics == "[]" and uri not in self._pushed:
            return
        (self._pushed.discard if diagnostics == "[]" else self._pushed.add)(uri)
        self._server.pushed.push(uri, diagnostics)
