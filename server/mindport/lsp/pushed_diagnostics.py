"""Diagnostics that are pushed: those of a file are replaced whole, so the findings and the failures of the last trial,
which come at different times, go together."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from lsprotocol import types

from mindport.lsp.protocol import PreparedJson

NONE = "[]"


class PushedDiagnostics:
    """What the client was told last of each file; diagnostics are JSON lists. `notify` sends a notification."""

    def __init__(self, notify: Callable[[str, PreparedJson], None]) -> None:
        self._notify = notify
        self._findings: dict[str, tuple[str, int | None]] = {}
        self._failures: dict[str, str] = {}

    def push(self, uri: str, findings: str, version: int | None = None) -> None:
        """The findings of a file are these now; of an open one, in a version."""
        if findings == NONE and version is None:
            self._findings.pop(uri, None)
        else:
            self._findings[uri] = (findings, version)
        self._send(uri)

    def push_failures(self, failures: Mapping[str, str]) -> None:
        """The failures of the last trial are these now, by file."""
        changed = {**self._failures, **failures}
        self._failures = dict(failures)
        for uri in changed:
            self._send(uri)

    def _send(self, uri: str) -> None:
        findings, version = self._findings.get(uri, (NONE, None))
        failures = self._failures.get(uri, NONE)
        shown = ",".join(one[1:-1] for one in (findings, failures) if one != NONE)
        of_version = "" if version is None else f'"version":{version},'
        body = f'{{"uri":{json.dumps(uri)},{of_version}"diagnostics":[{shown}]}}'
        self._notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, PreparedJson(body))
