"""Processor time of processes, and medians."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

_TICKS = os.sysconf("SC_CLK_TCK")


class Cost(msgspec.Struct, frozen=True):
    """What a process took, in seconds."""

    processor: float
    wall: float


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
    before, started = _children(), time.perf_counter()
    run = subprocess.run(
        command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False
    )
    cost = Cost(_children() - before, time.perf_counter() - started)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"{command} failed: {run.stderr}")
    return cost


def _children() -> float:
    """The processor time of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def medians(measures: dict[str, Callable[[], Cost]], repeats: int) -> dict[str, Cost]:
    """Take every measure `repeats` times in turn, so that a busy moment of the machine meets all alike."""
    taken: dict[str, list[Cost]] = {name: [] for name in measures}
    for _ in range(repeats):
        for name, measure in measures.items():
            taken[name].append(measure())
    return {
        name: Cost(
            statistics.median(one.processor for one in costs), statistics.median(one.wall for one in costs)
        )
        for name, costs in taken.items()
    }


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
