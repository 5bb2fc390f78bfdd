"""Worker processes in any interpreter that has MindSpore. They measure each case in a process of its own."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
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

    def ask(self, request: dict[str, Any]) -> Any:
        """The answer to one request; raises WorkerDied."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise WorkerDied("the process crashed") from None
        return self._read(request["seconds"] * (len(request["modes"]) + 1))

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
    """Measure every request in each of its `modes`, at most `seconds` each; `done(index, answer, version)` is called
    for one at a time."""
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for index in range(len(requests)):
        waiting.put(index)
    lock = threading.Lock()

    def serve() -> None:
        worker = Worker(interpreter)
        try:
            while True:
                try:
                    index = waiting.get_nowait()
                except queue.Empty:
                    return
                answer = worker.ask({**requests[index], "seconds": seconds})
                with lock:
                    done(index, answer, worker.version)
        finally:
            worker.stop()

    with ThreadPoolExecutor(jobs) as threads:
        for result in [threads.submit(serve) for _ in range(min(jobs, len(requests)))]:
            result.result()  # whatever stopped a worker stops the run
