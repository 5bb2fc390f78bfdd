"""`textDocument/inlayHint`: behind a call what a run showed it to give, and in it the arguments that it leaves out and
MindSpore has another default for. Off unless the setting `inlay-hints` is on: editors show such hints by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from mindport.lsp.convert import position_in, span_of
from mindport.lsp.document import Document
from mindport.lsp.server import MindportServer
from mindport.lsp.session import Session
from mindport.mapping.judgement import DifferenceKind
from mindport.model.language import say
from mindport.model.span import Position, Span
from mindport.usage.api_use import ApiUse, Call

_RESULT = "-> "  # how the words of a run name what a call gave


def register(server: MindportServer) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint]:
        document = server.document(params.text_document.uri)
        if document is None:
            return []
        wanted = span_of(params.range, document, server.session.abilities.encoding)
        with server.session.folder_of(document).engine.speaking():
            return list(_hints(server.session, document, wanted))


def _hints(session: Session, document: Document, wanted: Span) -> Iterator[types.InlayHint]:
    folder = session.folder_of(document)
    if not folder.settings.inlay_hints:
        return
    encoding = session.abilities.encoding
    for use in session.analyse(document).usage.uses:
        call = use.call
        # Those of other cells are hints of other documents.
        if call is None or use.is_outdated or not wanted.line <= call.span.end_line <= wanted.end_line:
            continue
        end = Position(call.span.end_line, call.span.end_column)
        if result := _seen_result(use):
            yield types.InlayHint(
                position_in(end, document, encoding),
                result,
                types.InlayHintKind.Type,
                tooltip=say("a run of the program showed this"),
                padding_left=True,
            )
        for difference in folder.engine.assess(use).judgement.differences:
            if difference.kind is DifferenceKind.DEFAULT and difference.matters:
                yield types.InlayHint(
                    position_in(Position(end.line, end.column - 1), document, encoding),
                    f"{_comma(call)}{difference.argument}={difference.torch_default} "
                    f"(MindSpore: {difference.mindspore_default})",
                    types.InlayHintKind.Parameter,
                    tooltip=difference.sentence(),
                )


def _comma(call: Call) -> str:
    return ", " if call.arguments else ""


def _seen_result(use: ApiUse) -> str:
    """What a run showed a call to give; empty where nothing did, or it gave several things."""
    results = [words for words in use.seen if words.startswith(_RESULT)]
    return results[0] if len(results) == 1 else ""
