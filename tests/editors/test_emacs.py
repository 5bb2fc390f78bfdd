"""A user's session in a real Emacs with eglot: marks, the card, a quick fix and fixing on saving, on lines that are not
ASCII, with the configuration that the documentation shows."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from documented import configuration
from session import ALL_FIXED, FIXED, Desk

pytestmark = pytest.mark.editor


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the session saw."""
    emacs = shutil.which("emacs")
    assert emacs is not None, "no emacs: run scripts/setup editors"
    shown = configuration("emacs", "Eglot", "Fix on saving with eglot")
    desk = Desk(tmp_path_factory.mktemp("session"), shown, ".el")
    driver = Path(__file__).with_name("session_eglot.el")
    return desk.run([emacs, "--batch", "--no-init-file", "-l", desk.configuration, "-l", driver])


def test_marks_are_where_the_names_are(seen: dict[str, Any]) -> None:
    assert sorted((one["line"], one["text"]) for one in seen["marks"]) == [
        (5, "torch.std"),
        (6, "torch.no_such_name"),
    ]
    assert not any("on MindSpore" in one["message"] for one in seen["marks"])  # the card names the target


def test_card_answers_in_its_first_line(seen: dict[str, Any]) -> None:
    first = seen["hover"].strip().splitlines()[0]
    assert "ops.cat(" in first
    assert "axis=1" in first
    assert "torch.cat" in first


def test_quick_fix_changes_the_buffer(seen: dict[str, Any]) -> None:
    assert seen["fixed"] == FIXED
    assert [one["text"] for one in seen["marks_after_fix"]] == ["torch.no_such_name"]
    assert any(title.startswith("Ignore MP101") for title in seen["titles"])


def test_saving_fixes_the_rest(seen: dict[str, Any]) -> None:
    assert seen["saved"] == ALL_FIXED
    assert seen["file"] == ALL_FIXED
