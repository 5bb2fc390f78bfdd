"""Messages that are wrong: each is answered where an answer is due, and the next right one is served."""

from __future__ import annotations

import fcntl
import io
import json
import struct
import subprocess
import sys
import termios
import time
from typing import Any

import pytest
from language_client import LIMIT, InnerClient, ProcessClient, place

from mindport.lsp.transport import MessageReader

URI = "untitled:Untitled-1"
TEXT = "import torch\n\ntorch.no_such_name\n"
PARSE_ERROR, INVALID_REQUEST, NOT_FOUND, INVALID_PARAMS, NOT_BEGUN = -32700, -32600, -32601, -32602, -32002


def request(method: str, **rest: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": "q", "method": method, **rest}).encode()


REQUESTS = [
    (b"{", PARSE_ERROR),
    (b"\xff\xfe", PARSE_ERROR),
    (b"[" * 100_000, PARSE_ERROR),
    (b"[]", INVALID_REQUEST),
    (b"3", INVALID_REQUEST),
    (b"null", INVALID_REQUEST),
    (b'{"id": 1, "method": "textDocument/hover"}', INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": [], "method": "shutdown"}', INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": 1, "method": 7}', INVALID_REQUEST),
    (request("no/such/method"), NOT_FOUND),
    (request("no/such/method", params={"jsonrpc": "2.0"}), NOT_FOUND),
    (request("textDocument/diagnostic", params={"textDocument": {"uri": URI}}), NOT_FOUND),
    (request("initialize", params={"capabilities": {}}), INVALID_REQUEST),
    (request("textDocument/hover"), INVALID_PARAMS),
    (request("textDocument/hover", params=None), INVALID_PARAMS),
    (request("textDocument/hover", params=[]), INVALID_PARAMS),
    (request("textDocument/hover", params={"textDocument": 3}), INVALID_PARAMS),
    (
        request("textDocument/hover", params={"textDocument": {"uri": URI}, "position": {"line": "x"}}),
        INVALID_PARAMS,
    ),
    (request("textDocument/codeAction", params={"textDocument": {"uri": URI}}), INVALID_PARAMS),
    (request("codeAction/resolve", params={}), INVALID_PARAMS),
]


@pytest.mark.parametrize(("body", "code"), REQUESTS)
def test_wrong_request_gets_an_error(client: InnerClient, body: bytes, code: int) -> None:
    client.start()
    client.send_body(body)
    answer = client.wait(lambda message: "error" in message)
    assert answer["error"]["code"] == code
    assert "Traceback" not in json.dumps(answer)
    client.open(URI, TEXT)
    assert len(client.published(URI)) == 1


NOTIFICATIONS = [
    ("no/such/method", {}),
    ("$/unknown", None),
    ("$/cancelRequest", {"id": 99}),
    ("$/setTrace", {"value": "verbose"}),
    ("textDocument/didOpen", None),
    ("textDocument/didOpen", {"textDocument": {"uri": 3}}),
    ("textDocument/didChange", {}),
    (
        "textDocument/didChange",
        {"textDocument": {"uri": "file:///never/opened.py", "version": 2}, "contentChanges": [{"text": "x"}]},
    ),
    ("textDocument/didChange", {"textDocument": {"uri": URI, "version": "x"}, "contentChanges": "x"}),
    (
        "textDocument/didChange",
        {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"range": 3, "text": ""}]},
    ),
    ("textDocument/didClose", {"textDocument": {"uri": "file:///never/opened.py"}}),
    ("textDocument/didSave", {"textDocument": {"uri": "file:///never/opened.py"}}),
    ("workspace/didChangeConfiguration", {}),
    ("workspace/didChangeConfiguration", {"settings": 3}),
    ("workspace/didChangeConfiguration", {"settings": {"mindport": [1]}}),
    ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "file:///nowhere/pyproject.toml", "type": 3}]}),
    ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "%%%", "type": 2}]}),
]


