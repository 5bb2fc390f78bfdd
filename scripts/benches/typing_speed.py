"""Typing in a long file: what a key costs the server against `ruff server`, how fast hover answers, whether fast typing
leaves a backlog, and which diagnostics survive a line that does not parse."""

from __future__ import annotations

import ast
import shutil
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from benches.language_client import LanguageClient
from benches.measure import percentile, processor_seconds

TYPED = "y = torch.nn.functional.softmax(x, dim=1)"
_KEY_INTERVAL = 0.04  # seconds; a held key repeats about as fast
_QUIET = 1.0  # seconds without news, after which a server has settled


class Session(msgspec.Struct, frozen=True):
    """What one session measured, in seconds."""

    per_key: float
    latencies: tuple[float, ...]
    hovers: tuple[float, ...]
    burst_hovers: tuple[float, ...]
    after_burst: float
    kept: float  # share of the diagnostics outside the typed line that stayed in each broken state, the least
    invented: int  # diagnostics elsewhere that only a broken state had
    shown: int


def place_to_type(text: str) -> tuple[int, int]:
    """The 0-based line and the column of a statement inside a function near the middle of the file."""
    middle = text.count("\n") / 2
    places = [
        (statement.lineno - 1, statement.col_offset)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
        for statement in node.body[1:]
    ]
    return min(places, key=lambda place: abs(place[0] - middle))


def session(command: Sequence[str], file: Path, root: Path) -> Session:
    """Open the file, type a line key by key, delete it, type it again at speed."""
    text = file.read_text(encoding="utf-8")
    line, column = place_to_type(text)
    lines = text.split("\n")
    lines.insert(line, " " * column)
    text = "\n".join(lines)
    hover_line = next(
        number for number, content in enumerate(lines) if "torch." in content and number != line
    )
    uri = file.as_uri()
    hover = {
        "textDocument": {"uri": uri},
        "position": {"line": hover_line, "character": lines[hover_line].index("torch.") + 7},
    }
    with LanguageClient(command) as client:
        client.initialize(root)
        item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": item})
        # The first diagnostics may wait for what the file imports; only what comes after that is the cost of a key.
        _, first = client.diagnostics(1)
        settled = client.latest(_QUIET) or first
        version = 1

        def key(at: int, new: str, deleted: int = 0) -> float:
            nonlocal version
            version += 1
            start = {"line": line, "character": at}
            change = {"range": {"start": start, "end": {**start, "character": at + deleted}}, "text": new}
            moment = time.perf_counter()
            client.notify(
                "textDocument/didChange",
                {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]},
            )
            return moment

        latencies, hovers, kept, invented = [], [], [1.0], 0
        usual = _faces(settled, line)
        before = processor_seconds(client.pid)
        for number, letter in enumerate(TYPED):
            moment = key(column + number, letter)
            arrival, diagnostics = client.diagnostics(version)
            latencies.append(arrival - moment)
            present = _faces(diagnostics, line)
            if usual:
                kept.append(len(usual & present) / len(usual))
            invented = max(invented, len(present - usual))
            if number % 3 == 2:
                moment = time.perf_counter()
                hovers.append(client.ask("textDocument/hover", hover)[0] - moment)
        per_key = (processor_seconds(client.pid) - before) / len(TYPED)
        key(column, "", len(TYPED))
        client.diagnostics(version)

        waiting = []
        due = time.perf_counter()
        for number, letter in enumerate(TYPED):
            moment = key(column + number, letter)
            if number % 5 == 4:
                waiting.append((time.perf_counter(), client.begin("textDocument/hover", hover)))
            due += _KEY_INTERVAL
            time.sleep(max(0.0, due - time.perf_counter()))
        after_burst = client.diagnostics(version)[0] - moment
        burst_hovers = [answer.get()[0] - asked for asked, answer in waiting]
    return Session(
        per_key,
        tuple(latencies),
        tuple(hovers),
        tuple(burst_hovers),
        after_burst,
        min(kept),
        invented,
        len(settled),
    )


def _faces(diagnostics: list[dict[str, object]], line: int) -> set[str]:
    """What the user sees, but for the typed line."""
    return {
        msgspec.json.encode((one["range"], one.get("code"), one["message"])).decode()
        for one in diagnostics
        if one["range"]["start"]["line"] != line  # type: ignore[index]
    }


def run(package: Path, file: str, repeats: int) -> list[str]:
    """The figures, as lines of text."""
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or "ruff"
    commands = {"mindport": [sys.executable, "-m", "mindport", "server"], "ruff": [ruff, "server"]}
    found: dict[str, list[Session]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            found[name].append(session(command, package / file, package))
    report = [
        f"typing in {file}: {(package / file).read_bytes().count(10):,} lines, {len(TYPED)} keys, "
        f"median of {repeats} sessions"
    ]
    costs = {name: statistics.median(one.per_key for one in sessions) for name, sessions in found.items()}
    for name, sessions in found.items():
        hovers = [moment for one in sessions for moment in one.hovers]
        burst = [moment for one in sessions for moment in one.burst_hovers]
        latencies = [moment for one in sessions for moment in one.latencies]
        report.append(
            f"  {name:9} {costs[name] * 1e3:5.1f} ms processor per key, key to diagnostics {_pair(latencies)}, "
            f"hover {_pair(hovers)}, while typing fast {_pair(burst)}, "
            f"after the last fast key {statistics.median(one.after_burst for one in sessions) * 1e3:.0f} ms"
        )
    own = found["mindport"]
    report.append(f"  processor per key: {costs['mindport'] / costs['ruff']:.2f} x ruff")
    report.append(
        f"  of {own[0].shown} diagnostics outside the line, at least {min(one.kept for one in own):.1%} stay in every "
        f"state of it; {max(one.invented for one in own)} others appear"
    )
    return report


def _pair(seconds: Sequence[float]) -> str:
    if not seconds:
        return "none"
    return f"{percentile(seconds, 0.5) * 1e3:.1f}/{percentile(seconds, 0.95) * 1e3:.1f} ms (p50/p95)"
