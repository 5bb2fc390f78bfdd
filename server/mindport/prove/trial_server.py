"""The process that tries files: started once, asked task by task, started anew when it dies."""

from __future__ import annotations

import subprocess
import tempfile
import threading
from pathlib import Path

import msgspec

from mindport.model.language import say
from mindport.registry.probe_process import end_probe, start_probe

START_SECONDS = 180.0
_PATIENCE = 30.0  # beyond the limit of a task, which the process itself keeps
_SECONDS_TO_END = 3.0
_QUIET = {"GLOG_v": "4", "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg", "MS_ENABLE_NUMA": "0"}


class CannotTry(Exception):
    """Nothing can be tried with the interpreter; the text says why."""


class Greeting(msgspec.Struct, frozen=True):
    """What the interpreter has."""

    python: str
    mindspore: str | None
    error: str
    device_error: str = ""


class TaskEvent(msgspec.Struct, frozen=True):
    """One event of a task, as `probes/trial_task.py` sends it."""

    kind: str
    what: str = ""
    code: int = 0
    classes: tuple[str, ...] = ()
    message: str = ""
    module: str | None = None
    is_entry: bool = False
    asks_for: str = ""
    frames: tuple[tuple[str, int, str], ...] = ()
    stage: str = ""
    has_optimizer: bool = False


class TaskAnswer(msgspec.Struct, frozen=True):
    """How a task went, as `probes/trial.py` describes it; `ending` is `lost` where the serving process died."""

    events: tuple[TaskEvent, ...] = ()
    ending: str = "lost"
    code: int = 0
    printed: str = ""
    trace: tuple[tuple[str, int, str], ...] = ()
    seconds: float = 0.0


class TrialServer:
    """Asks the probe `trial` of an interpreter. Raises CannotTry where it has no MindSpore that
    can be imported and runs on the device."""

    def __init__(self, interpreter: Path, device: str) -> None:
        self._interpreter = interpreter
        self._device = device
        self._folder = tempfile.TemporaryDirectory(prefix="mindport-", ignore_cleanup_errors=True)
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self.greeting = self._started()
        except BaseException:
            self.stop()
            raise

    def ask(self, task: dict[str, object], seconds: float) -> TaskAnswer:
        """Have one task done, which keeps to `seconds` itself. Never raises for what the task does."""
        if self._process is None:
            self._started()
        line = self._line(task, seconds + _PATIENCE)
        try:
            return msgspec.json.decode(line, type=TaskAnswer)
        except msgspec.DecodeError:
            self._end()
            return TaskAnswer()

    def stop(self) -> None:
        """End the process and all that it started."""
        self._end()
        self._folder.cleanup()

    def _started(self) -> Greeting:
        try:
            self._process = start_probe(
                self._interpreter,
                "trial",
                subprocess.DEVNULL,
                self._folder.name,
                **_QUIET,
                MS_OM_PATH=self._folder.name,
            )
        except OSError as error:
            reason = error.strerror or error
            raise CannotTry(
                say("{interpreter} cannot be started: {reason}", interpreter=self._interpreter, reason=reason)
            ) from None
        line = self._line({"device": self._device}, START_SECONDS)
        try:
            greeting = msgspec.json.decode(line, type=Greeting)
        except msgspec.DecodeError:
            self._end()
            raise CannotTry(
                say("{interpreter} gives no answer; is it a Python 3.9 or newer, with NumPy?",
                    interpreter=self._interpreter)
            ) from None  # fmt: skip
        if (
            greeting.mindspore is None and not greeting.error
        ) or "No module named 'mindspore'" in greeting.error:
            raise CannotTry(
                say(
                    "{interpreter} (Python {version}) has no MindSpore: install it there, or name another Python with "
                    "--interpreter",
                    interpreter=self._interpreter,
                    version=greeting.python,
                )
            )
        if greeting.error:
            raise CannotTry(
                say(
                    "{interpreter} cannot import MindSpore: {reason}",
                    interpreter=self._interpreter,
                    reason=greeting.error,
                )
            )
        if greeting.device_error:
            raise CannotTry(
                say(
                    "{interpreter} cannot run MindSpore on {device}: {reason}",
                    interpreter=self._interpreter,
                    device=self._device,
                    reason=greeting.device_error,
                )
            )
        return greeting

    def _line(self, request: dict[str, object], seconds: float) -> bytes:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(seconds, process.kill)
        timer.daemon = True  # Ctrl-C may come before the `try`; then nobody cancels it
        timer.start()
        try:
            process.stdin.write(msgspec.json.encode(request) + b"\n")
            process.stdin.flush()
            return process.stdout.readline()
        except OSError:
            return b""
        finally:
            timer.cancel()

    def _end(self) -> None:
        """End the process. It sees the end of its input and ends what its tasks have left, wherever that is."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(_SECONDS_TO_END)
        except (OSError, subprocess.TimeoutExpired):
            pass
        finally:
            end_probe(process)
