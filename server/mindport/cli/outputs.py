"""The outputs of one run: every format that was asked for, each on standard output or in a file of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click
import msgspec

from mindport.cli.main import EXIT_FAILED
from mindport.cli.output import painter_for_output, write, write_data
from mindport.config.settings import Settings
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.report.formats.discover import format_called
from mindport.report.formats.format import Destination, Format, Row, Writer
from mindport.report.rows import RuleCount, Summary
from mindport.report.statistics import statistics_json, statistics_lines
from mindport.report.text import Painter
from mindport.source.lines import LineIndex
from mindport.source.text import SourceText, read_source
from mindport.source.writing import write_output

STANDARD_OUTPUT = "-"


class FileFailed(click.ClickException):
    """A file that results were to go to cannot be written."""

    exit_code = EXIT_FAILED


class OutputRequest(msgspec.Struct, frozen=True):
    """A format and the file that it is written to, `-` for standard output."""

    name: str
    form: Format
    file: str = STANDARD_OUTPUT


def requests_of(
    formats: Sequence[str],
    files: Sequence[str],
    environment: Mapping[str, str] = os.environ,
    *,
    only_statistics: bool = False,
) -> tuple[OutputRequest, ...]:
    """What the options ask for: findings, or `only_statistics` of them. Files belong to the last formats, so
    `text,sarif` and one file is text for the terminal and SARIF for the file. Without a format it is text, inside
    GitHub Actions with marks at the lines. Raises UsageError."""
    names = list(formats)
    if not names:
        names = ["github" if not files and environment.get("GITHUB_ACTIONS") == "true" else "text"]
    if len(files) > len(names) or len(names) > len(files) + 1:
        raise click.UsageError(
            say(
                "{formats} formats and {files} files: all but the first format need a file (--output-file)",
                formats=len(names),
                files=len(files),
            )
        )
    places = [STANDARD_OUTPUT] * (len(names) - len(files)) + list(files)
    requests = tuple(
        OutputRequest(name, format_called(name), place) for name, place in zip(names, places, strict=True)
    )
    if only_statistics:
        refuse_statistics(requests)
    return requests


class Outputs:
    """Writes the rows of a run to all its outputs. A file is written whole, at the end."""

    def __init__(
        self,
        requests: Sequence[OutputRequest],
        settings: Settings,
        lists_references: bool = False,
        fails_from: Severity | None = Severity.WARNING,
    ) -> None:
        root, code = repository_root(), CodeLines().line
        self._outputs: list[tuple[Writer, Severity]] = []
        self._for_people: list[bool] = []  # whether they are read as they are written
        self._hidden: list[int] = []
        self._files: list[tuple[str, list[str]]] = []
        for request in requests:
            destination = Destination(
                self._sink(request),
                painter_for_output() if request.file == STANDARD_OUTPUT else Painter(False),
                lists_references,
                root,
                fails_from,
                code,
            )
            self._outputs.append((request.form.writer(destination), lowest_shown(request.form, settings)))
            self._for_people.append(request.file == STANDARD_OUTPUT and not request.form.for_programs)
            self._hidden.append(0)

    def row(self, severity: Severity, make: Callable[[], Row]) -> None:
        """Write one row to every output that shows this severity."""
        row: Row | None = None
        for index, (writer, lowest) in enumerate(self._outputs):
            if severity < lowest:
                self._hidden[index] += 1
            else:
                row = make() if row is None else row
                writer.row(row)

    def finish(self, summary: Summary) -> None:
        """Write the ends, and the files. Raises FileFailed."""
        for (writer, _), hidden in zip(self._outputs, self._hidden, strict=True):
            writer.finish(summary, hidden)
        for file, parts in self._files:
            write_file(file, "".join(parts))

    def finish_early(self, summary: Summary) -> None:
        """Write the ends of what people read as it comes. Half a file for a program would look like a whole one, so
        there is none. Raises OutputFailed."""
        for (writer, _), hidden, is_read in zip(self._outputs, self._hidden, self._for_people, strict=True):
            if is_read:
                writer.finish(summary, hidden)

    def _sink(self, request: OutputRequest) -> Callable[[str], None]:
        if request.file == STANDARD_OUTPUT:
            return write_data if request.form.for_programs else write
        parts: list[str] = []
        self._files.append((request.file, parts))
        return parts.append


class CodeLines:
    """Lines of files, which are asked for file by file. Standard input has none any more."""

    def __init__(self) -> None:
        self._file = ""
        self._lines: LineIndex | None = None

    def line(self, file: str, line: int) -> str:
        """A line by its number from 1; empty where the file cannot be read, or is a notebook."""
        if file != self._file:
            source = read_source(file) if os.path.isfile(file) else None  # noqa: PTH113
            self._file, self._lines = file, None
            if isinstance(source, SourceText) and source.notebook is None:
                self._lines = LineIndex(source.text)
        return "" if self._lines is None else self._lines.line_text(line)


_STATISTICS_AS = {
    "text": False,
    "full": False,
    "concise": False,
    "github": False,
    "json": True,
}  # format -> whether it is JSON


def refuse_statistics(requests: Sequence[OutputRequest]) -> None:
    """Raises UsageError where counts cannot be written in a format that was asked for."""
    for request in requests:
        if request.name not in _STATISTICS_AS:
            raise click.UsageError(
                say("--statistics is written as text or json, not as {name}", name=request.name)
            )


def write_statistics(
    requests: Sequence[OutputRequest], rows: Sequence[RuleCount], names: Mapping[str, str]
) -> None:
    """Write how often each rule was broken to every output; `names` are those of the rules. Raises FileFailed."""
    for request in requests:
        lines = statistics_lines(rows, names)
        is_json = _STATISTICS_AS[request.name]
        text = statistics_json(rows, names) if is_json else "".join(f"{line}\n" for line in lines)
        if request.file != STANDARD_OUTPUT:
            write_file(request.file, text)
        else:
            (write_data if is_json else write)(text)


def write_file(file: str, text: str) -> None:
    """Write results into a file, in one step, and the folders on the way to it. Raises FileFailed."""
    write_content(file, text.encode("utf-8", "backslashreplace"))


def write_content(file: str, content: bytes) -> None:
    """The same with results that are no text."""
    path = Path(file)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_output(path, content)
    except OSError as error:
        raise FileFailed(f"{file}: {error.strerror}") from None


def lowest_shown(form: Format, settings: Settings) -> Severity:
    """The least severity that a format shows one by one: where hints would only be in the way, they are counted unless
    the user asks for them."""
    if settings.min_severity == "auto" and not form.shows_hints:
        return Severity.INFORMATION
    return settings.lowest_severity


def repository_root() -> str:
    """The folder of the repository that the command runs in, from which other tools count paths, else the current
    folder."""
    here = Path.cwd()
    return str(next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here))
