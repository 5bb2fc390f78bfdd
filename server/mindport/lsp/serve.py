"""The language server as a program: a server with all its requests, on standard input and output."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from pygls.exceptions import JsonRpcException

from mindport.lsp import requests
from mindport.lsp.protocol import message_converter
from mindport.lsp.server import MindportServer
from mindport.lsp.transport import serve

if TYPE_CHECKING:
    from cattrs import Converter


def create_server(converter_factory: Callable[[], Converter] = message_converter) -> MindportServer:
    """A server with all its requests; what the factory makes reads and writes its messages."""
    server = MindportServer(converter_factory)
    requests.register(server)
    return server


def _without_traces_of_refusals(record: logging.LogRecord) -> bool:
    """Log what is refused without saying where in the code: the client is to blame."""
    if record.exc_info and isinstance(record.exc_info[1], JsonRpcException):
        record.msg, record.args, record.exc_info = "refused: %s", (str(record.exc_info[1]),), None
    return True


def run() -> int:
    """Serve on standard input and output until the client leaves or closes the input; the exit code."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_without_traces_of_refusals)
    # Streams of our own: Python cannot end while a thread waits inside its standard input.
    stdin = open(os.dup(sys.stdin.fileno()), "rb")  # noqa: SIM115, PTH123  read until the process ends
    stdout = sys.stdout.buffer
    # Odd literals in the user's code are not for our log.
    warnings.simplefilter("ignore", SyntaxWarning)
    # The output belongs to the protocol; a stray print must not break it.
    sys.stdout = sys.stderr
    return serve(create_server().protocol, stdin, stdout)
