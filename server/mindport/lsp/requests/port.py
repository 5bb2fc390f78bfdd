"""`workspace/executeCommand` for `mindport.port` and `mindport.try`: only in a workspace that the client trusts,
because the one writes files and the other runs them."""

from __future__ import annotations

from typing import Any

import msgspec
from pygls.exceptions import JsonRpcInvalidParams

from mindport.lsp.port_messages import Answer
from mindport.lsp.port_runs import PortRuns
from mindport.lsp.protocol import PreparedJson
from mindport.lsp.server import MindportServer

PORT = "mindport.port"
TRY = "mindport.try"


def register(server: MindportServer) -> None:
    """Register the commands, for a client that trusts the workspace; `initialize` decides."""
    runs = PortRuns(server)

    @server.command(PORT)
    async def port(source: str, destination: str) -> PreparedJson:
        with server.session.speaking():
            return _prepared(await runs.port(source, destination))

    @server.command(TRY)
    async def try_port(
        folder: str, *files: Any
    ) -> PreparedJson:  # pygls knows no argument that may be missing
        if len(files) > 1 or not all(isinstance(one, str) for one in files):
            raise JsonRpcInvalidParams("the arguments are the URI of a port and that of at most one file")
        with server.session.speaking():
            return _prepared(await runs.try_port(folder, *files))


def _prepared(answer: Answer) -> PreparedJson:
    return PreparedJson(msgspec.json.encode(answer).decode())
