#!/usr/bin/env python3
"""Says what the VS Code extension weighs, and how long a user of a real workbench waits from opening a first Python
file to its first diagnostics, part by part: median and range of several starts, each in a new window. An extension that
does nothing takes none of these parts. The processor time is what the server itself had used when the first squiggle
was seen: the parts also hold what the workbench does beside it.

With `--bundled` it is the server that the extension brings along, started by the first Python on PATH; the first start
then also compiles its modules, as a new user's does, and is told apart.

    scripts/setup editors && .venv/bin/python scripts/build_vsix.py
    .venv/bin/python scripts/measure_vscode.py [--bundled] [STARTS]"""

from __future__ import annotations

import os
import re
import statistics
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "tests" / "editors"))

from session import TEXT  # noqa: E402
from workbench import VSIX, Workbench, browser, eventually  # noqa: E402

_PART = re.compile(r"(server found|server started|first diagnostics) after (\d+) ms")
_PARTS = 3
_TICKS = os.sysconf("SC_CLK_TCK")


def main(starts: int, bundled: bool) -> None:
    """Start as often, then print."""
    processor: list[int] = []
    with tempfile.TemporaryDirectory(prefix="mindport-") as name, browser() as chromium:
        folder = Path(name)
        workbench = Workbench(folder, chromium)
        if bundled:
            workbench.use_interpreter("")
        try:
            for number in range(starts):
                project = folder / f"project{number}"
                project.mkdir()
                (project / "notes.txt").write_text("Nothing to do for the extension.\n", encoding="utf-8")
                (project / "model.py").write_text(TEXT, encoding="utf-8")
                before = workbench.servers()
                with workbench.window(project, "notes.txt") as window:
                    window.see(".tab.active", "notes.txt")
                    window.open("model.py")
                    window.see(".squiggly-warning")
                    processor.append(max(map(_processor_milliseconds, workbench.servers() - before)))
            # The log is written a little after the window shows what it tells of.
            told = eventually(
                lambda: _PART.findall(workbench.logs()), lambda rows: len(rows) >= _PARTS * starts
            )
        finally:
            workbench.close()
    parts: dict[str, list[int]] = {}
    for part, milliseconds in told:
        parts.setdefault(part, []).append(int(milliseconds))
    print(f"VSIX: {VSIX.stat().st_size / 1000:.0f} KB")
    for part, times in parts.items():
        print(f"{part}: {_summary(times)}")
    totals = [sum(times) for times in zip(*parts.values(), strict=True)]
    print(f"in all: {_summary(totals)}, {starts} starts; the first took {totals[0]} ms")
    print(f"of it processor time of the server: {_summary(processor)}")


def _processor_milliseconds(process: int) -> int:
    """Of a process so far, in user and system mode. Source: proc(5), fields 14 and 15 of `stat`."""
    after_name = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return 1000 * (int(after_name[11]) + int(after_name[12])) // _TICKS


def _summary(milliseconds: list[int]) -> str:
    return f"{statistics.median(milliseconds):.0f} ms ({min(milliseconds)} to {max(milliseconds)})"


if __name__ == "__main__":
    numbers = [word for word in sys.argv[1:] if word != "--bundled"]
    main(int(numbers[0]) if numbers else 5, "--bundled" in sys.argv)
