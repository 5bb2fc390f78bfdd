"""A user's session in real Neovims, of two releases of Debian: marks, hover, a quick fix and fixing on saving, on lines
that are not ASCII, with the configuration that the documentation shows."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from documented import configuration
from session import ALL_FIXED, FIXED, Desk, run_neovim

pytestmark = pytest.mark.editor
UNPACKED = Path(__file__).parents[2] / ".test-cache" / "editors"
SAVING = "Fix on saving"
EDITORS = {
    "bookworm": ("nvim", "Neovim 0.7", "0.7"),
    "trixie": (str(UNPACKED / "neovim-trixie" / "nvim"), "Neovim 0.8 to 0.10", "0.10"),
}


@pytest.fixture(scope="module", params=EDITORS)
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the session saw."""
    program, heading, version = EDITORS[request.param]
    editor = shutil.which(program)
    assert editor is not None, f"no {program}: run scripts/setup editors"
    desk = Desk(tmp_path_factory.mktemp("session"), configuration("neovim", heading, SAVING), ".lua")
    seen = run_neovim(desk, editor)
    assert seen["version"].startswith(version)
    return seen


def test_marks_are_where_the_names_are(seen: dict[str, Any]) -> None:
    assert sorted((one["line"], one["text"]) for one in seen["marks"]) == [
        (5, "torch.std"),
        (6, "torch.no_such_name"),
    ]
    assert not any("on MindSpore" in one["message"] for one in seen["marks"])  # the card names the target


def test_hover_answers_in_its_first_line(seen: dict[str, Any]) -> None:
    text = "\n".join(seen["hover"]).strip()
    first = text.splitlines()[0]
    assert "ops.cat(" in first
    assert "axis=1" in first
    assert "torch.cat" in first
    assert "MindSpore 2.10.0 on CPU" in text


def test_quick_fix_changes_the_buffer(seen: dict[str, Any]) -> None:
    assert "\n".join(seen["fixed"]) + "\n" == FIXED
    assert [one["text"] for one in seen["marks_after_fix"]] == ["torch.no_such_name"]
    assert any(title.startswith("Ignore MP101") for title in seen["titles"])


def test_saving_fixes_the_rest(seen: dict[str, Any]) -> None:
    assert "\n".join(seen["saved"]) + "\n" == ALL_FIXED
    assert seen["file"] == ALL_FIXED


def test_user_is_not_disturbed(seen: dict[str, Any]) -> None:
    assert seen["messages"] == []
