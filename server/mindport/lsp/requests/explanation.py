"""`mindport/explanation`: all that is known of the torch name at a place, or the page of a kind of finding."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from mindport.explain.card import rule_page
from mindport.explain.name_page import api_page
from mindport.lsp.convert import position_of
from mindport.lsp.requests.hover import use_at
from mindport.lsp.server import MindportServer
from mindport.rules.discover import all_rules

EXPLANATION = "mindport/explanation"


def register(server: MindportServer) -> None:
    """Register the handler: `{"uri": FILE, "line": LINE, "character": COLUMN}` is answered with the name and a page in
    markdown, or null where no torch name is; `{"rule": CODE}` with the page of a kind of finding."""

    @server.feature(EXPLANATION)
    def explanation(params: Any) -> dict[str, str] | None:
        session = server.session
        if (rule := all_rules().get(str(getattr(params, "rule", "")))) is not None:
            with session.speaking():
                return {"name": rule.code, "markdown": rule_page(rule)}
        document = server.document(str(getattr(params, "uri", "")))
        line, character = getattr(params, "line", None), getattr(params, "character", None)
        if document is None or not isinstance(line, int) or not isinstance(character, int):
            return None
        place = position_of(types.Position(line, character), document, session.abilities.encoding)
        use = use_at(session.analyse(document).usage.uses, place)
        if use is None or not use.api:
            return None
        folder = session.folder_of(document)
        with folder.engine.speaking():
            page = api_page(use.api, folder.target)
        return None if page is None else {"name": use.api, "markdown": page}
