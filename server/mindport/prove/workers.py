"""Worker processes that run samples in the user's interpreter. They survive nothing and lose nothing: a dead or stuck
one is replaced."""

from __future__ import annotations

import json
import queue
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
        self._folder = tempfile.TemporaryDirectory(prefix="mindport-", ignore_cleanup_errors=True)
        try:
            self._process = start_probe(
                interpreter, "oracle_worker", subprocess.DEVNULL, self._folder.name, **ENVIRONMENT
            )
        except OSError as error:
            self._folder.cleanup()
            raise CannotRun(f"{interpreter} cannot be started: {error.strerror or error}") from None
        try:
            self.versions: dict[str, str] = self.ask({"device": device, "part": part}, START_SECONDS)
        except WorkerDied as error:
            self.stop()
            wanted = {"torch": "torch", "mindspore": "MindSpore"}.get(part, "torch and MindSpore")
            raise CannotRun(f"{interpreter} could not load {wanted}: {error}") from None
        if not ({part} if part else {"torch", "mindspore"}) <= self.versions.keys():
            self.stop()
            reason = self.versions.get("error", "it does not tell its versions")
            raise CannotRun(f"{interpreter} cannot run MindSpore on {device}: {reason}")

    def ask(self, request: dict[str, Any], seconds: float) -> Outcome:
        """Send one sample and wait for the outcome at most `seconds`; raises WorkerDied."""
        assert self._process.stdin is not None and self._process.stdout is not None
        timer = threading.Timer(seconds, self._process.kill)
        timer.start()
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            line = b""
        finally:
            is_stuck = not timer.is_alive()
            timer.cancel()
        if not line:
            raise WorkerDied(f"no answer within {seconds:g} s" if is_stuck else "the process crashed")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise WorkerDied("its answer cannot be read")
        return answer

    def stop(self) -> None:
        """End the process and drop what it left."""
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
) -> None:
    """Run every task (the samples of one example, in order); `done(index, outcomes, versions)` is called one at a
    time. Raises CannotRun where no worker can be started.

    If `is_repeated`, a first sample that fails is run again in a fresh process before it counts, because an earlier
    sample may have left the framework in a bad state. After a crash the other samples of its task are not run."""
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
    """One worker after the other, each in use until it dies or is doubted."""

    def __init__(self, start: Callable[[], Worker], seconds: float, is_repeated: bool) -> None:
        self._start = start
        self._seconds = seconds
        self._is_repeated = is_repeated
        self._worker: Worker | None = None
        self._is_fresh = True
        self.versions: dict[str, str] = {}

    def run(self, task: list[dict[str, Any]]) -> list[Outcome]:
        """The outcomes of the samples of a task, up to a crash."""
        outcomes: list[Outcome] = []
        for position, request in enumerate(task):
            outcome = self.ask(request)
            is_certain = position > 0 or self._was_fresh or outcome["status"] == "agree"
            if self._is_repeated and not is_certain:
                self.stop()
                outcome = self.ask(request)
            outcomes.append(outcome)
            if outcome["status"] == "crashed":
                break
        return outcomes

    def ask(self, request: dict[str, Any]) -> Outcome:
        """The outcome of one sample; `crashed` where the process ended or did not answer in time."""
        if self._worker is None:
            self._worker, self._is_fresh = self._start(), True
            self.versions = self._worker.versions
        self._was_fresh, self._is_fresh = self._is_fresh, False
        try:
            return self._worker.ask(request, self._seconds)
        except WorkerDied as error:
            self.stop()
            return {"status": "crashed", "message": str(error)}

    def stop(self) -> None:
        """End the worker in use."""
        if self._worker is not None:
            self._worker.stop()
            self._worker = None
