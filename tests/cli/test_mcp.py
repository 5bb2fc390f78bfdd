"""`mindport mcp` where the extra that it needs is not installed."""

from __future__ import annotations

import sys

import pytest

from mindport.cli.main import main


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in [
        name for name in sys.modules if name.startswith("mindport.agent") or name.partition(".")[0] == "mcp"
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert main(["mcp"]) == 2
    assert "pip install 'mindport[mcp]'" in " ".join(capsys.readouterr().err.split())
