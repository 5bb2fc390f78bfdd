"""Tries the files of a port, each in a process of its own, without torch.

Importing MindSpore takes seconds, so this process does it once and forks for each task. The first request has the
`device`; its answer has `python`, `mindspore` (a version, or null), `error` of its import, `device_error`. Then comes
one task a line: `kind` (`import`; `script`; `rest`, which builds what comes after the place where a script stops;
`call`), `file`, `module`, `as_module`, `path` (folders to import from), `folder` (to run in), `arguments`, `entry`,
`inputs`, `steps`, `mode`, `device`, `seconds`, `memory` (bytes; 0 for none). The answer has `events` as `trial_task`
sends them, `ending` (`exit`, `signal`, `time` or `memory`) with `code`, `printed` (the end of the output), `trace` (the
calls at which a process was when it was ended or crashed: file, line, name) and `seconds`."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import platform
import re
import select
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any, TextIO

from probe_channel import private_output
from trial_processes import descendants, end_descendants, memory_of, take_orphans
from trial_task import run_task
from versions import version_of

_LOOK, _LOOK_AT_MEMORY = 0.05, 0.25  # seconds
_REQUESTS = 0
_PRINTED = 4000
_CALL = re.compile(r'  File "(.+)", line (\d+) in (.+)')
_TRACE_SECONDS = 0.3


def main() -> None:
    """Serve until the input ends."""
    answers = private_output()
    for number, line in enumerate(iter(sys.stdin.buffer.readline, b"")):
        request = json.loads(line.decode("utf-8"))
        answer = _tried(request, answers) if number else _greeting(request["device"])
        answers.write(json.dumps(answer) + "\n")
    end_descendants()


def _greeting(device: str) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "python": platform.python_version(), "mindspore": None, "error": "", "device_error": ""
    }  # fmt: skip
    if not hasattr(os, "fork"):
        answer["error"] = "this system cannot fork processes"
        return answer
    try:
        answer["mindspore"] = version_of("mindspore")
        import mindspore
        import mindspore.experimental.optim
        import mindspore.mint  # noqa: F401
    except Exception as error:  # noqa: BLE001 - a broken installation may raise anything
        answer["error"] = f"{type(error).__name__}: {error}"
    else:
        answer["device_error"] = _device_error(device)
    take_orphans()
    return answer


def _device_error(device: str) -> str:
    """Why a process cannot run on the device; empty where it can. Asked in a process of its own: the first use of a
    device is not undone, and one that is not there may end the process."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        text = ""
        try:
            import mindspore

            mindspore.set_device(device)
            mindspore.ops.add(mindspore.Tensor([1.0]), 1.0).asnumpy()
        except Exception as error:  # noqa: BLE001 - as above
            text = f"{type(error).__name__}: {error}".partition("\n")[0][:_PRINTED]
        os.write(tell, f"ok{text}".encode())
        os._exit(0)
    os.close(tell)
    with os.fdopen(told, encoding="utf-8", errors="replace") as file:
        text = file.read()
    os.waitpid(child, 0)
    return text[2:] if text.startswith("ok") else "the process ended"


def _tried(task: dict[str, Any], answers: TextIO) -> dict[str, Any]:
    events_out, events_in = os.pipe()
    printed_out, printed_in = os.pipe()
    with tempfile.TemporaryFile() as trace:
        started = time.monotonic()
        child = os.fork()
        if child == 0:
            os.close(events_out)
            os.close(printed_out)
            answers.close()
            _be_child(task, events_in, printed_in, trace.fileno())
        os.close(events_in)
        os.close(printed_in)
        events, printed = _Stream(events_out, 10_000_000), _Stream(printed_out, _PRINTED)
        ending, code = _wait(child, task, (events, printed), started)
        for stream in (events, printed):
            stream.read()
            stream.close()
        trace.seek(0)
        calls = _CALL.findall(trace.read().decode("utf-8", "replace"))
    return {
        "events": list(_events(events.kept)),
        "ending": ending,
        "code": code,
        "printed": printed.kept.decode("utf-8", "replace"),
        "trace": [[file, int(line), name] for file, line, name in reversed(calls)],
        "seconds": round(time.monotonic() - started, 2),
    }


def _events(text: bytes) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        with contextlib.suppress(ValueError):
            event = json.loads(line)
            if isinstance(event, dict) and "kind" in event:
                yield event


def _be_child(task: dict[str, Any], events: int, printed: int, trace: int) -> None:
    """The other side of a fork; never returns."""
    leave = os._exit
    try:
        nothing = os.open(os.devnull, os.O_RDONLY)
        for number, place in enumerate((nothing, printed, printed)):
            os.dup2(place, number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115
        faulthandler.enable(trace, all_threads=False)
        faulthandler.register(signal.SIGUSR1, trace, all_threads=False)
        _drop_core_files()

        def send(event: dict[str, Any]) -> None:
            # On a line of its own, whatever the program has written to the same place.
            line = b"\n" + json.dumps(event).encode() + b"\n"
            while line:
                line = line[os.write(events, line) :]

        run_task(task, send, leave)
    finally:
        leave(70)


def _drop_core_files() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _wait(child: int, task: dict[str, Any], streams: tuple[_Stream, ...], started: float) -> tuple[str, int]:
    """Until the child ends or passes a limit: how it ended, and its exit code or signal."""
    next_look = started
    is_large = False
    while True:
        ready, _, _ = select.select(
            [_REQUESTS, *(one.place for one in streams if one.is_open)], [], [], _LOOK
        )
        if _REQUESTS in ready:  # its end: who asked has gone, and no task comes before the answer
            end_descendants()
            os._exit(1)
        for stream in streams:
            stream.read()  # a full pipe would stop the program
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            end_descendants()
            if os.WIFSIGNALED(status):
                return "signal", os.WTERMSIG(status)
            return "exit", os.WEXITSTATUS(status)
        now = time.monotonic()
        if task["memory"] and now > next_look:
            is_large = sum(map(memory_of, descendants())) > task["memory"]
            next_look = now + _LOOK_AT_MEMORY
        is_late = now - started > task["seconds"]
        if is_late or is_large:
            _ask_where(child)
            end_descendants()
            return ("time" if is_late else "memory"), 0


def _ask_where(child: int) -> None:
    """Let faulthandler write at which call the child is."""
    os.kill(child, signal.SIGUSR1)
    time.sleep(_TRACE_SECONDS)


class _Stream:
    """The end of what comes through a pipe."""

    def __init__(self, place: int, most: int) -> None:
        os.set_blocking(place, False)
        self.place = place
        self.is_open = True
        self._most = most
        self.kept = b""

    def read(self) -> None:
        """Take what is there; of a flood no more than a second's."""
        end = time.monotonic() + 1
        while time.monotonic() < end:
            try:
                data = os.read(self.place, 65536)
            except BlockingIOError:
                return
            if not data:
                self.is_open = False
                return
            self.kept = (self.kept + data)[-self._most :]

    def close(self) -> None:
        os.close(self.place)


if __name__ == "__main__":
    main()
