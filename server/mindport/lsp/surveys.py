"""Runs `workspace_survey` beside the event loop, with progress that the user can cancel."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import msgspec

from mindport.lsp.own_process import start
from mindport.lsp.survey_messages import Advance, Answer, SurveyRefusal, SurveyRequest
from mindport.model.language import say

_decoder = msgspec.json.Decoder(Advance | Answer)


async def run_survey(request: SurveyRequest, advanced: Callable[[Advance], None]) -> Answer:
    """The answer of a survey; `advanced` hears of each file. Who gives up waiting ends the process. Never raises for
    what the files hold: a survey that fails is a refusal with its last words."""
    process = await start("mindport.lsp.workspace_survey", keeps_errors=True)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    errors = asyncio.ensure_future(process.stderr.read())
    try:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(msgspec.json.encode(request))
            await process.stdin.drain()
        process.stdin.close()
        async for line in process.stdout:
            said: Advance | Answer = _decoder.decode(line)
            if not isinstance(said, Advance):
                return said
            advanced(said)
        last = (await errors).decode("utf-8", "replace").strip().splitlines()
        return SurveyRefusal(last[-1] if last else say("the survey ended without an answer"))
    finally:
        errors.cancel()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
