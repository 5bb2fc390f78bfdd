"""Ways out for a torch name that MindSpore lacks: an operator that calls torch's kernel, written beside the document,
and a request to the community, opened in the browser."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from mindport.explain.request import request
from mindport.lsp.document import Document
from mindport.lsp.server import MindportServer
from mindport.lsp.session import Session
from mindport.model.language import say
from mindport.model.target import Device
from mindport.rewrite.custom_operator.call import OperatorCall, Unsuitable, operator_call
from mindport.rewrite.custom_operator.files import SHARED, operator_files
from mindport.source.lines import LineIndex
from mindport.usage.api_use import ApiUse

KIND = "mindport.wayOut"  # a kind of its own: nothing that applies quick fixes by itself may take one
_REQUEST = "mindport.requestApi"
_FOLDER = "custom_ops"


def register(server: MindportServer) -> None:
    """Register the command that opens a request."""

    @server.command(_REQUEST)
    def request_api(uri: str, name: str, call: str) -> None:
        document = server.document(uri)
        if document is None:
            return
        found = request(name, server.session.folder_of(document).target, call)
        if found is not None:
            server.window_show_document(types.ShowDocumentParams(uri=found.link, external=True))


def request_action(session: Session, document: Document, use: ApiUse) -> Iterator[types.CodeAction]:
    """The action that opens a filled-in issue in the browser, if the client can."""
    if session.abilities.opens_links:
        title = say("Ask MindSpore's community for `{api}`", api=use.api)
        arguments = [document.uri, use.api, _text(document, use)]
        command = types.Command(title=title, command=_REQUEST, arguments=arguments)
        yield types.CodeAction(title=title, kind=KIND, command=command)


def operator_action(session: Session, document: Document, use: ApiUse) -> Iterator[types.CodeAction]:
    """The action that writes a custom operator, where the target can run one and the client makes files."""
    edit = operator_edit(session, document, use)
    if edit is not None:
        title = say("Write a custom operator that calls torch's kernel of `{api}`", api=use.api)
        yield types.CodeAction(title=title, kind=KIND, edit=edit)


def operator_edit(session: Session, document: Document, use: ApiUse) -> types.WorkspaceEdit | None:
    """The files of an operator; None where it cannot be written, or is there already."""
    folder = session.folder_of(document)
    if not session.abilities.creates_files or folder.target.device is not Device.CPU or document.notebook:
        return None
    place = Path(document.path).parent / _FOLDER
    try:
        files = operator_files(_operator(document, use))
    except Unsuitable:
        return None
    changes: list[types.CreateFile | types.TextDocumentEdit] = []
    for name, text in files.items():
        if (place / name).exists():
            if name in SHARED:
                continue
            return None
        uri = (place / name).as_uri()
        changes.append(types.CreateFile(uri=uri))
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri=uri)
        beginning = types.Position(0, 0)
        changes.append(
            types.TextDocumentEdit(identifier, [types.TextEdit(types.Range(beginning, beginning), text)])
        )
    return types.WorkspaceEdit(document_changes=list(changes))


def _operator(document: Document, use: ApiUse) -> OperatorCall:
    """The operator for a use. Raises Unsuitable."""
    try:
        call = ast.parse(f"({_text(document, use)})", mode="eval").body
    except SyntaxError:
        raise Unsuitable("what is called cannot be read") from None
    return operator_call(use.api, call if isinstance(call, ast.Call) else None)


def _text(document: Document, use: ApiUse) -> str:
    """The source of the call; empty for another use."""
    return "" if use.call is None else LineIndex(document.text).slice(use.call.span)
