"""Asks an interpreter of the user: runs one of the scripts in `mindport/probes/` in a process of its own, with a
time limit. Whatever the process does, the caller gets an answer or a reason."""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec

from mindport.registry.probe_process import end_probe, start_probe


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


def _ending(code: int, printed: str) -> str:
    """How the process ended without an answer, in words."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    if code < 0:
        return f"crashed (signal {-code})"
    if code == 0:
        return "gave no answer that can be read"
    return f"failed: {lines[-1]}" if lines else f"failed with exit code {code}"
