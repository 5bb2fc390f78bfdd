"""Between the core's data and the protocol's: spans, edits and diagnostics, in the client's columns."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from lsprotocol import types

from mindport.lsp.client import ClientAbilities
from mindport.lsp.document import NOT_OPEN, Document
from mindport.lsp.other_lines import OtherLines
from mindport.lsp.positions import PositionEncoding, from_client, to_client
from mindport.model.finding import Finding, Severity
from mindport.model.span import Edit, Position, Span
from mindport.rewrite.apply import with_line_ends
from mindport.source.text import newline_of

SOURCE = "mindport"
_SEVERITY = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
# What editors show faded, and struck through.
_TAGS = {
    "MP904": types.DiagnosticTag.Unnecessary,
    "MP108": types.DiagnosticTag.Deprecated,
    "MP508": types.DiagnosticTag.Deprecated,
}


def span_of(place: types.Range, document: Document, encoding: PositionEncoding) -> Span:
    """The span of a client's range."""
    start, end = position_of(place.start, document, encoding), position_of(place.end, document, encoding)
    return Span(start.line, start.column, end.line, end.column)


def position_of(position: types.Position, document: Document, encoding: PositionEncoding) -> Position:
    """The position of a client's one; behind the end of its line it becomes the end."""
    line = position.line + document.first_line
    content = document.line(line).rstrip("\r\n")
    return Position(line + 1, from_client(content, position.character, encoding))


def position_in(position: Position, document: Document, encoding: PositionEncoding) -> types.Position:
    """The client's position of a place."""
    return range_of(
        Span(position.line, position.column, position.line, position.column), document, encoding
    ).start


def range_of(span: Span, document: Document, encoding: PositionEncoding) -> types.Range:
    """The client's range of a span."""
    return _range(span, document.line, encoding, document.first_line)


def _range(
    span: Span, line: Callable[[int], str], encoding: PositionEncoding, before: int = 0
) -> types.Range:
    """The same in a text of which `line` gives the 0-based lines; the client does not know the first `before`."""
    start = to_client(line(span.line - 1), span.column, encoding)
    end = to_client(line(span.end_line - 1), span.end_column, encoding)
    return types.Range(
        types.Position(span.line - 1 - before, start), types.Position(span.end_line - 1 - before, end)
    )


def diagnostic_json(
    finding: Finding, document: Document, abilities: ClientAbilities, others: OtherLines
) -> str:
    """A finding as the JSON of a diagnostic; made as text because a key in a long file sends a thousand of them.
    `others` has the lines that related places of other files lie on."""
    span, encoding, before = finding.span, abilities.encoding, document.first_line + 1
    start = to_client(document.line(span.line - 1), span.column, encoding)
    end = to_client(document.line(span.end_line - 1), span.end_column, encoding)
    related = _related_json(finding, document, encoding, others) if abilities.has_related_information else ""
    tag = _TAGS.get(finding.rule)
    tags = f',"tags":[{tag.value}]' if tag is not None and tag.value in abilities.shows_tags else ""
    page = abilities.page_of(finding.rule)
    link = f',"codeDescription":{{"href":{json.dumps(page)}}}' if page else ""
    return (
        f'{{"range":{{"start":{{"line":{span.line - before},"character":{start}}},'
        f'"end":{{"line":{span.end_line - before},"character":{end}}}}},"severity":{_SEVERITY[finding.severity].value},'
        f'"code":"{finding.rule}","source":"{SOURCE}","message":{json.dumps(finding.message)}{link}{tags}{related}}}'
    )


def _related_json(
    finding: Finding, document: Document, encoding: PositionEncoding, others: OtherLines
) -> str:
    if not finding.related:
        return ""
    places = []
    for place in finding.related:
        own = document.part_at(place.span.line) if place.path == document.path else None
        where = (
            range_of(place.span, own, encoding)
            if own is not None
            else _range(place.span, functools.partial(others.line, place.path), encoding)
        )
        places.append(
            {
                "location": {
                    "uri": own.uri if own is not None else Path(place.path).as_uri(),
                    "range": {
                        "start": {"line": where.start.line, "character": where.start.character},
                        "end": {"line": where.end.line, "character": where.end.character},
                    },
                },
                "message": place.message,
            }
        )
    return ',"relatedInformation":' + json.dumps(places)


