"""Where the results go: standard output for findings, standard error for everything else."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from mindport.cli.main import output_failures
from mindport.report.text import Painter
from mindport.report.visible import visible
from mindport.source.problem import Problem


def painter_for_output() -> Painter:
    """Colours where standard output is a terminal and nothing asks to leave them out."""
    if os.environ.get("NO_COLOR"):
        return Painter(False)
    if os.environ.get("FORCE_COLOR"):
        return Painter(True)
    return Painter(sys.stdout.isatty() and os.environ.get("TERM") != "dumb")


def write(text: str) -> None:
    """Write results for people. Raises OutputFailed."""
    with output_failures():
        sys.stdout.write(text)


def write_data(text: str) -> None:
    """Write results for programs: in UTF-8 and with line feeds, whatever the terminal's own are. Raises
    OutputFailed."""
    write_bytes(text.encode("utf-8", "backslashreplace"))


def write_bytes(data: bytes) -> None:
    """Write a file's content, in its own encoding and with its own line ends. Raises OutputFailed."""
    with output_failures():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def warn(message: str) -> None:
    """Tell the user something that is not a result."""
    click.echo(visible(message), err=True)


def warn_of(problems: Sequence[Problem], word: str = "error") -> None:
    """Tell the user of paths that could not be read or written."""
    for problem in problems:
        warn(f"{word}: {problem}")
