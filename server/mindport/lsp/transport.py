"""Messages between the byte streams and the protocol: framing, and an answer for every message that is none.

One thread reads; everything else happens on the event loop, in the order of arrival. pygls has a loop of its own, but
it hops through a thread pool for every header line, ends on a bad frame, and leaves requests that it cannot read
without an answer."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import threading
from typing import BinaryIO

from mindport.lsp.protocol import MindportProtocol

_LOG = logging.getLogger(__name__)
# Behind what is left of a message that was longer than its header said, too.
_LENGTH = re.compile(rb".*content-length\s*:\s*(\d+)\s*", re.IGNORECASE | re.DOTALL)
# No JSON holds a line end within a string: such a header is one of the next message.
_NEXT_HEADER = re.compile(rb"content-length\s*:\s*\d+\s*\r\n", re.IGNORECASE)
_NAME = b"content-length"
# One of which the end is still to come: its name, whole or not, behind the end of a message.
_CUT_HEADER = re.compile(
    rb"(?<=[}\]])(?:%b\s*:\s*\d*\s*|%b)\Z"
    % (_NAME, b"|".join(_NAME[:size] for size in range(len(_NAME), 0, -1))),
    re.IGNORECASE,
)
# More than any editor sends at once; a larger number is a sign of a stream that is not ours.
_LARGEST_MESSAGE = 1 << 30
_SECONDS_TO_END = 5.0  # once the client has gone


class MessageReader:
    """Cuts a byte stream into the bodies of messages."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._taken_back = b""

    def read(self) -> bytes | None:
        """The body of the next message; None when the stream has ended, be it in the middle of one. Lines that are no
        header are passed over, and where a header tells a wrong length the next one is looked for, so that a
        disturbance costs one message at most."""
        length = None
        while True:
            line = self._line()
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
                return self._body(length)

    def _body(self, length: int) -> bytes | None:
        body = self._taken_back[:length]
        self._taken_back = self._taken_back[length:]
        body += self._stream.read(length - len(body))
        if len(body) < length:
            return None
        end = _end_of_message(body)
        if end < length:
            _LOG.error("a message has fewer bytes than the %d that it claims to have", length)
            self._taken_back = body[end:] + self._taken_back
        return body[:end]

    def _line(self) -> bytes:
        line, line_end, self._taken_back = self._taken_back.partition(b"\n")
        return line + line_end if line_end else line + self._stream.readline()


def _end_of_message(body: bytes) -> int:
    """Where the header of the next message begins in what should be one message, or the end."""
    if b"\r\n" in body:
        match = _NEXT_HEADER.search(body)
        if match is not None:
            return match.start()
    if not body.endswith((b"}", b"]")):
        tail = max(len(body) - 40, 0)
        match = _CUT_HEADER.search(body, tail)
        if match is not None:
            return match.start()
    return len(body)


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
    is_over = threading.Event()

    def read_all() -> None:
        try:
            while (body := reader.read()) is not None:
                loop.call_soon_threadsafe(protocol.receive, body)
            loop.call_soon_threadsafe(protocol.end, 0)
        except RuntimeError:
            _LOG.debug("the loop ended before the input did")
        # A client that has gone without reading to the end leaves the loop waiting for room in a pipe.
        if not is_over.wait(_SECONDS_TO_END):
            os._exit(1)

    # A daemon: it may still wait for input when `exit` has come.
    threading.Thread(target=read_all, name="reader", daemon=True).start()
    code: int = await protocol.ended
    writer.close()
    is_over.set()
    return code
