"""Runs a program of the user in torch for a few steps, under the look-out of the probe `trace_program`, and reads what
that saw."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from pathlib import Path

import msgspec

from mindport import __version__
from mindport.model.language import say
from mindport.prove.trace_command import CannotTrace, TraceCommand
from mindport.registry.probe_process import PROBES, kill_probe
from mindport.usage.seen.trace import FORMAT, Trace

_GRACE = 30.0  # seconds for importing torch before, and for writing after the limit
_ENDING_SECONDS = 5.0


def trace_program(
    command: TraceCommand,
    interpreter: Path,
    root: Path,
    steps: int,
    seconds: float,
    calls: Path | None = None,
) -> Trace:
    """Run the command in the present folder, with the streams of this process, until it ends or its optimizers took
    `steps` steps or `seconds` are over. Calls of the project's own functions are kept with their values in the file
    `calls`, where that is given. Raises CannotTrace where nothing was seen; KeyboardInterrupt only where the
    program left nothing behind."""
    with tempfile.TemporaryDirectory(prefix="mindport-") as folder:
        keep = Path(folder, "trace.json")
        request = Path(folder, "request.json")
        content = {
            "root": str(root),
            "arguments": list(command.arguments),
            "as_module": command.as_module,
            "steps": steps,
            "seconds": seconds,
            "keep": str(keep),
            "calls": str(calls) if calls is not None else "",
        }
        request.write_bytes(msgspec.json.encode(content))
        words = [str(interpreter), *command.flags, str(PROBES / "trace_program.py"), str(request)]
        try:
            process = subprocess.Popen(words)
        except OSError as error:
            reason = error.strerror or error
            raise CannotTrace(
                say("{interpreter} cannot be started: {reason}", interpreter=interpreter, reason=reason)
            ) from None
        code = _ended(process, seconds + _GRACE)
        return _read(keep, command, code)


def _ended(process: subprocess.Popen[bytes], seconds: float) -> int:
    """The exit code of the program. Ctrl-C reaches it from the terminal as well: it gets time to write what it saw."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        pass
    except KeyboardInterrupt:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(_ENDING_SECONDS)
    finally:
        if process.poll() is None:
            kill_probe(process) if os.name == "nt" else process.kill()
            process.wait()
    return process.returncode


def _read(keep: Path, command: TraceCommand, code: int) -> Trace:
    words = ("-m", *command.arguments) if command.as_module else command.arguments
    try:
        found = msgspec.json.decode(keep.read_bytes())
        return msgspec.convert(
            {**found, "format": FORMAT, "mindport": __version__, "command": words}, type=Trace
        )
    except FileNotFoundError:
        raise CannotTrace(
            say("the program ended with code {code} before anything was seen", code=code)
        ) from None
    except (msgspec.DecodeError, OSError, TypeError) as error:
        raise CannotTrace(say("what was seen cannot be read: {reason}", reason=error)) from None
