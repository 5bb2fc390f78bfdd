"""One worker process: reads a sample per line, runs it in both frameworks, writes the outcome as a line.

The first line says where to run ({"device": "CPU"}); the answer to it are the versions of the frameworks, or
`error`: why nothing can be run here. With `part`, only `torch` or only `mindspore` is there: the one records what it
gives, the other compares with what was recorded. The worker is replaced by its owner when it dies or takes too long,
so a crash in native code costs one sample."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
from typing import Any, TextIO


def serve(answers: TextIO) -> None:
    """Serve samples from standard input until it ends."""
    warnings.simplefilter("ignore")
    lines = (json.loads(line) for line in sys.stdin.buffer)
    first: dict[str, Any] = next(lines, {})
    try:
        versions = _set_up(first.get("device", "CPU"), first.get("part", ""))
    except Exception as error:  # noqa: BLE001  a framework may fail in any way while it is loaded
        _answer(answers, {"error": f"{type(error).__name__}: {error}"})
        return
    _answer(answers, versions)
    if first.get("part") == "torch":
        from .request import record_request as answer_to
    else:
        from .sample import run_request as answer_to
    for request in lines:
        _answer(answers, answer_to(request))


def _set_up(device: str, part: str) -> dict[str, str]:
    versions = {}
    if part != "mindspore":
        import torch  # isort: skip  # first: the other order breaks on some OpenMP builds

        torch.set_num_threads(1)
        versions["torch"] = torch.__version__.partition("+")[0]
    if part != "torch":
        # MindSpore writes a file where it cannot compile a function for the graph; not into the working directory.
        os.environ.setdefault("MS_OM_PATH", tempfile.gettempdir())
        import mindspore

        from .mindspore_side import set_up

        set_up(device)
        versions["mindspore"] = mindspore.__version__
    return versions


def _answer(answers: TextIO, content: dict[str, Any]) -> None:
    answers.write(json.dumps(content) + "\n")