@pytest.mark.parametrize(("method", "params"), NOTIFICATIONS)
def test_wrong_notification_is_survived(client: InnerClient, method: str, params: Any) -> None:
    client.start()
    client.open(URI, TEXT)
    before = client.published(URI)
    client.notify(method, params)
    client.change(URI, 3, {"text": TEXT + "\n"})
    assert client.published(URI, 3) == before


@pytest.mark.parametrize(
    "where",
    [place(0, 0, 99, 99), place(99, 0), place(1, 99, 0, 0), place(2**31 - 1, 2**31 - 1)],
)
def test_change_outside_the_text_is_moved_inside(client: InnerClient, where: Any) -> None:
    client.start()
    client.open(URI, TEXT)
    client.published(URI)
    client.change(URI, 2, {"range": where, "text": "\n"})
    client.published(URI, 2)
    client.change(URI, 3, {"text": TEXT})
    assert len(client.published(URI, 3)) == 1


def test_asking_about_what_is_not_open_gives_nothing(client: InnerClient) -> None:
    client.start()
    assert client.hover("file:///never/opened.py", 0, 0) is None
    assert client.actions("file:///never/opened.py", place(0, 0)) == []


def test_nothing_is_served_before_initialize(client: InnerClient) -> None:
    client.open(URI, TEXT)
    answer = client.ask(
        "textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    )
    assert answer["error"]["code"] == NOT_BEGUN
    client.start()
    client.open(URI, TEXT)
    assert len(client.published(URI)) == 1


def test_nothing_is_served_after_shutdown(client: InnerClient) -> None:
    client.start()
    assert client.result("shutdown", None) is None
    answer = client.ask(
        "textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    )
    assert answer["error"]["code"] == INVALID_REQUEST


@pytest.mark.thorough
def test_process_survives_bad_frames_and_ends_with_its_input() -> None:
    with ProcessClient() as client:
        client.start()
        client.send_bytes(b"no header at all\r\n\r\nContent-Length: many\r\n\r\n")
        client.send_bytes(
            b"content-length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{]"
        )
        assert client.wait(lambda message: "error" in message)["error"]["code"] == PARSE_ERROR
        client.send_bytes(b"Content-Length: 0\r\n\r\n")
        assert client.wait(lambda message: "error" in message)["error"]["code"] == PARSE_ERROR
        client.open(URI, TEXT)
        assert len(client.published(URI)) == 1
        # The client vanishes in the middle of a message, as one does that is killed.
        client.send_bytes(b'Content-Length: 100\r\n\r\n{"jsonrpc":')
        assert client.close() == 0


@pytest.mark.thorough
@pytest.mark.parametrize(("says_good_bye", "code"), [(True, 0), (False, 1)])
def test_process_ends_on_exit_with_its_input_open(says_good_bye: bool, code: int) -> None:
    with ProcessClient() as client:
        client.start()
        if says_good_bye:
            client.result("shutdown", None)
        client.notify("exit", None)
        assert client.process.wait(LIMIT) == code


# what a client may call a document: none of them keeps the next one from being served
ODD_URIS = [
    "file:///nowhere/" + "x" * 300 + "/a.py",
    "file:///nowhere/" + "x" * 300 + ".py",
    "file:///" + "x/" * 3000 + "a.py",
    "http://host/" + "x" * 300 + ".py",
    "file:///nowhere/" + "%E4%BD%A0" * 90 + ".py",
    "file:///nowhere/%00.py",
    "file:///nowhere/%ff.py",
    "file:///nowhere/\ud800.py",
    "file://[x/a.py",
    "file:///nowhere/[x.py",
    "file://host/share/a.py",
    "file:///dev/zero/a.py",
    "file:///dev/stdin",
    "file:",
    "untitled:%00",
    "a b c",
    "",
]


@pytest.mark.parametrize("uri", ODD_URIS, ids=range(len(ODD_URIS)))
def test_documents_with_odd_names(client: InnerClient, uri: str) -> None:
    client.start()
    started = time.monotonic()
    client.open(uri, TEXT)
    assert len(client.published(uri)) == 1
    client.change(uri, 2, {"text": TEXT + TEXT})
    assert len(client.published(uri, 2)) == 2
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.published(uri) == []
    client.open(URI, TEXT)
    assert len(client.published(URI)) == 1
    assert time.monotonic() - started < 2.5  # nobody waits for neighbours that do not come


def test_documents_that_no_file_can_be_are_told_apart(client: InnerClient) -> None:
    client.start()
    first, second = ("file:///" + "x" * 300 + name for name in ("a.py", "b.py"))
    client.open(first, TEXT)
    client.open(second, "x = 1\n")
    assert len(client.published(first)) == 1
    assert client.published(second) == []


@pytest.mark.parametrize("arguments", [None, [], {}, [1], ["x"] * 4, "missing"])
@pytest.mark.parametrize(
    "command", ["mindport.requestApi", "mindport.verifySecondOrder", "mindport.port", "x"]
)
def test_commands_without_their_arguments(client: InnerClient, command: str, arguments: Any) -> None:
    client.start()
    params = {"command": command} if arguments == "missing" else {"command": command, "arguments": arguments}
    answer = client.ask("workspace/executeCommand", params)
    assert answer["error"]["code"] == INVALID_PARAMS
    assert "Traceback" not in json.dumps(answer)


def frame(body: bytes, more: int = 0) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body) + more, body)


