"""A user's session in Neovim with nvim-lspconfig, which no package registry has: run by scripts/try_editors where
LSPCONFIG names a checkout of it."""

from __future__ import annotations

import os
from pathlib import Path

from documented import configuration
from session import Desk, assert_marked_and_fixed, run_neovim

NEOVIM = Path(__file__).parents[2] / ".test-cache" / "editors" / "neovim-trixie" / "nvim"


def test_session(tmp_path: Path) -> None:
    plugin = f"vim.opt.runtimepath:prepend({os.environ['LSPCONFIG']!r})\n"
    shown = configuration("neovim", "With nvim-lspconfig", "Fix on saving")
    desk = Desk(tmp_path, plugin + shown, ".lua")
    assert_marked_and_fixed(run_neovim(desk, NEOVIM))
