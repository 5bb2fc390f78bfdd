"""How a probe talks to mindport: JSON on standard input, JSON on a private copy of standard output, because the
frameworks print to the real one."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any, TextIO


def private_output() -> TextIO:
    """A copy of standard output for answers; what anyone else prints goes to standard error from here on."""
    answers = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    os.dup2(2, 1)
    return answers


def serve_once(probe: Callable[[Any], Any]) -> None:
    """Read the one request, write the one answer. What the probe raises ends the process with a traceback."""
    answers = private_output()
    request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    answers.write(json.dumps(probe(request)) + "\n")
    answers.close()
