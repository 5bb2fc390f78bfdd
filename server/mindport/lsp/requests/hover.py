"""`textDocument/hover`: the card of the torch name under the cursor."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types

from mindport.checking.findings import underlined
from mindport.explain.card import api_card
from mindport.explain.markdown import plain_text
from mindport.explain.second_order import second_order_card
from mindport.lsp.convert import position_of, range_of
from mindport.lsp.document import Document
from mindport.lsp.server import MindportServer
from mindport.model.span import Position, Span
from mindport.model.verdict import Verdict
from mindport.rules.wording import unsaid
from mindport.usage.api_use import ApiUse, Form

_OPERAND = re.compile(r"[\w.'\"]")


def register(server: MindportServer) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        session, document = server.session, server.document(params.text_document.uri)
        if document is None:
            return None
        position = position_of(params.position, document, session.abilities.encoding)
        analysis = session.analyse(document)
        use = use_at(analysis.usage.uses, position)
        links = [link for link in analysis.links if link.use == use] if use is not None else []
        if use is None:
            # Names of MindSpore have rows only where a gradient of a gradient goes through them.
            use = use_at([link.use for link in analysis.links], position)
            links = [link for link in analysis.links if link.use is use]
        if use is None:
            return None
        folder = session.folder_of(document)
        card = ""
        if use.api and not use.api.startswith("mindspore."):
            judgement = folder.engine.assess(use).judgement
            marks = []
            if session.abilities.shows_marks_in_hover:
                marks = [one.message for one in session.shown(document) if one.span == underlined(use)]
            if not links and judgement.verdict is Verdict.SAME and _is_in_operand(use, position, document):
                return None
            with folder.engine.speaking():
                card = api_card(unsaid(judgement, marks), use, folder.target)
        answers = [server.installed.second_order(folder, link) for link in links]
        with folder.engine.speaking():
            sections = [second_order_card(one.answer, one.source) for one in answers if one is not None]
        card = "\n".join(filter(None, [card, *sections]))
        if session.abilities.hover_is_markdown:
            contents = types.MarkupContent(types.MarkupKind.Markdown, card)
        else:
            contents = types.MarkupContent(types.MarkupKind.PlainText, plain_text(card))
        return types.Hover(contents, range_of(use.name_span, document, session.abilities.encoding))


def use_at(uses: Sequence[ApiUse], position: Position) -> ApiUse | None:
    """The use whose last name is under the position, the innermost one: the name of an operator is all of its
    expression. Else the shortest expression around it that is one name. What has changed and does not parse has none:
    nobody knows what it is by now."""
    uses = [use for use in uses if not use.is_outdated]
    named = [use for use in uses if use.name_span.contains(position)]
    if named:
        return min(named, key=lambda use: _extent(use.name_span))
    around = [use for use in uses if use.receiver is None and use.span.contains(position)]
    return min(around, key=lambda use: _extent(use.span), default=None)


def _extent(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column


def _is_in_operand(use: ApiUse, position: Position, document: Document) -> bool:
    """Whether an operator's expression is pointed at where a name or a literal stands, not its sign: a card that says
    that it may stay would lie over every variable."""
    if use.form not in (Form.OPERATOR, Form.INDEX, Form.FORMAT, Form.SIZES):
        return False
    return _OPERAND.match(document.lines[position.line - 1], position.column) is not None
