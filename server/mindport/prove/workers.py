"""Worker processes that run samples in the user's interpreter. They survive nothing and lose nothing: a dead or stuck
one is replaced."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from mindport.registry.probe_process import end_probe, start_probe

START_SECONDS = 180.0
# One thread each: results do not depend on how sums are split, and two workers do not fight for the cores.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "GLOG_v": "4",
    "MS_ENABLE_NUMA": "0",
    "PYTHONHASHSEED": "0",
}

Outcome = dict[str, Any]  # what probes/oracle/sample.py answers


class WorkerDied(Exception):
    """The process ended or did not answer in time."""


class CannotRun(Exception):
    """The interpreter cannot run samples at all; the text says why."""


class Worker:
    """One process and the versions of the frameworks that it runs: both, or one of them, `part`. Raises CannotRun where
    it cannot start."""

    def __init__(self, interpreter: Path, device: str = "CPU", part: str = "") -> None:
        self._interpreter = interpreter
        self._device = device
        self._part = part
        self._start()

    def _start(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="mindport-", ignore_cleanup_errors=True)
        try:
            self._process = start_probe(
                self._interpreter, "oracle_worker", subprocess.DEVNULL, self._folder.name, **ENVIRONMENT
            )
        except OSError as error:
            self._folder.cleanup()
            raise CannotRun(f"{self._interpreter} cannot be started: {error.strerror or error}") from None
        self._meet({"device": self._device, "part": self._part})

    def _meet(self, request: dict[str, Any]) -> None:
        """Have the process serve samples, or a copy of it, and learn the versions that it runs."""
        self._copy: int | None = None
        self._has_ended = False
        part, interpreter = self._part, self._interpreter
        try:
            answer = self.ask(request, START_SECONDS)
            if "process" in answer:
                self._copy = answer["process"]
                answer = self.ask(None, START_SECONDS)
        except WorkerDied as error:
            self.stop()
            wanted = {"torch": "torch", "mindspore": "MindSpore"}.get(part, "torch and MindSpore")
            raise CannotRun(f"{interpreter} could not load {wanted}: {error}") from None
        self.versions: dict[str, str] = answer
        if not ({part} if part else {"torch", "mindspore"}) <= self.versions.keys():
            self.stop()
            reason = self.versions.get("error", "it does not tell its versions")
            raise CannotRun(f"{interpreter} cannot run MindSpore on {self._device}: {reason}")

    def ask(self, request: dict[str, Any] | None, seconds: float) -> Outcome:
        """Send one sample, if any, and wait for the answer at most `seconds`; raises WorkerDied."""
        assert self._process.stdin is not None and self._process.stdout is not None
        if self._has_ended:
            raise WorkerDied("the process crashed")
        timer = threading.Timer(seconds, self._kill)
        timer.start()
        try:
            if request is not None:
                self._process.stdin.write(json.dumps(request).encode() + b"\n")
                self._process.stdin.flush()
            line = self._process.stdout.readline()
            while line == b"\n":  # before it is said that a copy ended
                line = self._process.stdout.readline()
        except OSError:
            line = b""
        finally:
            is_stuck = not timer.is_alive()
            timer.cancel()
        try:
            answer = json.loads(line or b'{"ended": true}')
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise WorkerDied("its answer cannot be read")
        if "ended" in answer:
            self._has_ended = True
            raise WorkerDied(f"no answer within {seconds:g} s" if is_stuck else "the process crashed")
        return answer

    def renew(self) -> None:
        """Go on in a process in which no sample ran. Raises CannotRun."""
        if self._copy is None or self._process.poll() is not None:
            self.stop()
            self._start()
            return
        self._kill()
        while not self._has_ended:
            with contextlib.suppress(WorkerDied):
                self.ask(None, START_SECONDS)
        self._meet({"renew": True})

    def _kill(self) -> None:
        """End what serves samples, and all that it started."""
        if self._copy is None:
            self._process.kill()
        elif not self._has_ended:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._copy, signal.SIGKILL)

    def stop(self) -> None:
        """End the process and drop what it left."""
        if self._copy is not None:
            self._kill()
        end_probe(self._process)
        self._folder.cleanup()


def run_all(
    tasks: Iterable[list[dict[str, Any]]],
    done: Callable[[int, list[Outcome], dict[str, str]], None],
    start: Callable[[], Worker],
    jobs: int,
    seconds: float,
    *,
    is_repeated: bool = True,
    is_alone: bool = False,
) -> None:
    """Run every task (the samples of one example, in order); `done(index, outcomes, versions)` is called one at a
    time. Raises CannotRun where no worker can be started.

    If `is_repeated`, a first sample that fails is run again in a fresh process before it counts, because an earlier
    sample may have left the framework in a bad state. After a crash the other samples of its task are not run. If
    `is_alone`, no task is run in a process in which another one was."""
    waiting: queue.SimpleQueue[tuple[int, list[dict[str, Any]]]] = queue.SimpleQueue()
    for index, task in enumerate(tasks):
        waiting.put((index, task))
    lock = threading.Lock()
    failures: list[BaseException] = []

    def serve() -> None:
        line = Line(start, seconds, is_repeated)
        try:
            while not failures:
                try:
                    index, task = waiting.get_nowait()
                except queue.Empty:
                    break
                if is_alone:
                    line.doubt()
                outcomes = line.run(task)
                with lock:
                    done(index, outcomes, line.versions)
        except BaseException as error:  # noqa: BLE001  it is raised again where somebody sees it
            failures.append(error)
        finally:
            line.stop()

    threads = [threading.Thread(target=serve, daemon=True) for _ in range(max(1, jobs))]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException as error:
        failures.append(error)  # Ctrl-C: the others end after the sample that they are at
        for thread in threads:
            thread.join()
        raise
    if failures:
        raise failures[0]


class Line:
    """One worker, renewed where it died or is doubted."""

    def __init__(self, start: Callable[[], Worker], seconds: float, is_repeated: bool) -> None:
        self._start = start
        self._seconds = seconds
        self._is_repeated = is_repeated
        self._worker: Worker | None = None
        self._is_fresh = False
        self._is_doubted = False
        self.versions: dict[str, str] = {}

    def run(self, task: list[dict[str, Any]]) -> list[Outcome]:
        """The outcomes of the samples of a task, up to a crash."""
        outcomes: list[Outcome] = []
        for position, request in enumerate(task):
            outcome = self.ask(request)
            is_certain = position > 0 or self._was_fresh or outcome["status"] == "agree"
            if self._is_repeated and not is_certain:
                self.doubt()
                outcome = self.ask(request)
            outcomes.append(outcome)
            if outcome["status"] == "crashed":
                break
        return outcomes

    def doubt(self) -> None:
        """Have the next sample run in a process in which nothing else ran."""
        self._is_doubted = not self._is_fresh

    def ask(self, request: dict[str, Any]) -> Outcome:
        """The outcome of one sample; `crashed` where the process ended or did not answer in time."""
        worker = self._ready()
        self._was_fresh, self._is_fresh = self._is_fresh, False
        try:
            return worker.ask(request, self._seconds)
        except WorkerDied as error:
            self.doubt()
            return {"status": "crashed", "message": str(error)}

    def _ready(self) -> Worker:
        if self._worker is None:
            self._worker, self._is_fresh = self._start(), True
        elif self._is_doubted:
            self._worker.renew()
            self._is_fresh = True
        self._is_doubted = False
        self.versions = self._worker.versions
        return self._worker

    def stop(self) -> None:
        """End the worker in use."""
        if self._worker is not None:
            self._worker.stop()
            self._worker = None