ONE, TWO, THREE = (
    json.dumps({"n": number, "text": "}Content-Length: 3 \\r\\n"}).encode() for number in range(3)
)


@pytest.mark.parametrize("more", [-30, -3, -2, -1, 1, 2, 3, 10, 15, 16, 17, 18, 19, 20, 21, 22, 23, 40])
def test_a_wrong_length_costs_one_message_at_most(more: int) -> None:
    reader = MessageReader(io.BytesIO(frame(ONE, more) + frame(TWO) + frame(THREE) * 2))
    bodies = []
    while (body := reader.read()) is not None:
        bodies.append(body)
    assert bodies[-2:] == [THREE, THREE]
    assert (TWO if more < 0 else ONE) in bodies


def test_messages_that_look_odd_are_whole() -> None:
    messages = [
        ONE,
        json.dumps([json.loads(ONE)] * 3, indent=1).replace("\n", "\r\n").encode(),
        b'{"a": "Content-Length: 3"}',
        b"",
        b"3",
        b'"}C"',
        '{"a": "你好"}'.encode(),
    ]
    reader = MessageReader(io.BytesIO(b"".join(map(frame, messages))))
    assert [reader.read() for _ in messages] == messages
    assert reader.read() is None


@pytest.mark.thorough
def test_a_client_that_reads_nothing_and_goes_leaves_no_server() -> None:
    command = [sys.executable, "-m", "mindport", "server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        text = "import torch\n" + "torch.no_such_name\n" * 3000  # whose diagnostics no pipe holds
        item = {"uri": URI, "languageId": "python", "version": 1, "text": text}
        for method, identifier, params in (
            ("initialize", 1, {"processId": None, "rootUri": None, "capabilities": {}}),
            ("initialized", None, {}),
            ("textDocument/didOpen", None, {"textDocument": item}),
        ):
            message = {"jsonrpc": "2.0", "method": method, "params": params}
            server.stdin.write(frame(json.dumps(message | ({"id": 1} if identifier else {})).encode()))
        server.stdin.flush()
        assert server.stdout is not None
        waiting, ends = 0, time.monotonic() + LIMIT
        while waiting < 60_000 and time.monotonic() < ends:  # of the 65,536 that a pipe holds
            time.sleep(0.1)
            (waiting,) = struct.unpack("i", fcntl.ioctl(server.stdout, termios.FIONREAD, b"\0" * 4))
        server.stdin.close()
        assert server.wait(LIMIT) == 1
