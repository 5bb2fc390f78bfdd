"""The real VS Code workbench in Chinese: what the extension says itself, and what the server says through it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from session import TEXT
from workbench import Window, Workbench, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.editor

SETTINGS = '[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10.0"\n'
SQUIGGLE = ".editor-instance .squiggly-warning"
ROW = ".pane-body .monaco-list-row"


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Workbench]:
    started = Workbench(tmp_path_factory.mktemp("workbench"), chromium, language="zh-cn")
    yield started
    started.close()


@pytest.fixture(scope="module")
def window(workbench: Workbench, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    folder = tmp_path_factory.mktemp("projects") / "分类 🚀"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
    (folder / "model.py").write_text(TEXT, encoding="utf-8")
    with workbench.window(folder, "model.py") as opened:
        opened.see(SQUIGGLE)
        yield opened


def test_card(window: Window) -> None:
    card = window.hover("torch.std", "目标：").inner_text()
    assert "静默差异" in card
    assert "MindSpore 2.10.0（CPU），PyNative 模式" in card
    window.press("Escape")


def test_quick_fixes(window: Window) -> None:
    assert any("替换" in title for title in window.quick_fixes("torch.std"))
    window.press("Escape")


def test_panel(window: Window) -> None:
    window.run("mindport: Focus on 迁移 View")
    window.see(ROW, "model.py").click()
    rows = eventually(window.tree, lambda rows: len(rows) == 4)
    assert rows[0] == "model.py3 处中 2 处就绪，1 处静默差异"
    assert "std有差异，第 6 行" in rows


def test_commands_and_messages(window: Window) -> None:
    window.run("mindport: 选择目标版本、设备或模式")
    window.see(".quick-input-list .monaco-list-row", "版本")
    window.press("Escape")
    window.run("mindport: 转换此文件并预览")
    window.see(".tab.active", "已转换")
