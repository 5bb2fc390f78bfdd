"""A user's session in the real VS Code workbench, on lines that are not ASCII. What counts is the resulting text."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from session import ALL_FIXED, FIXED, TEXT
from workbench import Window, Workbench, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.editor

CELLS = ["import torch\n", 's = "张量 🚀"; x = torch.std(torch.ones(3))  # 方差 🔥\n']
CELLS_FIXED = ["import torch\nfrom mindspore import ops", CELLS[1].replace("torch.std(", "ops.std(")]
SETTINGS = '[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10.0"\n'
TARGET = "MindSpore 2.10.0 on CPU, PyNative"
SQUIGGLE = ".editor-instance .squiggly-warning"
LINE = ".editor-instance .view-line"
ROW = ".pane-body .monaco-list-row"


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Workbench]:
    """The workbench that all tests share."""
    started = Workbench(tmp_path_factory.mktemp("workbench"), chromium)
    yield started
    started.close()


def make_project(folder: Path, *files: str) -> Path:
    """A folder with settings and files of the same text."""
    folder.mkdir()
    (folder / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
    for name in files:
        (folder / name).write_text(TEXT, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_project(
        tmp_path_factory.mktemp("trusted") / "project",
        *("fix_one.py", "fix_all.py", "convert.py", "explain.py", "killed.py"),
    )
    cells = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": [text]}
        for text in CELLS
    ]
    notebook = {
        "cells": cells,
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    (folder / "cells.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def window(workbench: Workbench, project: Path) -> Iterator[Window]:
    """The window that most tests share, each with a file of its own."""
    with workbench.window(project, "fix_one.py") as opened:
        yield opened


def saved(window: Window, file: Path, wanted: str) -> str:
    """Save, and give the text of the file once it is what is wanted."""
    window.save()
    return eventually(lambda: file.read_text(encoding="utf-8"), lambda text: text == wanted, 20)


def test_marks_and_card(window: Window) -> None:
    window.see(SQUIGGLE)
    card = window.hover("cat([").inner_text()
    assert card.splitlines()[0].startswith("ops.cat(")
    assert TARGET in card
    window.press("Escape")


def test_the_code_of_a_mark_leads_to_its_page(window: Window) -> None:
    """It comes from the server, without a network and in its version."""
    window.open("explain.py")
    window.see(SQUIGGLE)
    window.hover("torch.std", "MP101").locator("a", has_text="MP101").first.click()
    window.see(".tab", "MP101")
    window.close_tab("MP101")


def test_quick_fix(window: Window, project: Path) -> None:
    window.open("fix_one.py")
    window.see(SQUIGGLE)
    titles = window.quick_fixes("torch.std")
    assert any("ops.std" in title for title in titles)
    assert any("MP101" in title for title in titles)
    window.choose_fix("ops.std")
    window.see(LINE, "ops.std(")
    assert saved(window, project / "fix_one.py", FIXED) == FIXED


def test_fix_all(window: Window, project: Path) -> None:
    window.open("fix_all.py")
    window.see(SQUIGGLE)
    window.run("mindport: Apply All Safe Fixes")
    window.see(LINE, "axis=1")
    assert saved(window, project / "fix_all.py", ALL_FIXED) == ALL_FIXED


def test_conversion_is_shown_then_made(window: Window, project: Path) -> None:
    file = project / "convert.py"
    window.open("convert.py")
    window.see(SQUIGGLE)
    window.run("mindport: Convert This File with Preview")
    window.see(".modified-in-monaco-diff-editor .view-line", "ops.std(")
    assert file.read_text(encoding="utf-8") == TEXT
    window.run("mindport: Apply the Conversion")
    window.see_gone(".monaco-diff-editor")
    window.see(LINE, "axis=1")
    assert saved(window, file, ALL_FIXED) == ALL_FIXED


def test_explanation(window: Window) -> None:
    window.open("explain.py")
    window.see(SQUIGGLE)
    window.click("torch.std")
    window.run("mindport: Explain the API")
    window.see(".tab.active", "torch.std")
    window.close_tab("torch.std")


def test_panel_goes_to_the_place(window: Window) -> None:
    window.run("mindport: Focus on Migration View")
    window.see(ROW, "explain.py").click()
    window.see(ROW, "no_such_name")
    rows = window.tree()
    assert any(re.match(r"explain.py ?\d of \d ready, 1 silent", row) for row in rows), rows
    assert TARGET in window.see(".pane-body .message").inner_text()
    window.see(ROW, "std").click()
    window.see(".tab.active", "explain.py")
    window.see("#status\\.editor\\.selection", re.compile(r"Ln 6, Col \d+ \(3 selected\)"))


def test_panel_is_searched_and_ordered(window: Window) -> None:
    window.run("mindport: Search All Uses of torch")
    window.see(".quick-input-list .monaco-list-row", "torch.no_such_name")
    window.page.keyboard.type("no_such")
    window.page.locator(".quick-input-list .monaco-list-row", has_text="torch.std").first.wait_for(
        state="detached"
    )
    window.see(".quick-input-list .monaco-list-row", "convert.py").click()
    window.see(".tab.active", "convert.py")
    window.run("mindport: Order the Panel by File, API or Verdict")
    window.see(".quick-input-list .monaco-list-row", "By API").click()
    window.run("mindport: Focus on Migration View")
    window.see(ROW, re.compile(r"no_such_name\s*0 of \d ready")).click()
    window.see(ROW, re.compile(r"killed.py\s*line 7"))
    window.run("mindport: Order the Panel by File, API or Verdict")
    window.see(".quick-input-list .monaco-list-row", "By file").click()
    window.see(ROW, re.compile(r"explain.py\s*\d of \d ready"))


def test_report(window: Window) -> None:
    window.run("mindport: Show Migration Report")
    window.see(".tab.active", "Migration of project")
    page = window.report()
    page.locator("h1").wait_for()
    assert "torch.no_such_name" in page.locator("body").inner_text()
    window.close_tab("Migration of project")


def test_notebook_cell(window: Window, project: Path) -> None:
    file = project / "cells.ipynb"
    window.open("cells.ipynb")
    window.see(".notebookOverlay .squiggly-error")
    window.quick_fixes("torch.std", ".notebookOverlay")
    window.choose_fix("ops.std")
    window.see(".notebookOverlay .view-line", "mindspore")
    window.save()

    def sources() -> list[str]:
        try:
            cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        except json.JSONDecodeError:  # the editor empties the file before it writes
            return []
        return ["".join(cell["source"]).strip() for cell in cells]

    wanted = [
        CELLS_FIXED[0],
        CELLS[1].strip().replace("torch.std(torch.ones(3))", "ops.std(torch.ones(3), ddof=1)"),
    ]
    assert eventually(sources, lambda found: found == wanted, 20) == wanted


def test_server_comes_back_when_it_is_killed(window: Window, workbench: Workbench) -> None:
    window.open("killed.py")
    window.see(SQUIGGLE)
    before = workbench.servers()
    assert before
    for process in before:
        os.kill(process, signal.SIGKILL)
    eventually(workbench.servers, lambda present: bool(present) and not present & before)
    assert "ops.cat(" in window.hover("cat([").inner_text()
    window.press("Escape")


def test_target_is_shown_and_chosen(window: Window, project: Path) -> None:
    window.open("explain.py")
    window.run("mindport: Choose Target")
    window.see(".quick-input-list .monaco-list-row", "Version").wait_for()
    window.see(".quick-input-list .monaco-list-row", "Mode").click()
    window.see(".quick-input-list .monaco-list-row", "graph").click()
    window.see_gone(".quick-input-widget")
    card = eventually(lambda: window.hover("torch.std").inner_text(), lambda text: "graph mode" in text)
    assert "MindSpore 2.10.0 on CPU, graph mode" in card
    window.press("Escape")
    settings = json.loads((project / ".vscode/settings.json").read_text(encoding="utf-8"))
    assert settings == {"mindport.mode": "graph"}


def test_nothing_of_an_untrusted_folder_is_run(workbench: Workbench, tmp_path: Path) -> None:
    folder = make_project(tmp_path / "foreign", "model.py")
    mark = tmp_path / "was-run"
    for place in (".venv/bin/python", "bin/evil"):
        (folder / place).parent.mkdir(parents=True)
        (folder / place).write_text(f"#!/bin/sh\ntouch {mark}\n", encoding="utf-8")
        (folder / place).chmod(0o755)
    (folder / ".vscode").mkdir()
    own = {
        "mindport.path": str(folder / "bin/evil"),
        "mindport.interpreter": str(folder / ".venv/bin/python"),
    }
    (folder / ".vscode/settings.json").write_text(json.dumps(own), encoding="utf-8")
    with workbench.window(folder, "model.py", trusted=False) as window:
        window.see(SQUIGGLE)
        assert "ops.cat(" in window.hover("cat([").inner_text()
        assert not mark.exists()


def test_trust_starts_the_server_once_more(workbench: Workbench, tmp_path: Path) -> None:
    """Granting it changes settings too, which alone would start the server anew."""
    before = workbench.logs().count("server started")
    with workbench.window(make_project(tmp_path / "granted", "model.py"), "model.py") as window:
        window.see(SQUIGGLE)
        window.run("mindport: Show Debug Information")  # which waits for all starts
        window.see(LINE, "1 folders, trusted")
    assert workbench.logs().count("server started") - before <= 2
