"""Worker processes in any interpreter that has MindSpore; one that dies or hangs is replaced and costs one case."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).resolve().parent.parent
PROBES = SCRIPTS.parent / "server" / "mindport" / "probes"
START_SECONDS = 180.0
# One thread each: results do not depend on how sums are split, and two workers do not fight for the cores.
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "GLOG_v": "4", "MS_ENABLE_NUMA": "0", "PYTHONHASHSEED": "0"}


class WorkerDied(Exception):
    """The process ended or did not answer in time."""


class Worker:
    """One process; `version` is its MindSpore's. Raises WorkerDied if it does not start."""

    def __init__(self, interpreter: Path) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="second_order_", ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [str(interpreter), "-m", "second_order.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **ENVIRONMENT, "PYTHONPATH": f"{SCRIPTS}{os.pathsep}{PROBES}"},
            cwd=self._folder.name,
            text=True,
            bufsize=1,
        )
        self.version: str = self._read(START_SECONDS)["mindspore"]

    def ask(self, request: dict[str, Any], seconds: float) -> Any:
        """The answer to one request; raises WorkerDied."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise WorkerDied("the process crashed") from None
        return self._read(seconds)

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._folder.cleanup()

    def _read(self, seconds: float) -> Any:
        assert self._process.stdout is not None
        timer = threading.Timer(seconds, self._process.kill)
        timer.start()
        try:
            line = self._process.stdout.readline()
        finally:
            stuck = not timer.is_alive()
            timer.cancel()
        if not line:
            raise WorkerDied(f"no answer within {seconds:g} s" if stuck else "the process crashed")
        return json.loads(line)


def run_all(
    requests: Sequence[dict[str, Any]],
    done: Callable[[int, dict[str, Any], str], None],
    *,
    interpreter: Path,
    jobs: int,
    seconds: float,
) -> None:
    """Measure every request in each of its `modes`; `done(index, answer, version)` is called one at a time.

    After an unexpected error the framework may be in a bad state: what is not right from then on is measured again in a
    fresh process before it counts."""
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for index in range(len(requests)):
        waiting.put(index)
    lock = threading.Lock()

    def serve() -> None:
        asker = _Asker(interpreter, seconds)
        try:
            while True:
                try:
                    index = waiting.get_nowait()
                except queue.Empty:
                    return
                answer = asker.answer(requests[index])
                with lock:
                    done(index, answer, asker.version)
        finally:
            asker.stop()

    threads = [threading.Thread(target=serve) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class _Asker:
    """Asks one worker at a time."""

    def __init__(self, interpreter: Path, seconds: float) -> None:
        self._interpreter, self._seconds = interpreter, seconds
        self._worker: Worker | None = None
        self._is_doubtful = False
        self.version = ""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """All modes of a case, each alone."""
        found: dict[str, Any] = {}
        for position, mode in enumerate(request["modes"]):
            one = {**request, "modes": [mode], "trace": request.get("trace") and position == 0}
            answer = self._ask(one, mode)
            if self._is_doubtful and not _is_settled(answer, mode):
                self.stop()
                answer = self._ask(one, mode)
            self._is_doubtful |= not _is_settled(answer, mode) and answer[mode][0] != "wrong"
            found.update({key: value for key, value in answer.items() if key not in found})
        return found

    def stop(self) -> None:
        """End the worker, if there is one."""
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    def _ask(self, request: dict[str, Any], mode: str) -> dict[str, Any]:
        if self._worker is None:
            self._worker, self._is_doubtful = Worker(self._interpreter), False
            self.version = self._worker.version
        try:
            answer: dict[str, Any] = self._worker.ask(request, self._seconds)
        except WorkerDied as error:
            self.stop()
            answer = {mode: ["raises", f"the process died: {error}"]}
        return answer


_SETTLED = (
    "bprop not defined",
    "cannot be set up",
    "unregistered",
    "not support",
    "Unsupported op",
    "kernelmod",
    "order differs",
)
# What the compiler says of the source leaves nothing behind.
_SETTLED_IN_GRAPH = ("TypeError", "ValueError", "AttributeError", "NotImplementedError", "Failed to compile")


def _is_settled(answer: dict[str, Any], mode: str) -> bool:
    """Whether a fresh process would say the same for certain: right, a bprop, a kernel or a name that is not there."""
    words = _SETTLED + (_SETTLED_IN_GRAPH if mode == "graph" else ())
    outcomes = [value for key, value in answer.items() if key.startswith(mode)]
    return all(result == "right" or any(word in text for word in words) for result, text in outcomes)
