"""The processes below this one: which there are, how much memory they hold, and their end, also of those whose parent
has gone."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

_TURN = 0.01
_BECOME_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux


def take_orphans() -> None:
    """Become the parent of what is left behind below this process, where the system has that."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_BECOME_SUBREAPER, 1, 0, 0, 0)


def descendants() -> list[int]:
    """The processes below this one."""
    below: dict[int, list[int]] = {}
    for process, parent in _parents():
        below.setdefault(parent, []).append(process)
    found, waiting = [], list(below.get(os.getpid(), ()))
    while waiting:
        process = waiting.pop()
        found.append(process)
        waiting += below.get(process, ())
    return found


def end_descendants() -> None:
    """Kill them all and collect those that are ours. What they start meanwhile goes, too."""
    for _ in range(100):
        alive = descendants()
        if not alive:
            break
        for process in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(_TURN)


def memory_of(process: int) -> int:
    """The bytes of memory that a process holds; 0 where the system does not tell."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _parents() -> Iterator[tuple[int, int]]:
    """Each process with its parent."""
    if not os.path.isdir("/proc/self"):  # noqa: PTH112
        listed = subprocess.run(["ps", "-axo", "pid=,ppid="], capture_output=True, check=False).stdout
        for line in listed.splitlines():
            process, parent = line.split()
            yield int(process), int(parent)
        return
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:  # noqa: PTH123
                # The name of the program stands in parentheses and may hold anything.
                yield int(name), int(file.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):  # it has ended meanwhile
            continue
