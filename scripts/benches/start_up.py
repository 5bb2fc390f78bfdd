"""Start-up: what a user waits for before anything is done, against a bare start of Python. With bytecode that an
earlier start has written, as an installation has it."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

from benches.language_client import LanguageClient
from benches.measure import Cost, cost_of, medians, processor_seconds


def run(repeats: int) -> list[str]:
    """The figures, as lines of text."""
    with tempfile.TemporaryDirectory() as name, mock.patch.dict(os.environ):
        folder = Path(name)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
        small = folder / "small.py"
        small.write_text("import torch\n\n\ndef f(x):\n    return torch.relu(x)\n", encoding="utf-8")
        mindport = [sys.executable, "-m", "mindport"]
        _marks([*mindport, "server"], small)
        measured = medians(
            {
                "python -c pass": lambda: cost_of([sys.executable, "-c", "pass"], folder),
                "mindport --version": lambda: cost_of([*mindport, "--version"], folder),
                "mindport check small.py": lambda: cost_of(
                    [*mindport, "check", "--no-cache", str(small)], folder
                ),
                "server until initialize": lambda: _initialize([*mindport, "server"]),
                "server until first marks": lambda: _marks([*mindport, "server"], small),
            },
            repeats,
        )
    base = measured["python -c pass"]
    report = [f"start-up: processor time, median of {repeats}"]
    for label, cost in measured.items():
        ratio = cost.processor / base.processor
        report.append(
            f"  {label:28} {cost.processor * 1e3:7.0f} ms {ratio:5.1f} x python  (wall {cost.wall * 1e3:.0f} ms)"
        )
    return report


def _initialize(command: list[str]) -> Cost:
    started = time.perf_counter()
    with LanguageClient(command) as client:
        client.initialize(Path(os.curdir))
        return Cost(processor_seconds(client.pid), time.perf_counter() - started)


def _marks(command: list[str], file: Path) -> Cost:
    started = time.perf_counter()
    with LanguageClient(command) as client:
        client.initialize(file.parent)
        item = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": file.read_text("utf-8")}
        client.notify("textDocument/didOpen", {"textDocument": item})
        client.diagnostics(1)
        return Cost(processor_seconds(client.pid), time.perf_counter() - started)
