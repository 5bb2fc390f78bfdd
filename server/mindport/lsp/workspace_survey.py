"""Surveys a whole folder in a process of its own, so that a large one never delays a key: `python -m
mindport.lsp.workspace_survey` reads one request from its input and writes a line of JSON for each file that it has
read, and the answer as the last line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from mindport.checking.files_by_settings import FilesBySettings
from mindport.checking.survey import FileSurvey, survey_paths
from mindport.config.load import LoadedSettings, SettingsFinder
from mindport.config.problem import ConfigurationError
from mindport.config.target import resolve_target
from mindport.explain.target_words import target_words
from mindport.lsp.client import language_for
from mindport.lsp.positions import to_client
from mindport.lsp.survey_messages import (
    Advance,
    Answer,
    Overview,
    Page,
    PlacedApi,
    PlacedFile,
    PlacedProgram,
    SurveyRefusal,
    SurveyRequest,
)
from mindport.model.language import speaking, spoken, translated
from mindport.model.span import Span
from mindport.registry.texts import translations
from mindport.report.migration.build import project_report
from mindport.report.migration.overview import FileReadiness, file_readiness
from mindport.report.migration.page import html_page
from mindport.report.programs import program_rows
from mindport.report.rows import TargetRow
from mindport.source.discovery import discover, full_path
from mindport.source.lines import lines_with_ends
from mindport.source.notebook import place_in_cell
from mindport.source.text import SourceText

_RECURSION = 10_000  # as the command line has it: generated code nests deeply


def answer(request: SurveyRequest) -> Iterator[Advance | Answer]:
    """How far the survey is, file by file, then its answer."""
    finder = SettingsFinder(request.overrides, "the editor's settings", language=request.language)
    try:
        groups = files_by_settings(request.folder, finder)
        below = finder.for_directory(request.folder)
    except ConfigurationError as error:
        yield SurveyRefusal(str(error))
        return
    overlay = {path: SourceText(path, text) for path, text in request.texts.items()}
    count = sum(len(files) for _, files in groups)
    surveys: list[FileSurvey] = []
    for loaded, files in groups:
        target, _ = resolve_target(loaded.settings, loaded.root)
        for survey in survey_paths(files, loaded.settings, target, loaded.root, overlay):
            surveys.append(survey)
            yield Advance(len(surveys), count)
    target, reasons = resolve_target(below.settings, below.root)
    if request.wanted == "overview":
        states = ((survey, file_readiness(survey)) for survey in surveys)
        with speaking(translations(spoken(below.settings.locale))):
            placed = [
                _placed(survey, state, request)
                for survey, state in states
                if state.references or state.silent
            ]
            in_order = tuple(sorted(placed, key=lambda file: file.path))
            programs = tuple(_programs(surveys, request.folder))
            overview = Overview(target_words(target), in_order, programs)
        yield overview
        return
    row = TargetRow.of(below.root, target, reasons)
    with speaking(translations(spoken(below.settings.locale))):
        page = Page(html_page(project_report(row, surveys, request.folder)))
    yield page


def files_by_settings(folder: str, finder: SettingsFinder) -> list[tuple[LoadedSettings, list[str]]]:
    """The files of a folder, parted by the settings that apply to them. Raises ConfigurationError."""
    below = finder.for_directory(folder)
    found = discover([folder], below.settings.all_excludes, below.root, below.settings.respect_gitignore)
    files = FilesBySettings(finder)
    for name in (*found.python_files, *found.config_files):
        files.add(full_path(name), below)
    return list(files.groups())


def _placed(survey: FileSurvey, state: FileReadiness, request: SurveyRequest) -> PlacedFile:
    lines = lines_with_ends(survey.text)

    def place(span: Span) -> tuple[int, int, int, int, int]:
        number, within = place_in_cell(span, survey.report.cells)
        start = to_client(lines[span.line - 1], span.column, request.encoding)
        end = to_client(lines[span.end_line - 1], span.end_column, request.encoding)
        return (-1 if number is None else number - 1, within.line - 1, start, within.end_line - 1, end)

    return PlacedFile(
        uri=Path(state.path).as_uri(),
        path=_below(request.folder, state.path),
        references=state.references,
        ready=state.ready,
        silent=state.silent,
        apis=tuple(
            PlacedApi(
                api=one.api,
                verdict=one.verdict,
                verdict_text=translated(one.verdict),
                ready=one.ready,
                places=tuple(map(place, one.places)),
            )
            for one in state.apis
        ),
    )


def _programs(surveys: Iterable[FileSurvey], folder: str) -> Iterator[PlacedProgram]:
    found = (survey.report.program for survey in surveys)
    for row in program_rows(one for one in found if one is not None):
        yield PlacedProgram(
            uri=Path(row.file).as_uri(),
            path=_below(folder, row.file),
            level=row.level,
            level_text=translated(row.level),
            cause=None if row.cause is None else (_below(folder, row.cause.file), row.cause.line - 1),
            what=row.what,
            why=row.why,
        )


def _below(folder: str, path: str) -> str:
    return os.path.relpath(path, folder).replace(os.sep, "/")


def main() -> None:
    """Answer the request on standard input."""
    sys.setrecursionlimit(_RECURSION)
    output = sys.stdout.buffer
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=SurveyRequest)
    with speaking(translations(language_for(request.overrides, request.language))):
        for line in answer(request):
            output.write(msgspec.json.encode(line) + b"\n")
            output.flush()


if __name__ == "__main__":
    main()
