"""`mindport/conversion`: what converting or fixing a whole file would change, for clients that show it beside the file
before they make it."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from mindport.lsp.scene import Scene
from mindport.lsp.server import MindportServer

CONVERSION = "mindport/conversion"


def register(server: MindportServer) -> None:
    """Register the handler: `{"uri": FILE, "unsafe": BOOLEAN}` is answered with a workspace edit, or null where the
    document is not open or nothing changes."""

    @server.feature(CONVERSION)
    def conversion(params: Any) -> types.WorkspaceEdit | None:
        document = server.document(str(getattr(params, "uri", "")))
        if document is None:
            return None
        scene = Scene(server.session, document)
        edits = scene.every_fix(unsafe=getattr(params, "unsafe", False) is True)
        return scene.edit(edits) if edits else None
