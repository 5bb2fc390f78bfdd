"""`mindport/overview` and `mindport/report`: the state of a whole folder as a tree, and its migration report as a page.
Neither is in the protocol; clients that show them ask for them by these names."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from mindport.lsp.document import path_of_uri
from mindport.lsp.progress import Progress
from mindport.lsp.protocol import PreparedJson
from mindport.lsp.server import MindportServer
from mindport.lsp.survey_messages import Advance, Answer, Overview, SurveyRequest
from mindport.lsp.surveys import run_survey
from mindport.model.language import say

OVERVIEW = "mindport/overview"
REPORT = "mindport/report"


def register(server: MindportServer) -> None:
    """Register the handlers. Each takes `{"uri": FOLDER}` and answers null where the user cancels it or there is no
    such folder."""

    @server.feature(OVERVIEW)
    async def overview(params: Any) -> PreparedJson | None:
        answer = await _surveyed(server, params, "overview")
        if isinstance(answer, Overview):
            _remember(server, f"{params.uri.rstrip('/')}/", answer)
        return _prepared(answer)

    @server.feature(REPORT)
    async def report(params: Any) -> PreparedJson | None:
        return _prepared(await _surveyed(server, params, "page"))


def _remember(server: MindportServer, folder: str, answer: Overview) -> None:
    """What is expected of the programs of a folder, for the lenses at their entry points."""
    known = server.session.programs
    kept = {uri: one for uri, one in known.items() if not uri.startswith(folder)}
    programs = {**kept, **{one.uri: one for one in answer.programs}}
    if programs != known:
        server.session.programs = programs
        server.refresh_lenses()


async def _surveyed(
    server: MindportServer, params: Any, wanted: Literal["overview", "page"]
) -> Answer | None:
    uri = getattr(params, "uri", None)
    folder = path_of_uri(uri) if isinstance(uri, str) else None
    if folder is None or not folder.is_dir():
        return None
    session = server.session
    request = SurveyRequest(
        folder=str(folder),
        wanted=wanted,
        encoding=session.abilities.encoding,
        overrides=dict(session.settings.of_directory(str(folder))),
        language=session.abilities.language,
        texts={one.path: one.text for one in session.documents.values() if one.notebook is None},
    )

    def show(advance: Advance) -> None:
        said = say("{done} of {of} files", done=advance.done, of=advance.of)
        progress.show(said, 100 * advance.done // advance.of)

    with session.speaking():
        async with Progress(server, "mindport", say("reading {folder}", folder=folder.name)) as progress:
            return await progress.unless_cancelled(run_survey(request, show))


def _prepared(answer: Answer | None) -> PreparedJson | None:
    return None if answer is None else PreparedJson(msgspec.json.encode(answer).decode())
