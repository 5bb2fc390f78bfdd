"""`mindport/targets`: the target of a document, why it is that one, and what others could be chosen."""

from __future__ import annotations

from typing import Any

from mindport.lsp.server import MindportServer
from mindport.model.target import Device, Mode
from mindport.registry.mindspore import collected_versions

TARGETS = "mindport/targets"


def register(server: MindportServer) -> None:
    """Register the handler: `{"uri": FILE}` is answered with the present version, device and mode, the reasons for
    them, and the choices of each. Without an open document the present ones are null."""

    @server.feature(TARGETS)
    def targets(params: Any) -> dict[str, object]:
        document = server.document(str(getattr(params, "uri", "")))
        folder = None if document is None else server.session.folder_of(document)
        present = None if folder is None else folder.target
        return {
            "version": None if present is None else str(present.version),
            "device": None if present is None else present.device.value,
            "mode": None if present is None else present.mode.value,
            "reasons": [] if folder is None else list(folder.reasons),
            "versions": [str(version) for version in sorted(collected_versions(), reverse=True)],
            "devices": [device.value for device in Device],
            "modes": [mode.value for mode in Mode],
        }
