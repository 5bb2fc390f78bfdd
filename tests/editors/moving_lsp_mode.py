"""A user's session in Emacs with lsp-mode, of three releases of Debian: run by scripts/try_editors."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented import configuration
from session import ALL_FIXED, FIXED, Desk

UNPACKED = Path(__file__).parents[2] / ".test-cache" / "editors"


@pytest.mark.parametrize(
    ("release", "heading"), [("bookworm", "lsp-mode 8"), ("trixie", "lsp-mode"), ("sid", "lsp-mode")]
)
def test_session(tmp_path: Path, release: str, heading: str) -> None:
    emacs = UNPACKED / f"lsp-mode-{release}" / "emacs"
    desk = Desk(tmp_path, configuration("emacs", heading, "Fix on saving with lsp-mode"), ".el")
    driver = Path(__file__).with_name("session_lsp_mode.el")
    seen = desk.run([emacs, "--batch", "--no-init-file", "-l", desk.configuration, "-l", driver])
    assert sorted((one["line"], one["text"]) for one in seen["marks"]) == [
        (5, "torch.std"),
        (6, "torch.no_such_name"),
    ]
    assert "ops.cat(" in seen["hover"].strip().splitlines()[0]
    assert seen["fixed"] == FIXED
    assert [one["text"] for one in seen["marks_after_fix"]] == ["torch.no_such_name"]
    assert seen["saved"] == ALL_FIXED
    assert seen["file"] == ALL_FIXED
