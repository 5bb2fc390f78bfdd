"""`initialize` and `initialized`: who the client is, and what the server asks of it in return."""

from __future__ import annotations

from lsprotocol import types

from mindport.config.interpreter import ENVIRONMENT_FILES
from mindport.config.requirement import REQUIREMENT_FILES
from mindport.lsp.requests import diagnostics, port, verify_second_order, workspace
from mindport.lsp.requests.configuration import ask_for_settings
from mindport.lsp.server import MindportServer
from mindport.mapping.shared_evidence import DEFAULT_FILE

_WATCHED = (
    "**/*.py",
    *(f"**/{name}" for name in (*REQUIREMENT_FILES, *ENVIRONMENT_FILES, DEFAULT_FILE)),
)  # pyproject.toml is one of them


def register(server: MindportServer) -> None:
    """Register the handlers."""

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.begin(params)
        # Both ways of diagnostics at once would show each one twice.
        if server.session.abilities.pulls_diagnostics:
            diagnostics.register(server)
            workspace.register_pull(server)
        if server.session.abilities.trusts_workspace:
            verify_second_order.register(server)
            port.register(server)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        if server.session.abilities.watches_files:
            watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in _WATCHED]
            registration = types.Registration(
                id="mindport-files",
                method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                register_options=types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers),
            )
            # The answer is not waited for: a client that refuses goes without the watching.
            server.client_register_capability(types.RegistrationParams(registrations=[registration]))
        await ask_for_settings(server)
