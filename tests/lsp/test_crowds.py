"""Many open documents and many edits: time grows with their number, and nothing is kept of what is over."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from language_client import InnerClient

COUNT = 700  # which took minutes when each that was shown had the project looked through again


def text(number: int) -> str:
    before = f"from m{number - 1} import f{number - 1}" if number % 10 else ""
    return (
        f"import torch\n{before}\n\n\ndef f{number}(x, y):\n    z = torch.matmul(x, y)\n"
        f"    return torch.no_such_name(z)\n\n\nf{number}(torch.ones(3), torch.ones(3))\n"
    )


@pytest.mark.thorough
def test_many_documents_are_shown_and_keys_are_answered(client: InnerClient, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("", "utf-8")
    for number in range(COUNT):
        (tmp_path / f"m{number}.py").write_text(text(number), "utf-8")
    uris = [(tmp_path / f"m{number}.py").as_uri() for number in range(COUNT)]
    client.start(rootUri=tmp_path.as_uri())
    started = time.monotonic()
    for number, uri in enumerate(uris):
        client.open(uri, text(number))
    waiting = set(uris)
    asked, answered_early = False, False
    while waiting:
        shown = client.wait_for("textDocument/publishDiagnostics")
        if shown["diagnostics"]:
            waiting.discard(shown["uri"])
        if not asked and len(waiting) < COUNT:
            asked = True
            assert client.hover(uris[0], 5, 15) is not None
            later = sum(one.get("method") == "textDocument/publishDiagnostics" for one in client.received)
            answered_early = later < COUNT  # not all of them first
            waiting -= {
                one["params"]["uri"]
                for one in client.received
                if one.get("method") == "textDocument/publishDiagnostics" and one["params"]["diagnostics"]
            }
    assert answered_early
    assert time.monotonic() - started < 60


@pytest.mark.thorough
def test_nothing_is_kept_of_edits(client: InnerClient) -> None:
    client.start()
    uri = "untitled:a"
    client.open(uri, text(0))
    client.published(uri)
    for version in range(2, 202):
        client.change(uri, version, {"text": text(version)})
        client.hover(uri, 5, 15)
    assert len(client.server.protocol._request_futures) < 10
