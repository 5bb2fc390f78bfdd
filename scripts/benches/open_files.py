"""A day in an editor: a project of any size with many files open, edited at random. How long the first marks take from
the start of the server, with the whole project checked before; how fast hovers and quick fixes come between the edits;
and whether an answer ever speaks of a text that is no longer there."""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benches.language_client import LanguageClient
from benches.measure import percentile

FILES = 40
EDITS = 10_000
_SEED = 25
_LARGEST = 60_000  # characters of a file that is opened
_AFTER = 40  # edits; then a file is as it was, or nothing in it would parse any more
_TYPED = ("x", "(", ")", ":", '"', "#", " ", "\n", "\n    ", "torch.std(x)", "块", "🧱", "import torch\n")
_NAME = re.compile(r"torch\.\w")
_DOTTED = re.compile(r"[\w.]+")
_QUIET_SECONDS = 2.0


class _Tab:
    """An open file, and its text as the editor has it."""

    def __init__(self, client: LanguageClient, file: Path) -> None:
        self._client, self._uri, self._version = client, file.as_uri(), 1
        self._first = self.text = file.read_text(encoding="utf-8")
        self._edits = 0
        item = {"uri": self._uri, "languageId": "python", "version": 1, "text": self.text}
        client.notify("textDocument/didOpen", {"textDocument": item})

    def edit(self, draw: random.Random) -> None:
        """Put something in or take something away, at any place."""
        self._edits += 1
        start = draw.randrange(len(self.text) + 1)
        end, new = (start, draw.choice(_TYPED)) if draw.random() < 0.6 else (start + draw.randrange(1, 9), "")
        end = min(end, len(self.text))
        change: dict[str, Any] = {
            "range": {"start": self._place(start), "end": self._place(end)},
            "text": new,
        }
        self.text = self.text[:start] + new + self.text[end:]
        if self._edits % _AFTER == 0:
            change, self.text = {"text": self._first}, self._first
        self._version += 1
        document = {"uri": self._uri, "version": self._version}
        self._client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def hover(self, draw: random.Random) -> tuple[float, str]:
        """The seconds that a card takes, and what is wrong with its place."""
        offset = self._name(draw)
        started = time.perf_counter()
        moment, card = self._client.ask("textDocument/hover", self._at(offset))
        wrong = ""
        if card and "range" in card:
            start, end = (self._offset(card["range"][which]) for which in ("start", "end"))
            # On a dotted name a card may stand over its last part.
            if not _DOTTED.fullmatch(self.text[min(start, offset) : end]) or not offset < end <= len(
                self.text
            ):
                wrong = f"a card for {self.text[start:end]!r} at {self.text[offset : offset + 20]!r}"
        return moment - started, wrong

    def quick_fixes(self, draw: random.Random) -> tuple[float, str]:
        """The seconds that the menu of fixes takes, and which of its edits are for another text."""
        place = self._place(self._name(draw))
        asked = {
            "textDocument": {"uri": self._uri},
            "range": {"start": place, "end": place},
            "context": {"diagnostics": [], "only": ["quickfix"]},
        }
        started = time.perf_counter()
        moment, actions = self._client.ask("textDocument/codeAction", asked)
        wrong = ""
        for action in actions or ():
            edit = action.get("edit") or {}
            for change in edit.get("documentChanges", ()):
                version = change.get("textDocument", {}).get("version")
                if version not in (None, self._version):
                    wrong = f"{action['title']!r} is for version {version} of {self._version}"
            for one in (edit.get("changes") or {}).get(self._uri, ()):
                if self._offset(one["range"]["end"]) > len(self.text):
                    wrong = f"{action['title']!r} ends behind the text"
        return moment - started, wrong

    def _name(self, draw: random.Random) -> int:
        """The offset of some name of torch."""
        places = [match.end() - 1 for match in _NAME.finditer(self.text)]
        return draw.choice(places) if places else 0

    def _at(self, offset: int) -> dict[str, Any]:
        return {"textDocument": {"uri": self._uri}, "position": self._place(offset)}

    def _place(self, offset: int) -> dict[str, int]:
        before = self.text[:offset]
        column = before[before.rfind("\n") + 1 :]
        return {"line": before.count("\n"), "character": len(column.encode("utf-16-le")) // 2}

    def _offset(self, place: dict[str, int]) -> int:
        start = 0
        for _ in range(place["line"]):
            start = self.text.find("\n", start) + 1
            if not start:
                return len(self.text) + 1
        line = self.text[start:].partition("\n")[0].encode("utf-16-le")
        if 2 * place["character"] > len(line):
            return len(self.text) + 1
        return start + len(line[: 2 * place["character"]].decode("utf-16-le", "replace"))


def run(project: Path, files: int = FILES, edits: int = EDITS) -> list[str]:
    """The figures, as lines of text."""
    project = project.resolve()
    draw = random.Random(_SEED)
    paths = sorted(project.rglob("*.py"))
    opened = _fit_to_open(paths, files, draw)
    with _server(project) as client:
        started = time.perf_counter()
        client.begin("workspace/executeCommand", {"command": "mindport.index"}).get()  # however long it takes
        indexed = time.perf_counter() - started
    report = [f"project of {len(paths):,} files, {len(opened)} of them open; checked in {indexed:.1f} s"]
    started = time.perf_counter()
    with _server(project) as client:
        tabs = [_Tab(client, opened[0])]
        report.append(
            f"  first marks  {client.diagnostics(1)[0] - started:.2f} s from the start of the server"
        )
        tabs += [_Tab(client, file) for file in opened[1:]]
        client.latest(_QUIET_SECONDS)
        hovers, fixes, wrong = [], [], []
        for _ in range(edits):
            tab = draw.choice(tabs)
            tab.edit(draw)
            for times, ask, share in ((hovers, tab.hover, 0.5), (fixes, tab.quick_fixes, 0.1)):
                if draw.random() < share:
                    seconds, problem = ask(draw)
                    times.append(seconds)
                    wrong += [problem] if problem else []
    report.append(f"  hover        {_figures(hovers)}")
    report.append(f"  quick fixes  {_figures(fixes)}")
    report.append(f"  stale        {len(wrong)} of {len(hovers) + len(fixes):,} answers in {edits:,} edits")
    return report + [f"    {problem}" for problem in wrong[:10]]


def _fit_to_open(paths: Sequence[Path], files: int, draw: random.Random) -> list[Path]:
    """Files that use torch and that somebody would open, in any order."""
    found = []
    for path in draw.sample(list(paths), len(paths)):
        text = path.read_bytes()
        if len(text) <= _LARGEST and b"\r" not in text and _NAME.search(text.decode("utf-8", "replace")):
            try:
                text.decode("utf-8")
            except UnicodeDecodeError:
                continue
            found.append(path)
        if len(found) == files:
            break
    return found


def _server(project: Path) -> LanguageClient:
    client = LanguageClient([sys.executable, "-m", "mindport", "server"])
    client.initialize(project)
    return client


def _figures(seconds: Sequence[float]) -> str:
    if not seconds:
        return "none"
    half, most = (percentile(seconds, share) * 1e3 for share in (0.5, 0.95))
    return f"{half:.1f}/{most:.1f} ms (p50/p95 of {len(seconds):,})"
