"""One worker process: reads a sample per line, runs it in both frameworks, writes the outcome as a line.

The first line says where to run ({"device": "CPU"}); the answer to it are the versions of the frameworks, or
`error`: why nothing can be run here. With `part`, only `torch` or only `mindspore` is there: the one records what it
gives, the other compares with what was recorded. The worker is replaced by its owner when it dies or takes too long,
so a crash in native code costs one sample.

Loading the frameworks takes longer than most samples. So where that can be done the process only loads them, and its
copy, in which nothing ran yet, serves the samples; it says before its versions which `process` it is. When that has
`ended` the owner may ask to `renew` it."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

RENEW = b'{"renew": true}\n'
AnswerTo = Callable[[dict[str, Any]], dict[str, Any]]


def serve(answers: TextIO) -> None:
    """Serve samples from standard input until it ends."""
    warnings.simplefilter("ignore")
    first: dict[str, Any] = json.loads(sys.stdin.buffer.readline() or b"{}")
    device, part = first.get("device", "CPU"), first.get("part", "")
    try:
        versions, answer_to = _loaded(part)
    except Exception as error:  # noqa: BLE001  a framework may fail in any way while it is loaded
        _answer(answers, {"error": f"{type(error).__name__}: {error}"})
        return
    if not _has_one_thread():
        _serve_samples(answers, device, versions, answer_to)
        return
    is_wanted = True
    while is_wanted:
        copy = os.fork()
        if not copy:
            os.setsid()  # what samples start goes with it
            os.chdir(tempfile.mkdtemp(dir=Path.cwd()))  # and what another one wrote is not there
            _answer(answers, {"process": os.getpid()})
            _serve_samples(answers, device, versions, answer_to)
            os._exit(0)
        os.waitpid(copy, 0)
        answers.write("\n")  # it may have ended within an answer
        _answer(answers, {"ended": True})
        # What was written for the copy that ended is nobody's any more.
        is_wanted = any(line == RENEW for line in iter(sys.stdin.buffer.readline, b""))


def _has_one_thread() -> bool:
    """Whether a copy of this process is whole: of its threads it would have but one. Where that cannot be told, it is
    no copy that serves."""
    tasks = Path("/proc/self/task")
    return hasattr(os, "fork") and tasks.is_dir() and len(list(tasks.iterdir())) == 1


def _serve_samples(answers: TextIO, device: str, versions: dict[str, str], answer_to: AnswerTo) -> None:
    try:
        _set_up(device, versions)
    except Exception as error:  # noqa: BLE001  a device may fail in any way
        _answer(answers, {"error": f"{type(error).__name__}: {error}"})
        return
    _answer(answers, versions)
    for line in iter(sys.stdin.buffer.readline, b""):
        _answer(answers, answer_to(json.loads(line)))


def _loaded(part: str) -> tuple[dict[str, str], AnswerTo]:
    """The versions of what is loaded, and what runs a sample there."""
    versions = {}
    if part != "mindspore":
        import torch  # isort: skip  # first: the other order breaks on some OpenMP builds

        versions["torch"] = torch.__version__.partition("+")[0]
    if part == "torch":
        from .request import record_request

        return versions, record_request
    # MindSpore writes a file where it cannot compile a function for the graph; not into the working directory.
    os.environ.setdefault("MS_OM_PATH", tempfile.gettempdir())
    import mindspore

    versions["mindspore"] = mindspore.__version__
    from .sample import run_request

    return versions, run_request


def _set_up(device: str, versions: dict[str, str]) -> None:
    if "torch" in versions:
        import torch

        torch.set_num_threads(1)
    if "mindspore" in versions:
        from .mindspore_side import set_up

        set_up(device)


def _answer(answers: TextIO, content: dict[str, Any]) -> None:
    answers.write(json.dumps(content) + "\n")
