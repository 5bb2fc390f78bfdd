"""A user's session in Neovim with nvim-lspconfig, which no package registry has: run by scripts/try_editors where
LSPCONFIG names a checkout of it."""

from __future__ import annotations

import os
from pathlib import Path

from documented import configuration
from session import ALL_FIXED, FIXED, Desk

NEOVIM = Path(__file__).parents[2] / ".test-cache" / "editors" / "neovim-trixie" / "nvim"


def test_session(tmp_path: Path) -> None:
    plugin = f"vim.opt.runtimepath:prepend({os.environ['LSPCONFIG']!r})\n"
    shown = configuration("neovim", "With nvim-lspconfig", "Fix on saving")
    desk = Desk(tmp_path, plugin + shown, ".lua")
    driver = Path(__file__).with_name("session.lua")
    options = ["--headless", "-i", "NONE", "-n", "-u", desk.configuration, "-c", f"luafile {driver}"]
    seen = desk.run([NEOVIM, *options])
    assert sorted((one["line"], one["text"]) for one in seen["marks"]) == [
        (5, "torch.std"),
        (6, "torch.no_such_name"),
    ]
    assert "\n".join(seen["fixed"]) + "\n" == FIXED
    assert "\n".join(seen["saved"]) + "\n" == ALL_FIXED
    assert seen["file"] == ALL_FIXED
    assert seen["messages"] == []
