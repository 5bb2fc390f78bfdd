"""`textDocument/codeLens`: above a file and each of its module classes, how much of it is ready, and above the entry
point of a program how far it is expected to come, once a survey of the folder has found that out. Off unless the
setting `code-lens` is on, so that clients which show lenses by themselves do not clutter files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol import types

from mindport.checking.counting import is_ready
from mindport.checking.inventory import references
from mindport.checking.outcome import ReferenceRow
from mindport.lsp.document import Document
from mindport.lsp.server import MindportServer
from mindport.lsp.session import Session
from mindport.lsp.survey_messages import PlacedProgram
from mindport.model.finding import Finding
from mindport.model.language import say
from mindport.report.migration.overview import silent_count
from mindport.source.units import Unit
from mindport.usage.top_classes import lines_of_class

_RUN_AS_PROGRAM = re.compile(r"""if\s+__name__\s*==\s*['"]__main__['"]""")


def register(server: MindportServer) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions())
    def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        document = server.document(params.text_document.uri)
        if document is None or document.notebook is not None:
            return []
        with server.session.folder_of(document).engine.speaking():
            return list(_lenses(server.session, document))


def _lenses(session: Session, document: Document) -> Iterator[types.CodeLens]:
    folder = session.folder_of(document)
    if not folder.settings.code_lens:
        return
    analysis = session.analyse(document)
    data = folder.project.data_code().functions(document.path)
    rows = references(analysis.usage.uses, document.text, folder.engine, data)
    network = [one for one in rows if not one.apart]
    if network:
        yield _lens(0, network, analysis.findings)
    if (program := session.programs.get(document.uri)) is not None:
        yield _program_lens(document, program)
    units = folder.project.units(document.path)
    for name in dict.fromkeys(unit.owner for unit in units if unit.owner):
        lines = lines_of_class(units, name)
        own = [one for one in network if one.use.span.line in lines]
        if own:
            yield _lens(
                _first_line(units, name) - 1,
                own,
                [one for one in analysis.findings if one.span.line in lines],
            )


def _program_lens(document: Document, program: PlacedProgram) -> types.CodeLens:
    """What is expected of the program, above the statement that runs it; above the file where there is none."""
    guarded = (at for at, line in enumerate(document.lines) if _RUN_AS_PROGRAM.match(line))
    title = program.level_text
    if program.cause is not None:
        path, line = program.cause
        title += f": {path}:{line + 1} {program.what}"
    place = types.Position(next(guarded, 0), 0)
    return types.CodeLens(types.Range(place, place), command=types.Command(title, ""))


def _first_line(units: Sequence[Unit], name: str) -> int:
    return next(unit.first_line for unit in units if unit.statements and unit.owner == name)


def _lens(line: int, network: Sequence[ReferenceRow], findings: Sequence[Finding]) -> types.CodeLens:
    """A lens at the start of a 0-based line. It has no command: what it would open differs from client to client."""
    ready, silent = sum(is_ready(one.verdict, one.fix) for one in network), silent_count(findings)
    title = say("{ready} of {count} references ready", ready=ready, count=len(network))
    if silent:
        title += (
            say("; {silent} silent differences", silent=silent)
            if silent > 1
            else say("; 1 silent difference")
        )
    place = types.Position(line, 0)
    return types.CodeLens(types.Range(place, place), command=types.Command(title, ""))
