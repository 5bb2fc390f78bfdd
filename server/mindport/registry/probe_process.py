"""Starts and ends the processes that run the scripts of `mindport/probes/`. Needs Python alone, because it goes along
where mindport's own dependencies are missing (`prove.bundle`)."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

PROBES = Path(__file__).resolve().parent.parent / "probes"

FASTER = {"ONEDNN_MAX_CPU_ISA": "AVX2"}
"""Variables for what runs MindSpore on a CPU, where the user has not set them. With AVX-512 MindSpore 2.10 takes
oneDNN's reference code for convolutions, which is 30 to 80 times slower than its code for AVX2; a processor without
AVX-512 takes that anyway. ONEDNN_VERBOSE=1 shows it: `ref:any` against `gemm:jit`."""


def start_probe(
    interpreter: Path, probe: str, errors: int, folder: str | None = None, **environment: str
) -> subprocess.Popen[bytes]:
    """The process of `probes/<probe>.py`, in a process group of its own, with pipes to its standard streams; the
    last one goes to `errors`. It runs in `folder`, because MindSpore leaves files where it runs. Raises OSError where
    the interpreter cannot be started."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    return subprocess.Popen(
        [_absolute(interpreter), str(PROBES / f"{probe}.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        cwd=folder,
        env={**FASTER, **inherited, **environment},
        start_new_session=True,  # what the probe starts goes with it
    )


def _absolute(interpreter: Path) -> str:
    """The path from any folder. A link stays one, as a virtual environment's python is; a bare name is looked up."""
    is_name = interpreter.parent == Path()
    return str(interpreter) if is_name else os.path.abspath(interpreter)  # noqa: PTH100


def end_probe(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and all that it started, and close its streams."""
    kill_probe(process)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def kill_probe(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and all that it started; who reads its streams sees them end."""
    if sys.platform == "win32":
        process.kill()
    elif process.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
