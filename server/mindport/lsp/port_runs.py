"""Ports and trials that the user asks for: one at a time, with progress and a way to cancel."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from mindport.config.interpreter import project_interpreter
from mindport.config.load import load_settings
from mindport.config.problem import ConfigurationError
from mindport.lsp.document import path_of_uri
from mindport.lsp.own_process import start
from mindport.lsp.port_messages import (
    Answer,
    Cancelled,
    Failure,
    Line,
    Ported,
    PortRequest,
    Request,
    TrialRequest,
)
from mindport.lsp.progress import Progress
from mindport.lsp.server import MindportServer
from mindport.lsp.survey_messages import Advance, SurveyRefusal
from mindport.model.language import say
from mindport.prove.trial import original_of

TRIAL_SOURCE = "mindport try"
_SECONDS_TO_END = 15.0  # for a trial to end what it started
_decoder = msgspec.json.Decoder(Line)


class PortRuns:
    """The ports and trials of one connection."""

    def __init__(self, server: MindportServer) -> None:
        self._server = server
        self._is_busy = False
        self._offers: set[asyncio.Task[None]] = set()

    async def port(self, source_uri: str, destination_uri: str) -> Answer:
        """Port a folder of the workspace, show PORT.md and offer to try the port. What keeps it from that is told,
        too."""
        source, destination = path_of_uri(source_uri), path_of_uri(destination_uri)
        if not self._is_in_workspace(source):
            return self._refused(_outside(source))
        overrides = dict(self._server.session.settings.of_directory(str(source)))
        language = self._server.session.abilities.language
        request = PortRequest(
            source=str(source), destination=str(destination), overrides=overrides, language=language
        )
        answer = await self._run(request, say("mindport: porting"), source.name)
        if isinstance(answer, Ported):
            offer = asyncio.get_running_loop().create_task(self._offer(answer))
            self._offers.add(offer)
            offer.add_done_callback(self._offers.discard)
        return answer

    async def try_port(self, folder_uri: str, file_uri: str = "") -> Answer:
        """Try a port, or one file of it, which may be named as the file of the original. Its failures become
        diagnostics; what else there is to say is told."""
        folder = path_of_uri(folder_uri)
        if not folder.is_dir():
            return self._refused(say("{folder}: no such file or directory", folder=folder))
        source = original_of(folder, None)
        if not self._is_in_workspace(folder) and (source is None or not self._is_in_workspace(source)):
            return self._refused(_outside(folder))
        file = ""
        if file_uri:
            place = path_of_uri(file_uri)
            roots = [root for root in (folder, source) if root is not None]
            relative = _below(place, roots)
            if relative is None or not (folder / relative).is_file():
                return self._refused(say("{folder} has no port of {file}", folder=folder, file=place))
            file = relative
        session = self._server.session
        overrides = dict(session.settings.of_directory(str(source or folder)))
        try:
            interpreter = await self._interpreter(source or folder, overrides)
        except ConfigurationError as error:
            return self._refused(str(error))
        if isinstance(interpreter, SurveyRefusal):
            return self._refused(interpreter.reason)
        request = TrialRequest(
            folder=str(folder),
            file=file,
            interpreter=str(interpreter),
            encoding=session.abilities.encoding,
            overrides=overrides,
            language=session.abilities.language,
        )
        return await self._run(request, say("mindport: trying"), file or folder.name)

    async def _run(self, request: Request, title: str, name: str) -> Answer:
        if self._is_busy:
            return self._refused(say("another port or trial is running; wait for it or cancel it"))
        self._is_busy = True
        try:
            if isinstance(request, TrialRequest):
                self._mark(())  # those of the last trial say nothing of this one
            async with Progress(self._server, title, name, counts=True) as progress:
                answer = await _answer(request, progress)
        finally:
            self._is_busy = False
        if isinstance(answer, SurveyRefusal):
            return self._refused(answer.reason)
        if not isinstance(answer, (Ported, Cancelled)):
            self._mark(answer.failures)
            kind = types.MessageType.Warning if answer.failures else types.MessageType.Info
            self._server.show(kind, f"mindport: {answer.lines[0]}")
            shown = "\n".join(answer.lines)
            self._server.window_log_message(types.LogMessageParams(types.MessageType.Info, shown))
        return answer

    def _mark(self, failures: Iterable[Failure]) -> None:
        marks: dict[str, list[object]] = {}
        for one in failures:
            first, last = ({"line": one.line, "character": column} for column in (one.start, one.end))
            severity = types.DiagnosticSeverity.Error.value
            mark = {"range": {"start": first, "end": last}, "severity": severity}
            marks.setdefault(one.uri, []).append({**mark, "source": TRIAL_SOURCE, "message": one.message})
        self._server.pushed.push_failures({uri: json.dumps(own) for uri, own in marks.items()})

    async def _interpreter(self, project: Path, overrides: dict[str, object]) -> Path | SurveyRefusal:
        """The Python of a project. One that the user has neither named nor activated is asked about. Raises
        ConfigurationError."""
        language = self._server.session.abilities.language
        loaded = load_settings(project, overrides, "the editor's settings", language=language)
        found = project_interpreter(loaded, os.environ)
        if found is None:
            return SurveyRefusal(say("no Python interpreter found: name one in the setting `interpreter`"))
        yes = say("Start It")
        question = say("{interpreter} comes with the project. Start it?", interpreter=found.path)
        if found.is_chosen or await self._agrees(question, yes):
            return found.path
        return SurveyRefusal(say("nothing was started: name a Python in the setting `interpreter`"))

    async def _offer(self, ported: Ported) -> None:
        """Show PORT.md, and try the port where the user says so."""
        if ported.report and self._server.session.abilities.opens_links:  # the same ability opens files
            self._server.window_show_document(types.ShowDocumentParams(uri=ported.report, take_focus=True))
        with self._server.session.speaking():
            if await self._agrees(f"mindport: {ported.summary}", say("Try the Port (runs its code)")):
                await self.try_port(ported.destination)

    async def _agrees(self, text: str, yes: str) -> bool:
        """Whether the user chooses the one answer to a message; a client that cannot ask says no."""
        params = types.ShowMessageRequestParams(
            type=types.MessageType.Info, message=text, actions=[types.MessageActionItem(yes)]
        )
        try:
            chosen = await self._server.window_show_message_request_async(params)
        except JsonRpcException:
            return False
        return chosen is not None and chosen.title == yes

    def _is_in_workspace(self, path: Path) -> bool:
        workspace = self._server.workspace
        uris = list(workspace.folders) or [*filter(None, [workspace.root_uri])]
        return _below(path, map(path_of_uri, uris)) is not None

    def _refused(self, reason: str) -> SurveyRefusal:
        self._server.show(types.MessageType.Error, f"mindport: {reason}")
        return SurveyRefusal(reason)


async def _answer(request: Request, progress: Progress) -> Answer:
    """What the process answers; a cancelled one is let end in its own way. Never raises for what the code does."""
    process = await start("mindport.lsp.port_process", keeps_errors=True)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    errors = asyncio.ensure_future(process.stderr.read())
    progress.when_cancelled(process.stdin.close)
    try:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(msgspec.json.encode(request) + b"\n")
            await process.stdin.drain()
        async for line in process.stdout:
            said: Line = _decoder.decode(line)
            if not isinstance(said, Advance):
                return said
            progress.report(said.done, said.of)
        last = (await errors).decode("utf-8", "replace").strip().splitlines()
        return SurveyRefusal(last[-1] if last else say("it ended without an answer"))
    finally:
        process.stdin.close()
        errors.cancel()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(process.wait(), _SECONDS_TO_END)
        with contextlib.suppress(ProcessLookupError):
            process.kill()


def _outside(path: Path) -> str:
    return say("{file} lies outside of the workspace, and is no port of what is in it", file=path)


def _below(path: Path, folders: Iterable[Path]) -> str | None:
    """The way to a path, with links followed, from the first of the folders that holds it or is it."""
    real = Path(os.path.realpath(path))
    roots = (Path(os.path.realpath(folder)) for folder in folders)
    return next((real.relative_to(root).as_posix() for root in roots if root in (real, *real.parents)), None)
