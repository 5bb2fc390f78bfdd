"""The check of a whole workspace in the background: how long it takes in a large repository, and how long hover and
keys take meanwhile."""

from __future__ import annotations

import queue
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from benches.language_client import LanguageClient
from benches.measure import percentile
from benches.typing_speed import place_to_type

_BETWEEN_SECONDS = 0.1
_QUIET_SECONDS = 3.0
_MOST = 400  # hovers and keys; it goes on for minutes


class Indexing(msgspec.Struct, frozen=True):
    """One check: its seconds, what it found, and the seconds of hovers and keys meanwhile."""

    seconds: float
    found: dict[str, int]
    hovers: tuple[float, ...]
    keys: tuple[float, ...]


class _Typist:
    """Types and looks in one file."""

    def __init__(self, client: LanguageClient, file: Path) -> None:
        text = file.read_text(encoding="utf-8")
        self._client = client
        self._uri = file.as_uri()
        self._version = 1
        line, column = place_to_type(text)
        lines = text.split("\n")
        lines.insert(line, " " * column)
        self._end = {"line": line, "character": column}
        place = next(number for number, content in enumerate(lines) if "torch." in content and number != line)
        self._hover = {
            "textDocument": {"uri": self._uri},
            "position": {"line": place, "character": lines[place].index("torch.") + 7},
        }
        item = {"uri": self._uri, "languageId": "python", "version": 1, "text": "\n".join(lines)}
        client.notify("textDocument/didOpen", {"textDocument": item})
        client.diagnostics(1)
        client.latest(_QUIET_SECONDS)

    def hover(self) -> float:
        """The seconds that a hover takes."""
        started = time.perf_counter()
        return self._client.ask("textDocument/hover", self._hover)[0] - started

    def key(self) -> float:
        """The seconds from a key to its diagnostics."""
        self._version += 1
        place = {"range": {"start": self._end, "end": self._end}, "text": "x"}
        started = time.perf_counter()
        self._client.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": self._uri, "version": self._version}, "contentChanges": [place]},
        )
        return self._client.diagnostics(self._version)[0] - started

    def work_until(self, done: queue.Queue[tuple[float, Any]] | None) -> tuple[list[float], list[float]]:
        """The hovers and keys until something is there, or a few where there is nothing to wait for."""
        hovers: list[float] = []
        keys: list[float] = []
        while len(hovers) < (_MOST if done is not None else 40) and (done is None or done.empty()):
            hovers.append(self.hover())
            keys.append(self.key())
            time.sleep(_BETWEEN_SECONDS)
        return hovers, keys


def session(package: Path, file: str) -> tuple[Indexing, list[float], list[float]]:
    """Open a file, check the workspace, and go on typing meanwhile; with the hovers and keys before that."""
    with LanguageClient([sys.executable, "-m", "mindport", "server"]) as client:
        client.initialize(package)
        typist = _Typist(client, package / file)
        hovers, keys = typist.work_until(None)
        started = time.perf_counter()
        answer = client.begin("workspace/executeCommand", {"command": "mindport.index"})
        meanwhile = typist.work_until(answer)
        moment, found = answer.get()
        return Indexing(moment - started, found, *map(tuple, meanwhile)), hovers, keys


def run(package: Path, file: str) -> list[str]:
    """The figures, as lines of text."""
    shutil.rmtree(package / ".mindport_cache", ignore_errors=True)
    first, hovers, keys = session(package, file)
    again, _, _ = session(package, file)
    report = [f"workspace of {first.found['files']:,} files, while typing in {file}"]
    for name, one in {"first check": first, "after a restart": again}.items():
        report.append(f"  {name:15} {one.seconds:6.1f} s: {one.found}")
    report.append(f"  hover        before {_pair(hovers)}, during the first check {_pair(first.hovers)}")
    report.append(f"  key to marks before {_pair(keys)}, during the first check {_pair(first.keys)}")
    return report


def _pair(seconds: Sequence[float]) -> str:
    return f"{percentile(seconds, 0.5) * 1e3:.1f}/{percentile(seconds, 0.95) * 1e3:.1f} ms (p50/p95 of {len(seconds)})"
