"""What each recorded editor gets, from the capabilities it sent: encoding, push or pull, and the form of edits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from language_client import InnerClient, Message, applied, edits_of, place

RECORDED = sorted((Path(__file__).parents[1] / "data" / "capabilities").glob("*.json"))
URI = "file:///project/model.py"
# The call lies behind a Chinese word and an emoji, so each encoding counts it elsewhere.
TEXT = 'import torch\n\n\ndef join(a, b):\n    t = "张量 🚀"; return torch.cat([a, b], dim=1), torch.no_such_name\n'
LINE = 4
FIXED = TEXT.replace("torch.cat([a, b], dim=1)", "ops.cat([a, b], axis=1)").replace(
    "import torch\n", "import torch\nfrom mindspore import ops\n"
)


def column(word: str, encoding: str) -> int:
    """The client's column of a word in the line."""
    line = TEXT.splitlines()[LINE]
    before = line[: line.index(word)]
    codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    return len(before.encode(codec)) // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]


def parameters(path: Path) -> dict[str, Any]:
    """What the editor sent to introduce itself."""
    params: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["params"]
    return params


class Recorded:
    """A session with an editor of which the capabilities were recorded, in a file that it has opened."""

    def __init__(self, client: InnerClient, path: Path) -> None:
        self.client = client
        params = parameters(path)
        self.can = params.pop("capabilities")
        self.offered = self.can.get("general", {}).get("positionEncodings", [])
        self.pulls = "diagnostic" in self.can["textDocument"]
        resolved = self.can["textDocument"].get("codeAction", {}).get("resolveSupport") or {}
        self.resolves = "edit" in resolved.get("properties", [])
        self.takes_versions = bool(self.can["workspace"].get("workspaceEdit", {}).get("documentChanges"))
        self.server = client.start(self.can, **params)["capabilities"]
        self.encoding = self.server["positionEncoding"]
        client.open(URI, TEXT)

    def diagnostics(self, version: int = 1) -> list[Any]:
        """The diagnostics, in the way of the editor."""
        if not self.pulls:
            return self.client.published(URI, version)
        report = self.client.result("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        assert report["kind"] == "full"
        found: list[Any] = report["items"]
        return found

    def column(self, word: str) -> int:
        return column(word, self.encoding)

    def actions(self, context: Message, start: int, end: int | None = None) -> list[Any]:
        """The code actions on the line, from one column to another."""
        params = {
            "textDocument": {"uri": URI},
            "range": place(LINE, start, LINE, start if end is None else end),
            "context": context,
        }
        found: list[Any] = self.client.result("textDocument/codeAction", params)
        return found

    def made(self, action: Message) -> str:
        """The text with an action's edit, in the form that the editor takes."""
        assert ("edit" in action) != self.resolves
        if self.resolves:
            action = self.client.result("codeAction/resolve", action)
        assert set(action["edit"]) == {"documentChanges" if self.takes_versions else "changes"}
        edits = edits_of(action, URI)
        if not self.offered:
            # Such a client may count its columns wrongly on this line; there is no need to count.
            assert all(
                edit["range"]["start"]["character"] == 0
                for edit in edits
                if edit["range"]["start"]["line"] == LINE
            )
        return applied(TEXT, edits, self.encoding)


@pytest.fixture(params=RECORDED, ids=lambda path: path.stem)
def recorded(request: pytest.FixtureRequest, client: InnerClient) -> Recorded:
    """A session with each of the editors."""
    return Recorded(client, request.param)


def test_encoding_and_way_of_diagnostics(recorded: Recorded) -> None:
    assert recorded.encoding == (recorded.offered[0] if recorded.offered else "utf-16")
    assert ("diagnosticProvider" in recorded.server) == recorded.pulls
    places = [one["range"]["start"] for one in recorded.diagnostics()]
    assert places == [{"line": LINE, "character": recorded.column("torch.no_such_name")}]


def test_diagnostics_are_never_pushed_and_pulled(recorded: Recorded) -> None:
    client = recorded.client
    recorded.diagnostics()
    client.change(URI, 2, {"text": TEXT + "\ny = torch.nor_such_a_one\n"})
    assert len(recorded.diagnostics(2)) == 2
    client.notify("textDocument/didSave", {"textDocument": {"uri": URI}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    client.hover(URI, 0, 0)
    pushed = [one for one in client.received if one.get("method") == "textDocument/publishDiagnostics"]
    assert bool(pushed) != recorded.pulls


def test_hover_is_of_the_kind_that_is_taken(recorded: Recorded) -> None:
    at = recorded.column("cat([")
    hover = recorded.client.hover(URI, LINE, at)
    assert hover["range"] == place(LINE, at, LINE, at + 3)
    formats = recorded.can["textDocument"].get("hover", {}).get("contentFormat", [])
    kind, text = hover["contents"]["kind"], hover["contents"]["value"]
    assert kind == ("markdown" if formats[:1] == ["markdown"] else "plaintext")
    assert "ops.cat(" in text.splitlines()[0]
    marks = [mark for mark in ("**", "`", "](", "|--", "\n#") if mark in text]
    assert bool(marks) == (kind == "markdown")


def test_quick_fix_without_diagnostics(recorded: Recorded) -> None:
    actions = recorded.actions({"diagnostics": []}, recorded.column("cat(["))
    (fix,) = (one for one in actions if one["title"].startswith("Replace") and "ops.cat" in one["title"])
    assert recorded.made(fix) == FIXED


def test_quick_fixes_of_a_whole_line_with_its_diagnostics(recorded: Recorded) -> None:
    diagnostics = recorded.diagnostics()
    context = {"diagnostics": [*diagnostics, *diagnostics], "only": ["quickfix"], "triggerKind": 1}
    actions = recorded.actions(context, 0, recorded.column("torch.no_such_name") + 1)
    assert {one["kind"] for one in actions} == {"quickfix"}
    (ignored,) = (one for one in actions if one["title"] == "Ignore MP113 on this line")
    line = TEXT.splitlines()[LINE]
    assert recorded.made(ignored) == TEXT.replace(line, f"{line}  # mindport: ignore[MP113]")


@pytest.mark.parametrize("kind", ["source.fixAll.mindport", "source.fixAll", "source"])
def test_fix_all(recorded: Recorded, kind: str) -> None:
    (fix,) = recorded.actions({"diagnostics": [], "only": [kind]}, 0)
    assert fix["kind"] == "source.fixAll.mindport"
    # What is left of torch is in the body of a function, so the file is made to import without it.
    optional = "try:\n    import torch\nexcept ImportError:\n    torch = None  # not ported yet\n"
    assert recorded.made(fix) == FIXED.replace("import torch\n", optional, 1)


def test_what_is_typed_is_counted_alike(recorded: Recorded) -> None:
    recorded.diagnostics()
    start = recorded.column("no_such_name")
    whole = place(LINE, start, LINE, start + len("no_such_name"))
    recorded.client.change(URI, 2, {"range": whole, "text": "float32"})
    assert recorded.diagnostics(2) == []
    at = place(LINE, start, LINE, start + len("float32"))
    recorded.client.change(URI, 3, {"range": at, "text": "no_such_name"})
    assert [one["range"]["end"] for one in recorded.diagnostics(3)] == [whole["end"]]


def test_menus_are_answered_from_what_is_known(recorded: Recorded) -> None:
    session = recorded.client.server.session
    recorded.actions({"diagnostics": []}, recorded.column("cat(["))
    known = session.analyse(session.documents[URI])
    for _ in range(11):  # as often as VS Code asked in a short session
        recorded.actions({"diagnostics": []}, recorded.column("cat(["))
    assert session.analyse(session.documents[URI]) is known


def test_nothing_is_asked_that_is_not_declared(recorded: Recorded) -> None:
    client, workspace = recorded.client, recorded.can["workspace"]
    recorded.diagnostics()
    client.result("workspace/executeCommand", {"command": "mindport.index"})
    declared = {
        "client/registerCapability": (workspace.get("didChangeWatchedFiles") or {}).get(
            "dynamicRegistration"
        ),
        "workspace/configuration": workspace.get("configuration"),
        "workspace/diagnostic/refresh": (workspace.get("diagnostics") or {}).get("refreshSupport"),
        "window/workDoneProgress/create": recorded.can.get("window", {}).get("workDoneProgress"),
    }
    asked = {one["method"] for one in client.received if "method" in one and "id" in one}
    assert asked <= {method for method, is_declared in declared.items() if is_declared}


@pytest.mark.parametrize("told", ["utf-8", "utf-16", "utf-32", "utf-7", 8, None])
def test_user_tells_the_encoding_of_an_editor_that_does_not(client: InnerClient, told: Any) -> None:
    options = {"device": "CPU", "targetVersion": "2.10.0", "positionEncoding": told}
    client.start(initializationOptions=options)
    client.open(URI, TEXT)
    (diagnostic,) = client.published(URI)
    encoding = told if told in ("utf-8", "utf-32") else "utf-16"
    assert diagnostic["range"]["start"]["character"] == column("torch.no_such_name", encoding)
    at = column("cat([", encoding)
    (fix, *_) = client.actions(URI, place(LINE, at))
    # It still is not trusted to count.
    assert {edit["range"]["start"]["character"] for edit in edits_of(fix, URI)} == {0}
    assert not [one for one in client.received if one.get("method") == "window/showMessage"]


def test_encoding_that_is_offered_counts_before_what_is_told(client: InnerClient) -> None:
    client.start(
        {"general": {"positionEncodings": ["utf-16"]}},
        initializationOptions={"device": "CPU", "targetVersion": "2.10.0", "positionEncoding": "utf-8"},
    )
    client.open(URI, TEXT)
    (diagnostic,) = client.published(URI)
    assert diagnostic["range"]["start"]["character"] == column("torch.no_such_name", "utf-16")


@pytest.mark.parametrize(
    ("offered", "expected"),
    [
        (None, "utf-16"),
        ([], "utf-16"),
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-32"], "utf-32"),
        (["utf-7", "utf-32"], "utf-32"),
        (["utf-7"], "utf-16"),
    ],
)
def test_encoding_is_the_clients_first_choice(
    client: InnerClient, offered: list[str] | None, expected: str
) -> None:
    general = {} if offered is None else {"positionEncodings": offered}
    result = client.start({"general": general})
    assert result["capabilities"]["positionEncoding"] == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_changes_are_counted_in_the_encoding(client: InnerClient, encoding: str) -> None:
    client.start({"general": {"positionEncodings": [encoding]}})
    client.open(URI, TEXT)
    assert client.published(URI)
    start = column("no_such_name", encoding)
    end = start + len("no_such_name")
    client.change(URI, 2, {"range": place(LINE, start, LINE, end), "text": "float32"})
    assert client.published(URI, 2) == []
    client.change(URI, 3, {"range": place(LINE, start, LINE, start + 7), "text": "no_such_name"})
    assert len(client.published(URI, 3)) == 1
