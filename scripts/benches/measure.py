"""Processor time of processes, and medians."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

_TICKS = os.sysconf("SC_CLK_TCK")


class Cost(msgspec.Struct, frozen=True):
    """What a process and its children took: seconds, and the most memory of one of them, in megabytes."""

    processor: float
    wall: float
    megabytes: float = 0.0


def processor_seconds(pid: int) -> float:
    """What a running process and its children have used."""
    total = 0.0
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / _TICKS
        for task in Path(f"/proc/{pid}/task").iterdir():
            total += sum(processor_seconds(int(child)) for child in (task / "children").read_text().split())
    except OSError:
        pass  # it ended meanwhile
    return total


def cost_of(command: Sequence[str], cwd: Path) -> Cost:
    """Run a command to its end; its children that it waited for are counted. Its exit code may be 0 or 1."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        if process.returncode not in (0, 1):
            raise RuntimeError(f"{command} failed: {errors.read().decode(errors='replace')}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def medians(measures: dict[str, Callable[[], Cost]], repeats: int) -> dict[str, Cost]:
    """Take every measure `repeats` times in turn, so that a busy moment of the machine meets all alike."""
    taken: dict[str, list[Cost]] = {name: [] for name in measures}
    for _ in range(repeats):
        for name, measure in measures.items():
            taken[name].append(measure())
    return {
        name: Cost(
            *(statistics.median(getattr(one, figure) for one in costs) for figure in Cost.__struct_fields__)
        )
        for name, costs in taken.items()
    }


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
