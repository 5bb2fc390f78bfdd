"""Ports a folder, or tries a port, in a process of its own: `python -m mindport.lsp.port_process` reads one request, a
line of JSON, and writes how far it is and its answer. When its input ends it stops: a port before the first file is
written, else once all are; a trial at once, with all that it started."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from mindport.config.load import LoadedSettings, SettingsFinder
from mindport.config.problem import ConfigurationError
from mindport.config.target import resolve_target
from mindport.lsp.client import language_for
from mindport.lsp.port_messages import (
    Answer,
    Cancelled,
    Failure,
    LeftOutRow,
    Ported,
    PortRequest,
    RemarkRow,
    Request,
    TrialRequest,
    Tried,
)
from mindport.lsp.positions import PositionEncoding, to_client
from mindport.lsp.survey_messages import Advance, SurveyRefusal
from mindport.lsp.workspace_survey import files_by_settings
from mindport.model.language import say, speaking, spoken
from mindport.port.convert import PortPart
from mindport.port.lines import conversion_line
from mindport.port.outcome import PortProblem, Remark, by_message
from mindport.port.run import Port, check_places, port_project
from mindport.prove.trial import Trial, original_of, try_port, usual_memory
from mindport.prove.trial_outcome import Attempt, FileLine, TrialOutcome
from mindport.registry.texts import translations
from mindport.report.rows import TargetRow
from mindport.report.text import Painter
from mindport.report.trial import failure_text, trial_lines
from mindport.source.lines import lines_with_ends
from mindport.source.text import SourceText, read_source

_RECURSION = 10_000  # as the command line has it: generated code nests deeply
_EDITOR = "the editor's settings"

Progress = Callable[[int, int], None]


class _Stopped(Exception):
    """The input has ended: nobody wants the answer."""


def port(request: PortRequest, progress: Progress) -> Ported | SurveyRefusal:
    """Port a folder as `mindport port` does."""
    source, destination = Path(request.source), Path(request.destination)
    finder = SettingsFinder(request.overrides, _EDITOR, language=request.language)
    try:
        with speaking(translations(spoken(finder.for_directory(source).settings.locale))):
            check_places(source, destination)
            groups = files_by_settings(request.source, finder)
            work = Port(
                source=source,
                parts=tuple(_part(loaded, files) for loaded, files in groups),
                respect_gitignore=all(loaded.settings.respect_gitignore for loaded, _ in groups),
            )
            outcome = port_project(work, destination, progress=progress)
            return Ported(
                destination=destination.as_uri(),
                report=(destination / outcome.report).as_uri() if outcome.report else "",
                summary=conversion_line(outcome),
                converted=outcome.converted,
                fixes=outcome.fixes,
                fails=_rows(outcome.failing),
                left=_rows([*outcome.differing, *outcome.advice]),
                review=_rows(outcome.review),
                left_out=tuple(LeftOutRow(one.path, one.reason) for one in outcome.left_out),
                problems=tuple(map(str, outcome.problems)),
            )
    except (ConfigurationError, PortProblem) as problem:
        return SurveyRefusal(str(problem))


def _part(loaded: LoadedSettings, files: list[str]) -> PortPart:
    target, reasons = resolve_target(loaded.settings, loaded.root)
    row = TargetRow.of(loaded.root, target, reasons)
    return PortPart(tuple(files), loaded.settings, target, loaded.root, row)


def _rows(remarks: Iterable[Remark]) -> tuple[RemarkRow, ...]:
    return tuple(
        RemarkRow(
            rule=remark.rule,
            severity=remark.severity.label,
            message=remark.message,
            places=tuple((place.original, place.port) for place in places),
        )
        for remark, places in by_message(remarks)
    )


def trial(request: TrialRequest, progress: Progress) -> Answer:
    """Try a port as `mindport try` does."""
    folder = Path(request.folder)
    source = original_of(folder, None)
    finder = SettingsFinder(request.overrides, _EDITOR, language=request.language)
    try:
        loaded = finder.for_directory(source or folder)
    except ConfigurationError as problem:
        return SurveyRefusal(str(problem))
    with speaking(translations(spoken(loaded.settings.locale))):
        target, _ = resolve_target(loaded.settings, loaded.root)
        work = Trial(
            folder=folder,
            only=(request.file,) if request.file else (),
            memory=usual_memory(),
            exclude=tuple(loaded.settings.all_excludes),
        )
        outcome = try_port(work, target, Path(request.interpreter), progress)
        if outcome.problem:
            return SurveyRefusal(outcome.problem)
        # Findings at these lines the editor shows beside the failures.
        lines = tuple(trial_lines(outcome, {}, Painter(False), has_original=False))
        return Tried(lines=lines, failures=tuple(_failures(outcome, folder, source, request.encoding)))


def _failures(
    outcome: TrialOutcome, folder: Path, source: Path | None, encoding: PositionEncoding
) -> Iterator[Failure]:
    for attempt, _ in outcome.distinct_failures():
        path, line = _place(attempt, folder, source)
        text = read_source(str(path))
        lines = lines_with_ends(text.text) if isinstance(text, SourceText) else []
        content = lines[line - 1].rstrip("\r\n") if line <= len(lines) else ""
        indent = len(content) - len(content.lstrip())
        message = failure_text(attempt)
        if attempt.port is not None and attempt.original is not None and attempt.port != attempt.original:
            message += "\n" + say("in the port: {place}", place=attempt.port)
        yield Failure(
            uri=path.as_uri(),
            line=line - 1,
            start=to_client(content, indent, encoding),
            end=to_client(content, len(content), encoding),
            message=message,
        )


def _place(attempt: Attempt, folder: Path, source: Path | None) -> tuple[Path, int]:
    """The file and the line (from 1) of a failure: in the original where it is known, else in the port. Of one
    without a place it is the beginning of the file that was tried."""
    if source is not None and attempt.original is not None:
        root, place = source, attempt.original
    elif attempt.port is not None:
        root, place = folder, attempt.port
    else:
        is_of_original = source is not None and (source / attempt.file).is_file()
        root, place = source if source and is_of_original else folder, FileLine(attempt.file, 1)
    return Path(os.path.abspath(root / place.file)), place.line  # noqa: PTH100


def main() -> None:
    """Answer the request on standard input."""
    sys.setrecursionlimit(_RECURSION)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the editor has inherited
    # The output belongs to the answer; a stray print must not break it.
    output, sys.stdout = sys.stdout.buffer, sys.stderr
    request: Request = msgspec.json.decode(sys.stdin.buffer.readline(), type=Request)
    ended = threading.Event()
    threading.Thread(target=_watch, args=(ended, isinstance(request, TrialRequest)), daemon=True).start()

    def write(line: Advance | Answer) -> None:
        output.write(msgspec.json.encode(line) + b"\n")
        output.flush()

    def progress(done: int, of: int) -> None:
        if ended.is_set():
            raise _Stopped
        write(Advance(done, of))

    try:
        with speaking(translations(language_for(request.overrides, request.language))):
            answer = port(request, progress) if isinstance(request, PortRequest) else trial(request, progress)
    except (_Stopped, KeyboardInterrupt):
        answer = Cancelled()
    write(answer)


def _watch(ended: threading.Event, interrupts: bool) -> None:
    """Tell of the end of the input. A trial waits for what it started, so it is interrupted, as by Ctrl-C."""
    while os.read(0, 1):
        pass
    ended.set()
    if interrupts and sys.platform != "win32":
        main_thread = threading.main_thread().ident
        assert main_thread is not None
        signal.pthread_kill(main_thread, signal.SIGINT)


if __name__ == "__main__":
    main()
