"""`textDocument/diagnostic`: the diagnostics for clients that ask for them. The others get them pushed."""

from __future__ import annotations

import asyncio
import json

from lsprotocol import types

from mindport.lsp.protocol import PreparedJson
from mindport.lsp.server import MindportServer
from mindport.lsp.workspace_index import result_name


def register(server: MindportServer) -> None:
    """Register the handler for a client that pulls; `initialize` decides, before the capabilities are sent."""

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=True, identifier="mindport"
        ),
    )
    async def diagnostic(params: types.DocumentDiagnosticParams) -> PreparedJson:
        # Changes that have arrived meanwhile come first: nobody wants the diagnostics of a text that is past.
        await asyncio.sleep(0)
        document = server.document(params.text_document.uri)
        if document is not None:
            await server.before_first_answer(document)
            document = server.document(params.text_document.uri)  # it may have been closed meanwhile
        if document is None:
            return PreparedJson('{"kind":"full","items":[]}')
        items = server.session.diagnostics_json(document)
        server.follow_up(document)
        # The text of the answer names it: equal answers have equal names, whatever lies between.
        result = f"{document.version}-{result_name(items)}"
        if (
            params.previous_result_id
            and params.previous_result_id.partition("-")[2] == result.partition("-")[2]
        ):
            return PreparedJson(f'{{"kind":"unchanged","resultId":{json.dumps(result)}}}')
        return PreparedJson(f'{{"kind":"full","resultId":{json.dumps(result)},"items":{items}}}')
