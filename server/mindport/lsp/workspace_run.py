"""Starts `workspace_check` and hands on what it says."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator

import msgspec

from mindport.lsp.own_process import start
from mindport.lsp.workspace_check import CheckRequest, Finished, Line

_decoder = msgspec.json.Decoder(Line)


async def checked_files(request: CheckRequest) -> AsyncGenerator[Line, None]:
    """What the process says, line by line, `Finished` at the end. Who stops listening ends the process; one that fails
    is finished with a problem."""
    process = await start("mindport.lsp.workspace_check")
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(msgspec.json.encode(request) + b"\n")
            await process.stdin.drain()
        async for line in process.stdout:
            said = _decoder.decode(line)
            yield said
            if isinstance(said, Finished):
                return
            # Lines that are there already come without a pause; requests go first.
            await asyncio.sleep(0)
        yield Finished("the check of the workspace ended early; the server's log says why")
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