def diagnostic_of(finding: Finding, document: Document, abilities: ClientAbilities) -> types.Diagnostic:
    """A finding as a protocol object, for the few that a code action answers."""
    page = abilities.page_of(finding.rule)
    return types.Diagnostic(
        range=range_of(finding.span, document, abilities.encoding),
        severity=_SEVERITY[finding.severity],
        code=finding.rule,
        code_description=types.CodeDescription(href=page) if page else None,
        source=SOURCE,
        message=finding.message,
        tags=[tag] if (tag := _TAGS.get(finding.rule)) and tag.value in abilities.shows_tags else None,
    )


def workspace_edit(
    edits: Iterable[Edit], document: Document, abilities: ClientAbilities, confirm: str = ""
) -> types.WorkspaceEdit | None:
    """Edits of one document in the form that the client takes; None where they were made for another text. With
    `confirm`, a client that can shows them under that title and makes them when the user agrees."""
    edits = tuple(edits)
    if not all(_fits(edit, document) for edit in edits):
        return None
    newline = newline_of(document.text)
    asks = bool(confirm) and abilities.asks_before_edits
    parts: dict[Document, list[Edit]] = {}
    for part, edit in document.parted(sorted(edits, key=lambda edit: edit.span)):
        parts.setdefault(part, []).append(edit)
    changes = {
        part: [
            types.TextEdit(
                range=range_of(edit.span, part, abilities.encoding),
                new_text=with_line_ends(edit.text, newline),
            )
            for edit in (own if abilities.trusts_columns else whole_line_edits(own, part))
        ]
        for part, own in parts.items()
    }
    if not abilities.takes_document_changes:
        return types.WorkspaceEdit(changes={part.uri: own for part, own in changes.items()})
    documents = []
    for part, own in changes.items():
        version = None if part.version == NOT_OPEN else part.version
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri=part.uri, version=version)
        annotated = [types.AnnotatedTextEdit(confirm, one.range, one.new_text) for one in own]
        documents.append(types.TextDocumentEdit(identifier, list(annotated if asks else own)))
    agreement = {confirm: types.ChangeAnnotation(confirm, needs_confirmation=True)} if asks else None
    return types.WorkspaceEdit(document_changes=list(documents), change_annotations=agreement)


def _fits(edit: Edit, document: Document) -> bool:
    """Whether the edit finds what it was made for."""
    span = edit.span
    return edit.expected is None or edit.expected == _between(
        document, span.line, span.column, span.end_line, span.end_column
    )


def whole_line_edits(edits: Sequence[Edit], document: Document) -> list[Edit]:
    """The same edits for a client whose columns on non-ASCII lines are not to be trusted: there each edit replaces its
    lines whole. `edits` are in order."""
    result: list[Edit] = []
    group: list[Edit] = []

    def flush() -> None:
        if not group:
            return
        lines = range(group[0].span.line, group[-1].span.end_line + 1)
        if all(document.line(line - 1).isascii() for line in lines):
            result.extend(group)
        else:
            result.append(_whole_lines(group, document))
        group.clear()

    for edit in edits:
        if group and edit.span.line > group[-1].span.end_line:
            flush()
        group.append(edit)
    flush()
    return result


def _whole_lines(group: Sequence[Edit], document: Document) -> Edit:
    """One edit from the start of the first line to the end of the last, with the edits of the group made inside."""
    first, last = group[0].span.line, group[-1].span.end_line
    parts: list[str] = []
    line, column = first, 0
    for edit in group:
        parts.append(_between(document, line, column, edit.span.line, edit.span.column))
        parts.append(edit.text)
        line, column = edit.span.end_line, edit.span.end_column
    end = len(document.line(last - 1).rstrip("\r\n"))
    parts.append(_between(document, line, column, last, end))
    return Edit(Span(first, 0, last, end), "".join(parts))


def _between(document: Document, line: int, column: int, end_line: int, end_column: int) -> str:
    if line == end_line:
        return document.line(line - 1)[column:end_column]
    middle = "".join(document.line(number - 1) for number in range(line + 1, end_line))
    return document.line(line - 1)[column:] + middle + document.line(end_line - 1)[:end_column]
