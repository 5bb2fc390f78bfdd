"""How a check grows with a project: monorepos of several sizes in one process, then the largest in shares, of which the
merged result has to be that of one run, byte for byte. `--repeats` is not asked: memory is the same each time, and
processor time grows by sizes here, not by machines."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from benches.monorepo import write_monorepo

SIZES = (50_000, 100_000, 200_000)
SHARES = 4
_MINDPORT = (sys.executable, "-m", "mindport")
_TARGET = ("--no-cache", "--jobs", "1", "--device", "CPU", "--target-version", "2.10")


class Use(msgspec.Struct, frozen=True):
    """What a process took: seconds of the processor, and the most memory, in megabytes."""

    seconds: float
    megabytes: float


def run(sizes: Sequence[int] = SIZES, shares: int = SHARES) -> list[str]:
    """The figures, as lines of text."""
    lines = [f"{'lines':>12}  {'processor':>10}  {'memory':>8}  in one process"]
    with tempfile.TemporaryDirectory(prefix="mindport-growth-") as work:
        for size in sizes:
            root = Path(work, str(size))
            write_monorepo(root, size)
            whole, use = _run(root, "check", ".", *_TARGET)
            lines.append(f"{size:12,}  {use.seconds:8.1f} s  {use.megabytes:5.0f} MB")
        files = [f"../{number}.share" for number in range(1, shares + 1)]
        uses = [
            _run(root, "check", ".", *_TARGET, "--shard", f"{number}/{shares}", "--output-file", file)[1]
            for number, file in enumerate(files, 1)
        ]
        for number, use in enumerate(uses, 1):
            lines.append(f"{f'share {number}/{shares}':>12}  {use.seconds:8.1f} s  {use.megabytes:5.0f} MB")
        merged, use = _run(root, "merge", *files)
        same = "equal to one run" if merged == whole else "NOT EQUAL to one run"
        lines.append(f"{'merge':>12}  {use.seconds:8.1f} s  {use.megabytes:5.0f} MB  {same}")
    return lines


def _run(folder: Path, *arguments: str) -> tuple[bytes, Use]:
    """What a command writes, and what it took. Its exit code may be 0 or 1."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [*_MINDPORT, *arguments], cwd=folder, stdout=output, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            raise RuntimeError(f"mindport {' '.join(arguments)} ended with {process.returncode}")
        output.seek(0)
        return output.read(), Use(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
