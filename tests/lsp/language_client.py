"""Language clients for the tests: one that starts a server and speaks through its pipes, and one that speaks with a
server in this process. Both wait on conditions, with a limit and never for a fixed time."""

from __future__ import annotations

import asyncio
import functools
import json
import queue
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from mindport.lsp.protocol import message_converter
from mindport.lsp.serve import create_server
from mindport.lsp.server import MindportServer

Message = dict[str, Any]
LIMIT = 30.0  # seconds; only a server that hangs gets there
SETTINGS = {"device": "CPU", "targetVersion": "2.10.0"}
# What reads and writes the messages compiles itself bit by bit and knows nothing of a connection: once for all servers.
_shared_converter = functools.cache(message_converter)


class Client(ABC):
    """What both clients share. Requests of the server get `answers[method]` (default: null)."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.received: list[Message] = []
        self._last_id = 0

    @abstractmethod
    def send_body(self, body: bytes) -> None:
        """Send one frame with any body."""

    @abstractmethod
    def next_message(self) -> Message:
        """Wait for the next message of the server."""

    # -- out

    def send(self, message: Message) -> None:
        self.send_body(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Message:
        """The whole response to a request."""
        self._last_id += 1
        identifier = self._last_id
        self.send({"id": identifier, "method": method, "params": params})
        return self.wait(lambda message: message.get("id") == identifier and "method" not in message)

    def result(self, method: str, params: Any) -> Any:
        """The result of a request that must succeed."""
        response = self.ask(method, params)
        assert "error" not in response, response
        return response["result"]

    # -- in

    def wait(self, wanted: Callable[[Message], bool]) -> Message:
        """The next message that is wanted; the others are kept in `received`."""
        while True:
            message = self.next_message()
            self.received.append(message)
            if "method" in message and "id" in message:
                answer = self.answers.get(message["method"])
                self.send({"id": message["id"], "result": answer})
            if wanted(message):
                return message

    def wait_for(self, method: str) -> Any:
        """The parameters of the next message with this method."""
        return self.wait(lambda message: message.get("method") == method)["params"]

    def first(self, method: str) -> Any:
        """The parameters of the first message with this method, received already or to come."""
        for message in self.received:
            if message.get("method") == method:
                return message["params"]
        return self.wait_for(method)

    def published(self, uri: str, version: int | None = None) -> list[Any]:
        """The next diagnostics that are pushed for a document (of a version)."""
        while True:
            params = self.wait_for("textDocument/publishDiagnostics")
            if params["uri"] == uri and version in (None, params.get("version")):
                found: list[Any] = params["diagnostics"]
                return found

    # -- a session

    def start(self, capabilities: Message | None = None, **params: Any) -> Message:
        """`initialize` and `initialized`; the result of the first."""
        usual = {"processId": None, "rootUri": None, "initializationOptions": SETTINGS}
        result: Message = self.result("initialize", {**usual, "capabilities": capabilities or {}, **params})
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "python", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: Any) -> None:
        identifier = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": list(changes)})

    def actions(self, uri: str, place: Message, only: Sequence[str] | None = None) -> list[Any]:
        """The code actions for a range, without the diagnostics there."""
        context: Message = {"diagnostics": []} if only is None else {"diagnostics": [], "only": list(only)}
        params = {"textDocument": {"uri": uri}, "range": place, "context": context}
        found: list[Any] = self.result("textDocument/codeAction", params)
        return found

    def hover(self, uri: str, line: int, character: int) -> Any:
        """The hover at a place."""
        position = {"line": line, "character": character}
        return self.result("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})


class ProcessClient(Client):
    """A client of a server process."""

    def __init__(self) -> None:
        super().__init__()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mindport", "server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._incoming: queue.Queue[Message | None] = queue.Queue()
        self._errors: list[bytes] = []
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def send_bytes(self, data: bytes) -> None:
        """Bytes that need not be a frame."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send_body(self, body: bytes) -> None:
        self.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def next_message(self) -> Message:
        message = self._incoming.get(timeout=LIMIT)
        assert message is not None, f"the server ended: {b''.join(self._errors).decode()}"
        return message

    def close(self) -> int:
        """Close the server's input; its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(LIMIT)

    def __enter__(self) -> ProcessClient:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()).strip():
                if line.startswith(b"Content-Length:"):
                    length = int(line.split(b":")[1])
            body = stream.read(length) if line else b""
            self._incoming.put(json.loads(body) if body else None)
            if not body:
                return

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self._errors.extend(self.process.stderr)


class InnerClient(Client):
    """A client of a server in this process: everything but the pipes."""

    def __init__(self) -> None:
        super().__init__()
        self.server: MindportServer = create_server(_shared_converter)
        self._loop = asyncio.new_event_loop()
        self._incoming: asyncio.Queue[bytes] = asyncio.Queue()
        self.server.protocol.ended = self._loop.create_future()
        self.server.protocol.set_writer(self)

    def write(self, data: bytes) -> None:
        """Take what the server writes; it writes one frame at a time."""
        self._incoming.put_nowait(data.split(b"\r\n\r\n", 1)[1])

    def send_body(self, body: bytes) -> None:
        self._loop.call_soon(self.server.protocol.receive, body)

    def next_message(self) -> Message:
        body = self._loop.run_until_complete(asyncio.wait_for(self._incoming.get(), LIMIT))
        message: Message = json.loads(body)
        return message

    def close(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.close()


def place(
    line: int, character: int, end_line: int | None = None, end_character: int | None = None
) -> Message:
    """A range; without an end, an empty one."""
    return {
        "start": {"line": line, "character": character},
        "end": {
            "line": line if end_line is None else end_line,
            "character": character if end_character is None else end_character,
        },
    }


def applied(text: str, edits: Sequence[Any], encoding: str = "utf-16") -> str:
    """The text with a client's edits made, places counted as the client does."""
    lines = text.splitlines(keepends=True) or [""]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def offset(position: Message) -> int:
        if position["line"] >= len(lines):
            return len(text)
        line = lines[position["line"]]
        width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
        codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
        before = line.encode(codec)[: position["character"] * width]
        return starts[position["line"]] + len(before.decode(codec))

    placed = sorted(
        ((offset(edit["range"]["start"]), offset(edit["range"]["end"]), edit["newText"]) for edit in edits),
        reverse=True,
    )
    for start, end, new in placed:
        text = text[:start] + new + text[end:]
    return text


def edits_of(action: Message, uri: str) -> list[Any]:
    """The edits of an action for a document, in whichever form they come."""
    edit = action["edit"]
    if "documentChanges" in edit:
        (change,) = edit["documentChanges"]
        assert change["textDocument"]["uri"] == uri
        found: list[Any] = change["edits"]
    else:
        found = edit["changes"][uri]
    return found
