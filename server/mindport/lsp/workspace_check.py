"""Checks every file of a workspace folder in a process of its own, so that a large one never delays a key: `python -m
mindport.lsp.workspace_check` reads one request, a line of JSON, and writes a line for each file. It ends with its
input, so that it outlives no server, and shares the results that the command line keeps."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from mindport.checking.files_by_settings import FilesBySettings
from mindport.checking.outcome import FileReport
from mindport.checking.project import check_paths
from mindport.config.load import SettingsFinder
from mindport.config.problem import ConfigurationError
from mindport.config.settings import Settings
from mindport.config.target import resolve_target
from mindport.lsp.client import ClientAbilities, language_for
from mindport.lsp.convert import diagnostic_json
from mindport.lsp.document import NOT_OPEN, Document
from mindport.lsp.other_lines import OtherLines
from mindport.model.finding import Finding, Severity
from mindport.model.language import say, speaking
from mindport.model.target import Target
from mindport.registry.texts import translations
from mindport.rules.wording import without_target
from mindport.source.discovery import PYTHON_SUFFIXES, discover, full_path
from mindport.source.notebook import NOTEBOOK_SUFFIX, Notebook, cells_of, place_in_cell, place_in_json
from mindport.source.text import SourceText, read_source

_RECURSION = 10_000  # as the command line has it: generated code nests deeply
_NICENESS = 10  # whoever types goes first
# Files that import each other are in memory together, in about sixty times their size.
MOST_BYTES = 64_000_000


class CheckRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A folder, what its client can take, the settings of the editor, and whether the user asked for the check."""

    folder: str
    abilities: ClientAbilities
    is_asked_for: bool = False
    overrides: dict[str, Any] = {}


class Begun(msgspec.Struct, frozen=True, tag="begun"):
    """There are so many files."""

    files: int


class CheckedFile(msgspec.Struct, frozen=True, tag="checked"):
    """One file: its diagnostics as a JSON list, and how many of them are errors and warnings."""

    uri: str
    diagnostics: msgspec.Raw
    errors: int
    warnings: int


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """All files are checked; or the reason why they are not."""

    problem: str = ""


Line = Begun | CheckedFile | Finished


def check(request: CheckRequest) -> Iterator[Line]:
    """The files of the folder, which is the current directory, one by one. Settings are the nearest of each file; they
    may leave out what the user does not ask for."""
    finder = SettingsFinder(request.overrides, "the editor's settings", language=request.abilities.language)
    try:
        below = finder.for_directory(".")
        found = discover(["."], below.settings.all_excludes, below.root, below.settings.respect_gitignore)
        sorted_files = FilesBySettings(finder)
        files = [*found.python_files, *found.config_files]
        for name in files:
            sorted_files.add(name, below)
        groups = [
            (loaded, names)
            for loaded, names in sorted_files.groups()
            if loaded.settings.check_closed_files or request.is_asked_for
        ]
        files = [name for _, names in groups for name in names]
        if sum(_size(name) for name in files if name.endswith(PYTHON_SUFFIXES)) > MOST_BYTES:
            problem = say(
                "{folder} has more than {limit} MB of code; the setting `exclude` leaves some out",
                folder=request.folder,
                limit=MOST_BYTES // 1_000_000,
            )
            yield Finished(problem)
            return
        yield Begun(len(files))
        for loaded, names in groups:
            target, _ = resolve_target(loaded.settings, loaded.root)
            # One process, whatever the settings say: the other processors are for the user.
            settings = msgspec.structs.replace(loaded.settings, jobs=1)
            for report in check_paths(names, settings, target, loaded.root):
                yield _checked(report, settings, target, request.abilities)
    except ConfigurationError as error:
        yield Finished(str(error))
        return
    yield Finished()


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)  # noqa: PTH202
    except OSError:  # gone meanwhile, or never to be read
        return 0


def _checked(
    report: FileReport, settings: Settings, target: Target, abilities: ClientAbilities
) -> CheckedFile:
    lowest = Severity.HINT if settings.show_hints else Severity.INFORMATION
    findings = [one for one in report.findings if one.severity >= lowest]
    path = full_path(report.path)
    source = read_source(path, settings.max_file_bytes) if findings else None
    text = source.text if isinstance(source, SourceText) else ""
    if report.cells:
        # Only an open notebook has cells for the client; of a closed one it knows the file.
        notebook = source.notebook if isinstance(source, SourceText) else None
        findings = [] if notebook is None else [_in_file(one, notebook) for one in findings]
        text = "" if notebook is None else notebook.content
    document = Document(Path(path).as_uri(), NOT_OPEN, text)
    others = OtherLines(lambda other: _text(other, settings))
    items = (
        diagnostic_json(_placed(without_target(one, target)), document, abilities, others) for one in findings
    )
    return CheckedFile(
        document.uri,
        msgspec.Raw(f"[{','.join(items)}]".encode()),
        sum(one.severity is Severity.ERROR for one in findings),
        sum(one.severity is Severity.WARNING for one in findings),
    )


def _in_file(finding: Finding, notebook: Notebook) -> Finding:
    """A finding of a notebook at its place in the file. The message names cell and line, which no editor shows there;
    other places of the notebook are left out."""
    cell, own = place_in_cell(finding.span, cells_of(notebook.text))
    return msgspec.structs.replace(
        finding,
        span=place_in_json(finding.span, notebook),
        message=say("cell {cell}, line {line}: {message}", cell=cell, line=own.line, message=finding.message),
        related=tuple(one for one in finding.related if not one.path.endswith(NOTEBOOK_SUFFIX)),
    )


def _placed(finding: Finding) -> Finding:
    """The finding with full paths, which the client can be told."""
    related = tuple(msgspec.structs.replace(one, path=full_path(one.path)) for one in finding.related)
    return msgspec.structs.replace(finding, related=related) if related else finding


def _text(path: str, settings: Settings) -> str:
    source = read_source(path, settings.max_file_bytes)
    return source.text if isinstance(source, SourceText) else ""


def main() -> None:
    """Answer the request on standard input."""
    sys.setrecursionlimit(_RECURSION)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    # The output belongs to the answer; a stray print must not break it.
    output, sys.stdout = sys.stdout.buffer, sys.stderr
    source = sys.stdin.buffer
    request = msgspec.json.decode(source.readline(), type=CheckRequest)
    threading.Thread(target=_end_with, args=(source,), daemon=True).start()
    try:
        os.chdir(request.folder)
    except OSError as error:
        lines: Iterator[Line] = iter([Finished(f"{request.folder}: {error.strerror}")])
    else:
        lines = check(request)
    language = language_for(request.overrides, request.abilities.language)
    with contextlib.suppress(BrokenPipeError), speaking(translations(language)):
        for line in lines:
            output.write(msgspec.json.encode(line) + b"\n")
            output.flush()


def _end_with(source: Any) -> None:
    source.read()
    os._exit(0)


if __name__ == "__main__":
    main()
