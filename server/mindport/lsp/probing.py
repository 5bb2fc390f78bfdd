"""Asks an interpreter of the user beside the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import tempfile
import threading
from pathlib import Path

from mindport.registry.probe import ProbeAnswer, ProbeFailure, finish_probe, not_started
from mindport.registry.probe_process import kill_probe, start_probe


async def ask_probe(
    interpreter: Path, probe: str, request: dict[str, object], seconds: float
) -> ProbeAnswer | ProbeFailure:
    """`run_probe` in a thread and in a folder of its own. Who gives up waiting, or the end of the server, ends the
    process and all that it started."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[ProbeAnswer | ProbeFailure] = loop.create_future()
    # MindSpore leaves files where it runs.
    with tempfile.TemporaryDirectory(prefix="mindport-", ignore_cleanup_errors=True) as folder:
        try:
            process = start_probe(interpreter, probe, subprocess.PIPE, folder)
        except OSError as error:
            return not_started(interpreter, error)

        def hand_over(answer: ProbeAnswer | ProbeFailure) -> None:
            if not result.done():
                result.set_result(answer)

        def wait() -> None:
            answer = finish_probe(process, interpreter, request, seconds)
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(hand_over, answer)

        # A daemon, so that the server never waits for it at its end.
        threading.Thread(target=wait, name=f"probe {probe}", daemon=True).start()
        try:
            return await result
        finally:
            kill_probe(process)
