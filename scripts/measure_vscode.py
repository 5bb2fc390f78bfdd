#!/usr/bin/env python3
"""Says what the VS Code extension weighs, and how long a real workbench waits for the first diagnostics of the file
that it opens with, part by part: median and range of several starts. An extension that does nothing takes none of
these parts.

    scripts/setup editors && npm --prefix client-vscode run check
    .venv/bin/python scripts/measure_vscode.py [STARTS]"""

from __future__ import annotations

import functools
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


def main(starts: int) -> None:
    """Start as often, then print."""
    parts: dict[str, list[int]] = {}
    with tempfile.TemporaryDirectory(prefix="mindport-") as name, browser() as chromium:
        folder = Path(name)
        workbench = Workbench(folder, chromium)
        try:
            for number in range(starts):  # the logs of earlier windows stay
                project = folder / f"project{number}"
                project.mkdir()
                (project / "model.py").write_text(TEXT, encoding="utf-8")
                with workbench.window(project, "model.py") as window:
                    window.see(".squiggly-warning")
                # The log is written a little after the window shows what it tells of.
                told = eventually(
                    lambda: _PART.findall(workbench.logs()), functools.partial(_has, 3 * (number + 1))
                )
                for part, milliseconds in told[-3:]:
                    parts.setdefault(part, []).append(int(milliseconds))
        finally:
            workbench.close()
    print(f"VSIX: {VSIX.stat().st_size / 1000:.0f} KB")
    for part, times in parts.items():
        print(f"{part}: {statistics.median(times):.0f} ms ({min(times)} to {max(times)})")
    totals = [sum(times) for times in zip(*parts.values(), strict=True)]
    print(f"in all: {statistics.median(totals):.0f} ms ({min(totals)} to {max(totals)}), {starts} starts")


def _has(count: int, rows: list[tuple[str, str]]) -> bool:
    return len(rows) >= count


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
