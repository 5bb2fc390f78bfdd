"""Differentiates what the user names twice with the installed MindSpore, on request: it runs the user's code."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from lsprotocol import types

from mindport.config.interpreter import installed_mindspore, project_interpreter
from mindport.explain.double_gradient import double_gradient_sentence, double_gradient_text, is_right
from mindport.lsp.document import Document
from mindport.lsp.folder import Folder
from mindport.lsp.probing import ask_probe
from mindport.lsp.progress import Progress
from mindport.lsp.server import MindportServer
from mindport.model.language import say
from mindport.registry.bprops import second_order_facts
from mindport.registry.probe import ProbeFailure
from mindport.source.text import SourceText, read_source

SECONDS = 300.0


def can_run(folder: Folder) -> bool:
    """Whether there is a MindSpore to run the project's code with; found by looking at folders."""
    return installed_mindspore(folder.settings.interpreter, Path(folder.root), os.environ) is not None


class DoubleGradient:
    """The runs of one connection: one at a time."""

    def __init__(self, server: MindportServer) -> None:
        self._server = server
        self._task: asyncio.Task[None] | None = None

    def begin(self, document: Document, entry: str) -> None:
        """Start a run; what it shows is told in a message."""
        folder = self._server.session.folder_of(document)
        with folder.engine.speaking():  # the run, too: a task speaks as who makes it
            self._begin(document, entry, folder)

    def _begin(self, document: Document, entry: str, folder: Folder) -> None:
        if self._task is not None and not self._task.done():
            self._tell(say("another function is being differentiated; wait for it or cancel it"))
            return
        source = read_source(document.path, folder.settings.max_file_bytes)
        if not isinstance(source, SourceText) or source.text != document.text:
            name = Path(document.path).name
            self._tell(say("save {name} first: what runs is the file on the disk", name=name))
            return
        # Chosen by the user or not: the action that begins this says that it runs the project's code.
        interpreter = project_interpreter(folder.loaded, os.environ)
        if interpreter is None:
            self._tell(say("no Python interpreter found: name one in the setting `interpreter`"))
            return
        self._task = asyncio.get_running_loop().create_task(
            self._run(document, entry, folder, interpreter.path)
        )

    async def _run(self, document: Document, entry: str, folder: Folder, interpreter: Path) -> None:
        request: dict[str, object] = {
            "file": document.path,
            "entry": entry,
            "inputs": None,
            "device": folder.target.device.value,
            "path": [folder.root],
        }
        title = say("mindport: differentiating `{entry}` twice", entry=entry)
        detail = say("with {interpreter}", interpreter=interpreter)
        async with Progress(self._server, title, detail) as progress:
            answer = await progress.unless_cancelled(
                ask_probe(interpreter, "double_gradient", request, SECONDS)
            )
        if answer is None:
            return
        if isinstance(answer, ProbeFailure):
            reason = answer.reason
            self._tell(say("`{entry}` could not be differentiated: {reason}", entry=entry, reason=reason))
            return
        facts = second_order_facts(folder.target.version)
        told = (answer.content, folder.target.device, facts)
        self._server.window_log_message(
            types.LogMessageParams(types.MessageType.Info, f"{entry}: {double_gradient_text(*told)}")
        )
        kind = types.MessageType.Info if is_right(answer.content) else types.MessageType.Warning
        self._server.show(kind, f"mindport: {double_gradient_sentence(entry, *told)}")

    def _tell(self, text: str) -> None:
        self._server.show(types.MessageType.Warning, f"mindport: {text}")
