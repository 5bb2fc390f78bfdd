"""Messages between the byte streams and the protocol: framing, and an answer for every message that is none.

One thread reads; everything else happens on the event loop, in the order of arrival. pygls has a loop of its own, but
it hops through a thread pool for every header line, ends on a bad frame, and leaves requests that it cannot read
without an answer."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from typing import BinaryIO

from mindport.lsp.protocol import MindportProtocol

_LOG = logging.getLogger(__name__)
_LENGTH = re.compile(rb"\s*content-length\s*:\s*(\d+)\s*", re.IGNORECASE)
# More than any editor sends at once; a larger number is a sign of a stream that is not ours.
_LARGEST_MESSAGE = 1 << 30


class MessageReader:
    """Cuts a byte stream into the bodies of messages."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def read(self) -> bytes | None:
        """The body of the next message; None when the stream has ended, be it in the middle of one. Lines that are no
        header are passed over, so that a disturbance costs one message at most."""
        length = None
        while True:
            line = self._stream.readline()
            if not line:
                return None
            if line.strip():
                match = _LENGTH.fullmatch(line)
                if match is not None:
                    length = int(match[1])
            elif length is not None:
                if length > _LARGEST_MESSAGE:
                    _LOG.error("a message claims to have %d bytes; it is passed over", length)
                    length = None
                    continue
                body = self._stream.read(length)
                return body if len(body) == length else None


class MessageWriter:
    """Writes messages; a client that has gone is noticed by the reading side."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._is_open = True

    def write(self, data: bytes) -> None:
        """Write bytes and send them off."""
        if not self._is_open:
            return
        try:
            self._stream.write(data)
            self._stream.flush()
        except (BrokenPipeError, ConnectionResetError):
            self._is_open = False

    def close(self) -> None:
        """Write nothing any more. The stream is not ours to close."""
        self._is_open = False


def serve(protocol: MindportProtocol, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Hand on messages until the client says `exit` or the input ends; the exit code. A client that vanishes is the
    usual end: few say good-bye."""
    try:
        return asyncio.run(_serve(protocol, MessageReader(stdin), MessageWriter(stdout)))
    except KeyboardInterrupt:
        return 130


async def _serve(protocol: MindportProtocol, reader: MessageReader, writer: MessageWriter) -> int:
    loop = asyncio.get_running_loop()
    protocol.set_writer(writer)
    protocol.ended = loop.create_future()

    def read_all() -> None:
        try:
            while (body := reader.read()) is not None:
                loop.call_soon_threadsafe(protocol.receive, body)
            loop.call_soon_threadsafe(protocol.end, 0)
        except RuntimeError:
            _LOG.debug("the loop ended before the input did")

    # A daemon: it may still wait for input when `exit` has come.
    threading.Thread(target=read_all, name="reader", daemon=True).start()
    code: int = await protocol.ended
    writer.close()
    return code
