"""What a program that is tried asks for on its command line, and was not given."""

from __future__ import annotations

import argparse
import linecache
import os
import re
import traceback
from typing import Any

_USAGE = 2  # what programs leave with that were called in a wrong way
_ATTRIBUTE = re.compile(r"\.(\w+)")
_ARGV = re.compile(r"\bargv\b")
_LINES_BEFORE = 3  # that a test of the arguments may lie before what it raises
_GIVES_UP = re.compile(r"\s*(raise|assert|sys\.exit|exit|quit)\b")


class AskedArguments:
    """Listens to argparse while the program runs, and looks at the error that it ended with."""

    def __init__(self) -> None:
        self._complaints: list[str] = []
        self._parsed: list[tuple[argparse.ArgumentParser, argparse.Namespace]] = []

    def install(self) -> None:
        """Listen from now on."""
        complain = argparse.ArgumentParser.error
        parse = argparse.ArgumentParser.parse_known_args

        def noted(parser: argparse.ArgumentParser, message: str) -> Any:
            self._complaints.append(message)
            return complain(parser, message)

        def kept(parser: argparse.ArgumentParser, *arguments: Any, **named: Any) -> Any:
            found = parse(parser, *arguments, **named)
            self._parsed.append((parser, found[0]))
            return found

        argparse.ArgumentParser.error = noted  # type: ignore[assignment]
        argparse.ArgumentParser.parse_known_args = kept  # type: ignore[assignment,method-assign]

    def missing(self, error: BaseException, folder: str) -> str:
        """What the program in `folder` says of its arguments, or those without a value that `error` comes from; empty
        where it has to do with neither."""
        if isinstance(error, SystemExit) and self._complaints:
            return self._complaints[-1]
        if isinstance(error, SystemExit) and error.code == _USAGE:
            told = error.__context__  # click's error, which has been printed
            return str(told) if told is not None else f"exit code {_USAGE}"
        places = [
            place
            for place in traceback.extract_tb(error.__traceback__)
            if not place.filename.startswith("<")
            and os.path.abspath(place.filename).startswith(os.path.join(folder, ""))  # noqa: PTH100, PTH118
        ]
        if not places:
            return ""
        place = places[-1]
        if self._tests_argv(place.filename, place.lineno or 0):
            return str(error)
        text = str(error)
        code = _failing_code(place)
        if isinstance(error, IndexError) and _ARGV.search(code):
            return code
        # What a call cannot use came from its arguments only where it is a path.
        if "None" not in text or (code.endswith(")") and "PathLike" not in text):
            return ""
        return ", ".join(self._without_value(code))

    def _tests_argv(self, file: str, line: int) -> bool:
        lines = [linecache.getline(file, at) for at in range(max(1, line - _LINES_BEFORE), line + 1)]
        return bool(lines and _GIVES_UP.match(lines[-1]) and any(map(_ARGV.search, lines)))

    def _without_value(self, code: str) -> list[str]:
        named = set(_ATTRIBUTE.findall(code))
        return [
            max(action.option_strings, key=len, default=action.dest)
            for parser, values in self._parsed
            for action in parser._actions
            if action.dest in named and getattr(values, action.dest, "") is None
        ]


def _failing_code(place: traceback.FrameSummary) -> str:
    """The part of a line that raised, where this Python tells it; else the line."""
    line = linecache.getline(place.filename, place.lineno or 0)
    first, last = getattr(place, "colno", None), getattr(place, "end_colno", None)
    if first is None or last is None or getattr(place, "end_lineno", place.lineno) != place.lineno:
        return line.strip()
    return line.encode()[first:last].decode(errors="replace")
