"""The protocol with short cuts for typing speed, and an answer to every request however it is made.

A file of 4,000 lines can have a thousand diagnostics, of which a key changes one. Building a thousand protocol objects
and turning them back into JSON costs more than all of the analysis; so diagnostics travel as ready-made JSON. And the
text of open documents is kept by `Document`, not a second time by pygls."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.language_server import lsp_method

if TYPE_CHECKING:
    from cattrs import Converter

_LOG = logging.getLogger(__name__)


def message_converter() -> Converter:
    """What makes objects of messages and messages of objects. What is wrong in a message it tells without the place,
    which nobody is told: code that keeps the places takes longer to compile, and is compiled at each start."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    converter.detailed_validation = False
    return converter


class PreparedJson:
    """The result of a request, or the parameters of a notification, as JSON text."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _give_arguments(message: dict[str, Any]) -> None:
    """A command without arguments gets none, which pygls refuses where some are due; without a list it calls what
    serves the command all the same."""
    parameters = message.get("params")
    if message.get("method") == types.WORKSPACE_EXECUTE_COMMAND and isinstance(parameters, dict):
        parameters["arguments"] = parameters.get("arguments") or []


class MindportProtocol(LanguageServerProtocol):
    """pygls' protocol, with prepared JSON, without its copies of the documents, and strict about what it takes."""

    ended: asyncio.Future[int]
    _is_begun = False

    def receive(self, body: bytes) -> None:
        """Handle the body of one message. Never raises: what cannot be understood is answered where an answer is
        due, and else logged."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            _LOG.warning("a message is no JSON")
            self._refuse(None, JsonRpcParseError("the message is no JSON"))
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            _LOG.warning("a message is no JSON-RPC 2.0 object")
            self._refuse(None, JsonRpcInvalidRequest("the message is no JSON-RPC 2.0 object"))
            return
        identifier = message.get("id")
        if not (
            identifier is None or (isinstance(identifier, (int, str)) and not isinstance(identifier, bool))
        ):
            self._refuse(None, JsonRpcInvalidRequest("`id` is neither a number nor a string"))
            return
        problem = self._problem_with(message)
        if problem is None:
            _give_arguments(message)
            try:
                structured = self.structure_message(message)
            except (JsonRpcException, RecursionError):
                problem = JsonRpcInvalidParams(
                    f"the parameters of `{message.get('method', '')}` are not valid"
                )
        if problem is None:
            self._is_begun = True
            self.handle_message(structured)
        elif "method" in message and identifier is not None:
            self._refuse(identifier, problem)
        else:
            _LOG.info("ignored a message: %s", problem)

    def end(self, code: int) -> None:
        """Stop serving."""
        if not self.ended.done():
            self.ended.set_result(code)

    def _problem_with(self, message: dict[str, Any]) -> JsonRpcException | None:
        """What forbids to hand a message on, apart from its parameters."""
        method = message.get("method")
        if "method" not in message:
            is_answer = "id" in message and ("result" in message or "error" in message)
            return None if is_answer else JsonRpcInvalidRequest("neither a request nor an answer")
        if not isinstance(method, str):
            return JsonRpcInvalidRequest("`method` is no string")
        if method == types.INITIALIZE:
            if self._is_begun:
                return JsonRpcInvalidRequest("`initialize` was sent before")
        elif not self._is_begun and method != types.EXIT:
            return JsonRpcServerNotInitialized("the first message must be `initialize`")
        if self._shutdown and method != types.EXIT:
            return JsonRpcInvalidRequest("the server was told to shut down")
        if method not in self.fm.builtin_features and method not in self.fm.features:
            return None if method == types.CANCEL_REQUEST else JsonRpcMethodNotFound.of(method)
        return None

    def _refuse(self, identifier: int | str | None, problem: JsonRpcException) -> None:
        error = {"code": problem.code, "message": problem.message}
        self.send_text(json.dumps({"jsonrpc": self.VERSION, "id": identifier, "error": error}))

    def _execute_handler(self, msg_id: Any, *args: Any, **kwargs: Any) -> None:
        super()._execute_handler(msg_id, *args, **kwargs)
        # pygls keeps what a notification was answered with, for ever; requests it forgets by itself.
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():
            self._request_futures.pop(msg_id, None)

    def _send_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        if error is None and isinstance(result, PreparedJson):
            self._result_types.pop(msg_id, None)
            identifier = json.dumps(msg_id)
            self.send_text(f'{{"jsonrpc":"2.0","id":{identifier},"result":{result.text}}}')
            return
        super()._send_response(msg_id, result, error)

    def notify_prepared(self, method: str, parameters: PreparedJson) -> None:
        """Send a notification whose parameters are JSON already."""
        self.send_text(f'{{"jsonrpc":"2.0","method":"{method}","params":{parameters.text}}}')

    def send_text(self, body: str) -> None:
        """Send one message that is JSON already."""
        if self.writer is None:
            return
        data = body.encode(self.CHARSET)
        self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Any:
        """The end; a client that did not ask to shut down first has failed."""
        self.end(0 if self._shutdown else 1)
        yield from ()

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Any:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Any:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Any:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def lsp_notebook_document__did_open(self, params: types.DidOpenNotebookDocumentParams) -> Any:
        yield self.fm.features[types.NOTEBOOK_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def lsp_notebook_document__did_change(self, params: types.DidChangeNotebookDocumentParams) -> Any:
        yield self.fm.features[types.NOTEBOOK_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def lsp_notebook_document__did_close(self, params: types.DidCloseNotebookDocumentParams) -> Any:
        yield self.fm.features[types.NOTEBOOK_DOCUMENT_DID_CLOSE], (params,), None
