"""The protocol with two short cuts for typing speed.

A file of 4,000 lines can have a thousand diagnostics, of which a key changes one. Building a thousand protocol objects
and turning them back into JSON costs more than all of the analysis; so diagnostics travel as ready-made JSON. And the
text of open documents is kept by `Document`, not a second time by pygls."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method


class PreparedJson:
    """The result of a request, or the parameters of a notification, as JSON text."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class MindportProtocol(LanguageServerProtocol):
    """pygls' protocol, with prepared JSON and without its copies of the documents."""

    def _send_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        if error is None and isinstance(result, PreparedJson):
            self._result_types.pop(msg_id, None)
            identifier = f'"{msg_id}"' if isinstance(msg_id, str) else str(msg_id)
            self.send_text(f'{{"jsonrpc":"2.0","id":{identifier},"result":{result.text}}}')
            return
        super()._send_response(msg_id, result, error)

    def notify_prepared(self, method: str, parameters: PreparedJson) -> None:
        """Send a notification whose parameters are JSON already."""
        self.send_text(f'{{"jsonrpc":"2.0","method":"{method}","params":{parameters.text}}}')

    def send_text(self, body: str) -> None:
        """Send one message that is JSON already. A client that is gone is noticed by the reading side."""
        if self.writer is None:
            return
        data = body.encode(self.CHARSET)
        self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Any:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Any:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Any:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None
