"""A pool of worker processes that survive nothing and lose nothing: a dead or stuck one is replaced."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).resolve().parent.parent
START_SECONDS = 120.0
# One thread each: results do not depend on how sums are split, and two workers do not fight for the cores.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "GLOG_v": "4",
    "MS_ENABLE_NUMA": "0",
    "PYTHONHASHSEED": "0",
}


class WorkerDied(Exception):
    """The process ended or did not answer in time."""


class Worker:
    """One process and the versions it runs; `ask` answers a request or raises WorkerDied."""

    def __init__(self) -> None:
        environment = {**os.environ, **ENVIRONMENT, "PYTHONPATH": str(SCRIPTS)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "oracles.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=SCRIPTS,
            text=True,
            bufsize=1,
        )
        self.versions: dict[str, str] = self._read(START_SECONDS)

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send one sample and wait for the outcome at most `seconds`."""
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
    tasks: Iterable[list[dict[str, Any]]],
    done: Callable[[int, list[dict[str, Any]], dict[str, str]], None],
    jobs: int,
    seconds: float,
) -> None:
    """Run every task (the samples of one example, in order); `done(index, outcomes, versions)` is called
    one at a time.

    The first sample that fails is run again in a fresh process before it counts, because an earlier sample
    may have left the framework in a bad state. After a crash the example's other samples are not run."""
    waiting: queue.SimpleQueue[tuple[int, list[dict[str, Any]]]] = queue.SimpleQueue()
    for index, task in enumerate(tasks):
        waiting.put((index, task))
    lock = threading.Lock()

    def serve() -> None:
        worker: Worker | None = None
        fresh = True
        while True:
            try:
                index, task = waiting.get_nowait()
            except queue.Empty:
                break
            outcomes: list[dict[str, Any]] = []
            for position, request in enumerate(task):
                for _attempt in range(2):
                    if worker is None:
                        worker, fresh = Worker(), True
                    try:
                        outcome = worker.ask(request, seconds)
                    except WorkerDied as error:
                        outcome = {"status": "crashed", "message": str(error)}
                        worker.stop()
                        worker = None
                    was_fresh, fresh = fresh, False
                    if position > 0 or was_fresh or outcome["status"] in ("agree", "illegal"):
                        break
                    if worker is not None:
                        worker.stop()
                        worker = None
                outcomes.append(outcome)
                if outcome["status"] == "crashed":
                    break
            with lock:
                done(index, outcomes, worker.versions if worker is not None else {})
        if worker is not None:
            worker.stop()

    threads = [threading.Thread(target=serve) for _ in range(max(1, jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
