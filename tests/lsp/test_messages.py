"""Messages that are wrong: each is answered where an answer is due, and the next right one is served."""

from __future__ import annotations

import json
from typing import Any

import pytest
from language_client import LIMIT, InnerClient, ProcessClient, place

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


@pytest.mark.parametrize(("says_good_bye", "code"), [(True, 0), (False, 1)])
def test_process_ends_on_exit_with_its_input_open(says_good_bye: bool, code: int) -> None:
    with ProcessClient() as client:
        client.start()
        if says_good_bye:
            client.result("shutdown", None)
        client.notify("exit", None)
        assert client.process.wait(LIMIT) == code
