"""One file for each request or family of notifications; each registers its handlers with the server."""

from __future__ import annotations

from mindport.lsp.requests import (
    code_actions,
    code_lens,
    configuration,
    documents,
    explanation,
    hover,
    inlay_hints,
    lifecycle,
    migration,
    notebooks,
    targets,
    ways_out,
    whole_file,
    workspace,
)
from mindport.lsp.server import MindportServer


def register(server: MindportServer) -> None:
    """Register the handlers of all requests; pulled diagnostics join them when a client that pulls has come."""
    for request in (
        lifecycle,
        documents,
        notebooks,
        configuration,
        hover,
        code_actions,
        code_lens,
        inlay_hints,
        explanation,
        whole_file,
        targets,
        ways_out,
        migration,
        workspace,
    ):
        request.register(server)
