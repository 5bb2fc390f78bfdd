"""Asks an interpreter of the user: runs one of the scripts in `mindport/probes/` in a process of its own, with a
time limit. Whatever the process does, the caller gets an answer or a reason."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec

PROBES = Path(__file__).resolve().parent.parent / "probes"

FASTER = {"ONEDNN_MAX_CPU_ISA": "AVX2"}
"""Variables for what runs MindSpore on a CPU, where the user has not set them. With AVX-512 MindSpore 2.10 takes
oneDNN's reference code for convolutions, which is 30 to 80 times slower than its code for AVX2; a processor without
AVX-512 takes that anyway. ONEDNN_VERBOSE=1 shows it: `ref:any` against `gemm:jit`."""


class ProbeAnswer(msgspec.Struct, frozen=True):
    """What the probe answered, as its own docstring describes it."""

    content: dict[str, object]


class ProbeFailure(msgspec.Struct, frozen=True):
    """Why there is no answer: one sentence for the user, and the end of what the process printed."""

    reason: str
    output: str = ""


def run_probe(
    interpreter: Path, probe: str, request: dict[str, object], seconds: float
) -> ProbeAnswer | ProbeFailure:
    """Run `probes/<probe>.py` with `interpreter`, give it `request`, and wait at most `seconds`. Never raises
    for what the interpreter, the script or the packages in it do."""
    try:
        process = start_probe(interpreter, probe, subprocess.PIPE)
    except OSError as error:
        return not_started(interpreter, error)
    return finish_probe(process, interpreter, request, seconds)


def not_started(interpreter: Path, error: OSError) -> ProbeFailure:
    """The failure of an interpreter that there is no process of."""
    return ProbeFailure(f"{interpreter} cannot be started: {error.strerror or error}")


def finish_probe(
    process: subprocess.Popen[bytes], interpreter: Path, request: dict[str, object], seconds: float
) -> ProbeAnswer | ProbeFailure:
    """The second half of `run_probe`, for a process that was started with pipes."""
    try:
        out, printed = process.communicate(msgspec.json.encode(request), timeout=seconds)
    except subprocess.TimeoutExpired:
        end_probe(process)
        return ProbeFailure(f"{interpreter} did not answer within {seconds:g} s")
    except BaseException:  # Ctrl-C, too, leaves nothing running
        end_probe(process)
        raise
    shown = printed.decode("utf-8", "replace")[-2000:]
    try:
        content = msgspec.json.decode(out, type=dict[str, object])
    except msgspec.DecodeError:
        return ProbeFailure(f"{interpreter} {_ending(process.returncode, shown)}", shown)
    return ProbeAnswer(content)


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


def _ending(code: int, printed: str) -> str:
    """How the process ended without an answer, in words."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    if code < 0:
        return f"crashed (signal {-code})"
    if code == 0:
        return "gave no answer that can be read"
    return f"failed: {lines[-1]}" if lines else f"failed with exit code {code}"
