"""A user's session in Helix, whose packages move: run by scripts/try_editors."""

from __future__ import annotations

from pathlib import Path

from documented import configuration
from session import FIXED, Desk
from terminal import Terminal

HELIX = Path(__file__).parents[2] / ".test-cache" / "editors" / "helix" / "hx"
# Nothing about mindport: shows the text of a mark behind its line.
SHOWING = '[editor]\nend-of-line-diagnostics = "hint"\n'


def test_session(tmp_path: Path) -> None:
    desk = Desk(tmp_path, configuration("helix", "Configuration"), ".toml")
    settings = tmp_path / "helix"
    settings.mkdir()
    desk.configuration.rename(settings / "languages.toml")
    (settings / "config.toml").write_text(SHOWING, encoding="utf-8")
    with Terminal([str(HELIX), "model.py"], desk.environment, desk.project) as editor:
        editor.wait("the text", lambda: "import torch" in editor.text)
        editor.wait("the marks", lambda: editor.text.count("●") + editor.text.count("▲") >= 2)
        editor.type("/std\r")
        editor.wait("the place", lambda: "└─torch.std" in editor.text)
        editor.type(" k")
        editor.wait("the card", lambda: "ops.std(" in editor.text)
        editor.type("\x1b")
        editor.wait("the card to go", lambda: "ops.std(" not in editor.text)
        editor.type(" a")
        editor.wait("the menu", lambda: "Replace" in editor.text)
        editor.type("\r")
        editor.wait("the fix", lambda: "ops.std(x, ddof=1)" in editor.text)
        editor.type(":write\r")
        editor.wait("the saved file", lambda: desk.file.read_text(encoding="utf-8") == FIXED)
