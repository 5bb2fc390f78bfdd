"""What becomes of a file that mindport fails on: a problem of that file, said with its place; the log has more."""

from __future__ import annotations

import logging

from mindport.model.language import later
from mindport.source.problem import FILE_START, TOO_DEEP, Problem, ProblemKind

_LOG = logging.getLogger(__name__)

ANALYSING = later("analysing this file failed inside mindport: {error}")
FIXING = later("fixing this file failed inside mindport, so it stays as it is: {error}")


def failure_of(error: Exception, path: str, sentence: str = ANALYSING) -> Problem:
    """The problem of a file in whose work `error` was raised. `sentence` says which work it was. To be called while the
    error is handled."""
    if isinstance(error, RecursionError):
        # Some combination of code needed more of the stack than its depth tells; that is no defect to report.
        return Problem(ProblemKind.TOO_DEEP, TOO_DEEP, FILE_START, path)
    _LOG.exception("the work on %s failed", path)
    values = {"error": f"{type(error).__name__}: {error}"}
    return Problem(ProblemKind.INTERNAL, sentence, FILE_START, path, values=values)
