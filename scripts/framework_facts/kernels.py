"""Which functions of a MindSpore really run on CPU: the documentation names devices, the kernels decide."""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

PROBE = Path(__file__).with_name("kernel_probe.py")
OWNERS = frozenset(
    "mindspore." + name
    for name in ("mint", "mint.linalg", "mint.nn.functional", "mint.special", "ops", "Tensor")
)
SECONDS = 60.0  # for one function


def probed_names(names: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The functions and methods that compute something."""
    return sorted(
        name
        for name, entry in names.items()
        if entry["kind"] in ("function", "method")
        and name.rpartition(".")[0] in OWNERS
        and not name.rpartition(".")[2].startswith("_")
    )


def cpu_kernels(
    interpreter: Path, names: Mapping[str, Mapping[str, Any]], wanted: Iterable[str]
) -> dict[str, bool]:
    """Name -> true if a call of it ran on CPU, false if it failed for want of a kernel. Names whose arguments could
    not be guessed, and those that crash or hang, are left out."""
    waiting = [(name, names[name].get("signatures", [])) for name in wanted]
    found: dict[str, bool] = {}
    while waiting:
        with TemporaryDirectory() as folder, _start(interpreter, folder) as process:
            assert process.stdin is not None and process.stdout is not None
            while waiting:
                process.stdin.write(json.dumps(waiting.pop(0)) + "\n")
                process.stdin.flush()
                is_there, _, _ = select.select([process.stdout], [], [], SECONDS)
                name, _, answer = (process.stdout.readline() if is_there else "").strip().partition(" ")
                if not name:
                    break  # the next process goes on behind the function that this one died of
                if answer != "unknown":
                    found[name] = answer == "ran"
            process.kill()
    return found


def _start(interpreter: Path, folder: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [interpreter, PROBE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=folder,  # MindSpore writes its logs where it runs
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
