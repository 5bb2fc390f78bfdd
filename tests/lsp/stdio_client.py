"""A language client for the tests: starts a server and speaks the protocol's bytes with it, waiting on conditions with
a limit and never for a fixed time."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

Message = dict[str, Any]
LIMIT = 30.0  # seconds; only a server that hangs gets there


class Client:
    """One server process and what it has sent. Requests of the server get `answers[method]` (default: null)."""

    def __init__(self, *command: str, cwd: Path | None = None) -> None:
        self.process = subprocess.Popen(
            command or (sys.executable, "-m", "mindport", "server"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
        )
        self.answers: dict[str, Any] = {}
        self.received: list[Message] = []
        self._incoming: queue.Queue[Message | None] = queue.Queue()
        self._last_id = 0
        self._stderr: list[bytes] = []
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    # -- out

    def send_bytes(self, data: bytes) -> None:
        """Raw bytes, right or wrong."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send_body(self, body: bytes) -> None:
        """One frame with any body."""
        self.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

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
            try:
                message = self._incoming.get(timeout=LIMIT)
            except queue.Empty:
                raise AssertionError(f"no such message came; stderr: {self.errors()}") from None
            if message is None:
                raise AssertionError(f"the server ended; stderr: {self.errors()}")
            self.received.append(message)
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": self.answers.get(message["method"])})
            if wanted(message):
                return message

    def published(self, uri: str, version: int | None = None) -> list[Any]:
        """The next diagnostics that are pushed for a document (of a version)."""

        def is_wanted(message: Message) -> bool:
            params = message.get("params")
            return (
                message.get("method") == "textDocument/publishDiagnostics"
                and params["uri"] == uri
                and (version is None or params.get("version") == version)
            )

        found: list[Any] = self.wait(is_wanted)["params"]["diagnostics"]
        return found

    def errors(self) -> str:
        return b"".join(self._stderr).decode(errors="replace")

    # -- a session

    def start(self, capabilities: Message | None = None, **params: Any) -> Message:
        """`initialize` and `initialized`; the result of the first."""
        result: Message = self.result(
            "initialize", {"processId": None, "rootUri": None, "capabilities": capabilities or {}, **params}
        )
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "python", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: Any) -> None:
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)},
        )

    def close(self) -> int:
        """Close the server's input; its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(LIMIT)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()).strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            body = stream.read(length) if line else b""
            if not body:
                self._incoming.put(None)
                return
            self._incoming.put(json.loads(body))

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._stderr.append(line)
