"""A user's session in the newest Neovim, whose packages move: run by scripts/try_editors."""

from __future__ import annotations

from pathlib import Path

from documented import configuration
from session import Desk, assert_marked_and_fixed, run_neovim

NEOVIM = Path(__file__).parents[2] / ".test-cache" / "editors" / "neovim-sid" / "nvim"


def test_session(tmp_path: Path) -> None:
    desk = Desk(tmp_path, configuration("neovim", "Neovim 0.11 and newer", "Fix on saving"), ".lua")
    assert_marked_and_fixed(run_neovim(desk, NEOVIM))
