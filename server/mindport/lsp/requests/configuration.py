"""Settings that change while the server runs: those of the editor, pyproject.toml, and files that documents depend
on."""

from __future__ import annotations

import logging
from pathlib import PurePosixPath

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from mindport.config.interpreter import ENVIRONMENT_FILES
from mindport.config.requirement import REQUIREMENT_FILES
from mindport.lsp.document import path_of_uri
from mindport.lsp.editor_settings import EditorSettings, editor_settings
from mindport.lsp.server import MindportServer
from mindport.mapping.shared_evidence import DEFAULT_FILE

_LOG = logging.getLogger(__name__)


def register(server: MindportServer) -> None:
    """Register the handlers."""

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        settings = editor_settings(params.settings)
        if settings is not None:
            server.read_settings(EditorSettings(settings))
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
    """Whether a file may hold settings, evidence, or the version of MindSpore that the project requires or has."""
    patterns = (*REQUIREMENT_FILES, *ENVIRONMENT_FILES, DEFAULT_FILE)
    return any(PurePosixPath(uri).match(pattern) for pattern in patterns)


async def ask_for_settings(server: MindportServer) -> None:
    """Take the section `mindport` of the client's settings, where the client answers such a question. In a workspace of
    several folders each is asked for, since it may have settings of its own."""
    if not server.session.abilities.answers_configuration:
        return
    folders = list(server.workspace.folders)
    scopes = [None, *folders] if len(folders) > 1 else [None]
    items = [types.ConfigurationItem(scope_uri=scope, section="mindport") for scope in scopes]
    try:
        answer = await server.workspace_configuration_async(types.ConfigurationParams(items=items))
    except JsonRpcException as error:
        _LOG.info("the client does not tell its settings: %s", error)
        return
    told = [editor_settings(one) for one in answer or ()]
    everywhere = told[0] if told and told[0] is not None else server.session.settings.everywhere
    by_folder = {
        str(path_of_uri(uri)): own
        for uri, own in zip(folders, told[1:], strict=False)
        if own is not None and own != everywhere
    }
    server.read_settings(EditorSettings(everywhere, by_folder))
