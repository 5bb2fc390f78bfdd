"""What a new user meets in the real VS Code workbench: the extension, some Python, and nothing else. No network, no
package of ours anywhere, no question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from session import ALL_FIXED, TEXT
from workbench import Workbench, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.editor

SQUIGGLE = ".editor-instance .squiggly-warning"
LINE = ".editor-instance .view-line"
MESSAGE = ".notification-list-item"
# Whoever asks the network, asks a port that nobody listens to.
NO_NETWORK = dict.fromkeys(
    ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "PIP_PROXY"), "http://127.0.0.1:9"
)


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Workbench]:
    started = Workbench(tmp_path_factory.mktemp("workbench"), chromium, NO_NETWORK)
    started.use_interpreter("")
    yield started
    started.close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "project/model.py").write_text(TEXT, encoding="utf-8")
    return tmp_path / "project"


def test_a_file_is_marked_and_fixed_with_nothing_installed(workbench: Workbench, project: Path) -> None:
    with workbench.window(project, "model.py") as window:
        window.see(SQUIGGLE)
        assert not window.page.locator(MESSAGE).count()
        window.run("mindport: Apply All Safe Fixes")
        window.see(".editor-instance .view-line", "axis=1")
        window.save()
        file = project / "model.py"
        assert eventually(lambda: file.read_text("utf-8"), lambda text: text == ALL_FIXED, 20) == ALL_FIXED
    assert "part of the extension" in workbench.logs()


def test_an_empty_panel_offers_the_sample(workbench: Workbench, tmp_path: Path) -> None:
    """It is a copy that may be changed, and is whole again when it is opened next."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/notes.txt").write_text("nothing\n", encoding="utf-8")
    with workbench.window(tmp_path / "empty", "notes.txt") as window:
        window.run("mindport: Focus on Migration View")
        window.see(".welcome-view-content", "Nothing here uses torch")
        window.page.get_by_role("button", name="Open the Sample").click()
        window.see(".tab.active", "classifier.py")
        window.see(".editor-instance .squiggly-error")
        window.run("mindport: Apply All Safe Fixes")
        window.see(LINE, "ops.cat(")
        window.save()
        window.see_gone(".tab.active.dirty")
        window.run("mindport: Open the Sample")
        window.see(LINE, "torch.cat(")


def test_the_walkthrough_has_four_steps_and_opens_the_sample(workbench: Workbench, project: Path) -> None:
    with workbench.window(project, "model.py") as window:
        window.run("Welcome: Open Walkthrough")
        window.see(".quick-input-widget input").fill("MindSpore")
        window.see(".quick-input-list .monaco-list-row", "From PyTorch to MindSpore").click()
        steps = window.page.locator(".gettingStartedDetailsContent .getting-started-step")
        steps.first.wait_for()
        assert steps.count() == 4
        window.page.get_by_role("button", name="Open the Sample").click()
        window.see(".tab", "classifier.py")


def test_the_status_bar_names_the_target_and_changes_it(workbench: Workbench, project: Path) -> None:
    with workbench.window(project, "model.py") as window:
        item = window.see("#mindport\\.mindport\\.mindport\\.target", "on CPU, PyNative")
        mode = window.page.locator(".quick-input-list .monaco-list-row", has_text="Mode").first

        def ask() -> bool:  # once more where the server started once more, and the item with it
            item.click()
            return eventually(mode.is_visible, bool, 10)

        assert eventually(ask, bool)
        mode.click()
        window.see(".quick-input-list .monaco-list-row", "graph").click()
        window.see("#mindport\\.mindport\\.mindport\\.target", "graph mode")


def test_a_preview_opens_where_the_code_changes(workbench: Workbench, project: Path) -> None:
    """Below imports and helpers, however many there are."""
    helpers = "def f(x):\n    return x\n" * 60
    text = f"import torch\n\n{helpers}\ny = torch.cat([torch.ones(2), torch.ones(2)], dim=0)\n"
    (project / "long.py").write_text(text, encoding="utf-8")
    with workbench.window(project, "long.py") as window:
        window.see(".editor-instance .view-line", "import torch")
        window.run("mindport: Convert This File with Preview")
        window.see(".modified-in-monaco-diff-editor .view-line", ".cat(")
