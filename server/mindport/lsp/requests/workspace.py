"""The files that are not open: `workspace/diagnostic` for clients that pull, and for all others the command
`mindport.index`, which checks the workspace and pushes what it finds."""

from __future__ import annotations

import json

from lsprotocol import types

from mindport.lsp.protocol import PreparedJson
from mindport.lsp.requests.configuration import ask_for_settings
from mindport.lsp.server import MindportServer
from mindport.model.language import say

COMMAND = "mindport.index"


def register(server: MindportServer) -> None:
    """Register the command, and what tells that the folders have changed."""

    @server.command(COMMAND)
    async def index() -> dict[str, object] | None:
        summary = await server.background.begin_as_asked()
        if summary is None:
            return None
        kind = types.MessageType.Warning if summary.problems else types.MessageType.Info
        with server.session.speaking():
            text = say(
                "mindport: files checked: {files}; errors: {errors}, warnings: {warnings}",
                files=f"{summary.files:,}",
                errors=f"{summary.errors:,}",
                warnings=f"{summary.warnings:,}",
            )
        server.show(kind, "; ".join([text, *summary.problems]))
        return {"files": summary.files, "errors": summary.errors, "warnings": summary.warnings}

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def did_change_workspace_folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        server.background.files_changed()
        await ask_for_settings(server)


def register_pull(server: MindportServer) -> None:
    """Register the request, for a client that pulls; `initialize` decides."""

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def workspace_diagnostic(params: types.WorkspaceDiagnosticParams) -> PreparedJson:
        known = {one.uri: one.value for one in params.previous_result_ids}
        token = params.partial_result_token

        def send(reports: list[str]) -> None:
            value = f'{{"token":{json.dumps(token)},"value":{{"items":[{",".join(reports)}]}}}}'
            server.protocol.notify_prepared(types.PROGRESS, PreparedJson(value))

        reports = await server.background.pull(known, send if token is not None else None)
        return PreparedJson(f'{{"items":[{",".join(reports)}]}}')
