"""A user's session in Vim with ALE, whose packages move: run by scripts/try_editors."""

from __future__ import annotations

import json
from pathlib import Path

from documented import configuration
from session import FIXED, Desk
from terminal import Terminal

UNPACKED = Path(__file__).parents[2] / ".test-cache" / "editors" / "vim"


def test_session(tmp_path: Path) -> None:
    plugin = f"set nocompatible nomore noswapfile hidden\nset runtimepath^={UNPACKED}/usr/share/vim-ale\n"
    own = tmp_path / "own"
    linter = own / "ale_linters" / "python" / "mindport.vim"
    linter.parent.mkdir(parents=True)
    linter.write_text(configuration("vim", "ALE"), encoding="utf-8")
    plugin += f"set runtimepath^={own}\nfiletype plugin on\n"
    desk = Desk(tmp_path, plugin + configuration("vim", "Which linters run"), ".vim")
    driver = Path(__file__).with_name("session.vim")
    start = f"autocmd VimEnter * ++nested source {driver}"
    command = [str(UNPACKED / "vim.nox"), "-i", "NONE", "-u", str(desk.configuration), "--cmd", "set hidden"]
    # The file is named on the command line: it is open before anything could be asked of ALE.
    with Terminal([*command, "-c", start, str(desk.file)], desk.environment, desk.project) as editor:
        asked = "Type number"
        editor.wait("the menu", lambda: asked in editor.text or desk.result.exists())
        editor.type("1\r")
        editor.wait("the end", desk.result.exists)
    seen = json.loads(desk.result.read_text(encoding="utf-8"))
    assert seen.get("done"), seen.get("problem")
    assert sorted((one["line"], one["text"]) for one in seen["marks"]) == [
        (5, "torch.std"),
        (6, "torch.no_such_name"),
    ]
    assert "ops.std(" in seen["hover"][0]
    assert desk.file.read_text(encoding="utf-8") == FIXED
