"""Settings that change while the server runs: those of the editor, pyproject.toml, and files that documents depend
on."""

from __future__ import annotations

import logging
from pathlib import PurePosixPath

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from mindport.config.requirement import REQUIREMENT_FILES
from mindport.lsp.server import MindportServer
from mindport.lsp.session import editor_settings
from mindport.mapping.shared_evidence import DEFAULT_FILE

_LOG = logging.getLogger(__name__)


def register(server: MindportServer) -> None:
    """Register the handlers."""

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        settings = editor_settings(params.settings)
        if settings is not None:
            server.read_settings(settings)
        else:
            await ask_for_settings(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        if any(_says_the_target(change.uri) for change in params.changes):
            server.read_settings()
        else:
            for folder in server.session.folders():
                server.load_neighbours(folder)
            server.background.files_changed()


def _says_the_target(uri: str) -> bool:
    """Whether a file may hold settings, evidence, or the version of MindSpore that the project requires."""
    return any(PurePosixPath(uri).match(pattern) for pattern in (*REQUIREMENT_FILES, DEFAULT_FILE))


async def ask_for_settings(server: MindportServer) -> None:
    """Take the section `mindport` of the client's settings, where the client answers such a question."""
    if not server.session.abilities.answers_configuration:
        return
    items = [types.ConfigurationItem(section="mindport")]
    try:
        answer = await server.workspace_configuration_async(types.ConfigurationParams(items=items))
    except JsonRpcException as error:
        _LOG.info("the client does not tell its settings: %s", error)
        return
    settings = editor_settings(answer[0]) if answer else None
    if settings is not None:
        server.read_settings(settings)
