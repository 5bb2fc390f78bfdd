"""`workspace/executeCommand` for `mindport.verifySecondOrder`, and the actions that offer it: only in a workspace that
the client trusts, because it runs the user's code, and only where MindSpore is installed."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from mindport.lsp.convert import diagnostic_of
from mindport.lsp.document import Document
from mindport.lsp.double_gradient import DoubleGradient, can_run
from mindport.lsp.server import MindportServer
from mindport.lsp.session import Session
from mindport.model.finding import Finding
from mindport.model.language import say
from mindport.model.span import Span
from mindport.rules.wording import without_target
from mindport.usage.entries import entry_at

COMMAND = "mindport.verifySecondOrder"
KIND = "mindport.verify"  # a kind of its own: nothing that applies quick fixes by itself may run code
SECOND_ORDER = "MP2"  # how the codes of findings about second-order gradients begin


def register(server: MindportServer) -> None:
    """Register the command, for a client that trusts the workspace; `initialize` decides."""
    runs = DoubleGradient(server)

    @server.command(COMMAND)
    def verify_second_order(uri: str, entry: str) -> None:
        document = server.document(uri)
        if document is not None:
            runs.begin(document, entry)


def offers(
    session: Session, document: Document, findings: list[Finding], place: Span
) -> Iterator[types.CodeAction]:
    """The action for the function or class around a place, where a gradient of a gradient through it has a finding.
    Code that still is torch's is not run."""
    found = [one for one in findings if one.rule.startswith(SECOND_ORDER) and not one.api.startswith("torch")]
    folder = session.folder_of(document)
    if document.notebook is not None:
        return  # a cell is not to be imported
    if not found or not session.abilities.trusts_workspace or not can_run(folder):
        return
    units = folder.project.units(document.path)
    entry = entry_at(units, place.line)
    within = [one for one in found if entry_at(units, one.span.line) == entry]
    if not entry or not within:
        return
    title = say("Differentiate `{entry}` twice with the installed MindSpore (runs your code)", entry=entry)
    yield types.CodeAction(
        title=title,
        kind=KIND,
        command=types.Command(title=title, command=COMMAND, arguments=[document.uri, entry]),
        diagnostics=[
            diagnostic_of(without_target(one, folder.target), document, session.abilities) for one in within
        ],
    )
