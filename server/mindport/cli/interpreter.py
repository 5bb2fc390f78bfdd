"""Which Python a command may start. What lies in a folder that was taken from elsewhere may be any program, so it is
started only by a user who has been told which one it is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from mindport.config.interpreter import project_interpreter
from mindport.config.load import LoadedSettings
from mindport.model.language import say


def interpreter_to_start(loaded: LoadedSettings) -> Path:
    """The project's interpreter. One that the user has neither named nor activated is asked about on a terminal.

    Raises click.UsageError where there is none, where nobody can be asked, and for a no."""
    found = project_interpreter(loaded, os.environ)
    if found is None:
        raise click.UsageError(say("no Python interpreter found: name one with --interpreter"))
    if found.is_chosen:
        return found.path
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError(
            say(
                "{interpreter} comes with the project and is not started unasked: name it with --interpreter, or "
                "activate its environment",
                interpreter=found.path,
            )
        )
    question = say("{interpreter} comes with the project. Start it?", interpreter=found.path)
    if not click.confirm(question, err=True):
        raise click.UsageError(say("nothing was started: name another Python with --interpreter"))
    return found.path
