"""A language client that notes when each message came."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

_LIMIT = 120.0  # seconds; only a server that hangs gets there


class LanguageClient:
    """A server process, spoken to through its pipes. Diagnostics are pushed to it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._answers: dict[int, queue.Queue[tuple[float, Any]]] = {}
        self._diagnostics: queue.Queue[tuple[float, Any]] = queue.Queue()
        self._last_id = 0
        self.publications = 0
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        """The server's process."""
        return self._process.pid

    def __enter__(self) -> LanguageClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def initialize(self, root: Path) -> None:
        """Introduce ourselves as an editor that wants diagnostics pushed."""
        uri = root.absolute().as_uri()
        capabilities = {
            "general": {"positionEncodings": ["utf-16"]},
            "textDocument": {
                "publishDiagnostics": {"versionSupport": True},
                "hover": {"contentFormat": ["markdown"]},
            },
        }
        self.ask("initialize", {"processId": os.getpid(), "rootUri": uri, "capabilities": capabilities})
        self.notify("initialized", {})

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def begin(self, method: str, params: Any) -> queue.Queue[tuple[float, Any]]:
        """Send a request; the queue gets the time and the result."""
        self._last_id += 1
        answer = self._answers[self._last_id] = queue.Queue()
        self._send({"id": self._last_id, "method": method, "params": params})
        return answer

    def ask(self, method: str, params: Any) -> tuple[float, Any]:
        """Send a request and wait; when the answer came, and its result."""
        return self.begin(method, params).get(timeout=_LIMIT)

    def diagnostics(self, version: int) -> tuple[float, list[Any]]:
        """Wait for the diagnostics of a version; when they came, and what they are."""
        while True:
            moment, params = self._diagnostics.get(timeout=_LIMIT)
            if params.get("version") == version:
                return moment, params["diagnostics"]

    def latest(self, seconds: float) -> list[Any] | None:
        """The last diagnostics that come before nothing came for some time."""
        found = None
        while True:
            try:
                found = self._diagnostics.get(timeout=seconds)[1]["diagnostics"]
            except queue.Empty:
                return found

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()).strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not line:
                return
            message = json.loads(stream.read(length))
            moment = time.perf_counter()
            if message.get("method") == "textDocument/publishDiagnostics":
                self.publications += 1
                self._diagnostics.put((moment, message["params"]))
            elif "method" in message and "id" in message:
                items = message.get("params", {}).get("items", []) if message.get("params") else []
                answer = [None for _ in items] if message["method"] == "workspace/configuration" else None
                self._send({"id": message["id"], "result": answer})
            elif "id" in message:
                self._answers.pop(message["id"]).put((moment, message.get("result")))
