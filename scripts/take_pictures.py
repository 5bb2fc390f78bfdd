#!/usr/bin/env python3
"""Takes the pictures of docs/editors/ anew, in the real VS Code workbench: the card in each kind of theme, in a
narrow window and in Chinese, the menu of fixes, a conversion, the migration panel and the report. Look at each before
you commit it. The tests take them into another folder.

    scripts/setup editors && .venv/bin/python scripts/build_vsix.py
    .venv/bin/python scripts/take_pictures.py [FOLDER]"""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "tests" / "editors"))

from workbench import Window, Workbench, browser  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PICTURES = REPOSITORY / "docs" / "editors"
THEMES = {
    "light": "Light Modern",
    "dark": "Dark Modern",
    "high-contrast": "Default High Contrast",
}
SETTINGS = '[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10.0"\n'
CODE = REPOSITORY / "client-vscode" / "media" / "sample" / "classifier.py"
MARKS = ".editor-instance .squiggly-error, .editor-instance .squiggly-warning"


def main(pictures: Path) -> None:
    """Take them all, into a folder."""
    with tempfile.TemporaryDirectory(prefix="mindport-") as name, browser() as chromium:
        folder = Path(name)
        project = folder / "classifier"
        project.mkdir()
        (project / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
        shutil.copyfile(CODE, project / "model.py")
        with _workbench(folder / "english", chromium) as workbench:
            for theme, title in THEMES.items():
                workbench.use_theme(title)
                with workbench.window(project, "model.py", size=(960, 600)) as window:
                    window.see(MARKS)
                    _card(window, pictures / f"card-{theme}.png")
                    if theme == "light":
                        _views(window, pictures)
            workbench.use_theme(THEMES["light"])
            with workbench.window(project, "model.py", size=(520, 600)) as window:
                window.see(MARKS)
                _card(window, pictures / "card-narrow.png")
        with _workbench(folder / "chinese", chromium, "zh-cn") as workbench:
            workbench.use_theme(THEMES["light"])
            with workbench.window(project, "model.py", size=(960, 600)) as window:
                window.see(MARKS)
                _card(window, pictures / "card-chinese.png", "目标：")


def _workbench(
    folder: Path, chromium: Browser, language: str = ""
) -> contextlib.AbstractContextManager[Workbench]:
    folder.mkdir()
    return contextlib.closing(Workbench(folder, chromium, language=language))


def _card(window: Window, picture: Path, said: str = "Target: ") -> None:
    window.run("View: Close Primary Side Bar")
    finding_and_card = re.compile(f"MP101.*{said}", re.DOTALL)
    window.hover("torch.std", finding_and_card)
    window.picture(picture)
    window.press("Escape")


def _views(window: Window, pictures: Path) -> None:
    window.quick_fixes("torch.std")
    window.picture(pictures / "fixes.png")
    window.press("Escape")
    window.run("mindport: Convert This File with Preview")
    window.see(".modified-in-monaco-diff-editor .view-line", "torch_std(")
    window.picture(pictures / "conversion.png")
    window.close_tab("converted")
    window.run("mindport: Focus on Migration View")
    window.see(".pane-body .monaco-list-row", "model.py").click()
    window.see(".pane-body .monaco-list-row", "std")
    window.picture(pictures / "panel.png")
    window.run("mindport: Show Migration Report")
    window.report().locator("h1").wait_for()
    window.picture(pictures / "report.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES)
