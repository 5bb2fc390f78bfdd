"""What each recorded editor gets, from the capabilities it sent: encoding, push or pull, and the form of edits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from language_client import InnerClient, applied, edits_of, place

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


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_editor(client: InnerClient, path: Path) -> None:
    params = parameters(path)
    capabilities = params.pop("capabilities")
    offered = capabilities.get("general", {}).get("positionEncodings", [])
    pulls = "diagnostic" in capabilities["textDocument"]

    server = client.start(capabilities, **params)["capabilities"]

    encoding = server["positionEncoding"]
    assert encoding == (offered[0] if offered else "utf-16")
    assert ("diagnosticProvider" in server) == pulls
    client.open(URI, TEXT)
    if pulls:
        report = client.result("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        assert report["kind"] == "full"
        diagnostics = report["items"]
    else:
        diagnostics = client.published(URI)
    places = [(one["range"]["start"]["line"], one["range"]["start"]["character"]) for one in diagnostics]
    assert places == [(LINE, column("torch.no_such_name", encoding))]

    at = column("cat([", encoding)
    hover = client.hover(URI, LINE, at)
    formats = capabilities["textDocument"].get("hover", {}).get("contentFormat", [])
    assert hover["contents"]["kind"] == ("markdown" if formats[:1] == ["markdown"] else "plaintext")
    assert hover["range"] == place(LINE, at, LINE, at + 3)

    fix = next(one for one in client.actions(URI, place(LINE, at)) if "ops.cat" in one["title"])
    resolved = capabilities["textDocument"].get("codeAction", {}).get("resolveSupport") or {}
    if "edit" in resolved.get("properties", []):
        assert "edit" not in fix
        fix = client.result("codeAction/resolve", fix)
    edits = edits_of(fix, URI)
    assert applied(TEXT, edits, encoding) == FIXED
    takes_changes = capabilities["workspace"].get("workspaceEdit", {}).get("documentChanges", False)
    assert ("documentChanges" in fix["edit"]) == takes_changes
    if not offered:
        # Such a client may count its columns wrongly on this line; there is no need to count.
        assert all(edit["range"]["start"]["character"] == 0 for edit in edits)

    pushed = [one for one in client.received if one.get("method") == "textDocument/publishDiagnostics"]
    assert bool(pushed) != pulls


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
