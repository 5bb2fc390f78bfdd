"""The real VS Code workbench with two folders whose settings differ, and with another extension that says which Python
is active in each: what is marked, listed, reported and chosen is each folder's own."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from stand_in_extension import write_extension
from workbench import Window, Workbench, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.editor

TEXT = """\
import torch


def f(x: torch.Tensor):
    s = "张量 🚀"; y = torch.std(x)  # 方差 🔥
    return s, y, torch.no_such_name
"""
# Folder -> its settings, and the version of MindSpore that is installed in its active environment, if any.
FOLDERS = {
    "vision": ('device = "CPU"\ntarget-version = "2.10.0"', ""),
    "speech": ('device = "CPU"\nignore = ["MP113"]', "2.6.0"),
}
TARGETS = {"vision": "MindSpore 2.10.0 on CPU", "speech": "MindSpore 2.6.0 on CPU"}
SQUIGGLE = ".editor-instance .squiggly-error"
ROW = ".pane-body .monaco-list-row"
# What our extension asks the Python extension for; its other abilities are not there.
PYTHON_EXTENSION = """\
const vscode = require("vscode");
exports.activate = () => {
  const active = %(active)s;
  const pathOf = (folder) => active[folder ? folder.path.split("/").at(-1) : ""] ?? "";
  const environments = {
    getActiveEnvironmentPath: (folder) => ({ path: pathOf(folder) }),
    resolveEnvironment: async ({ path }) => (path ? { executable: { uri: vscode.Uri.file(path) } } : undefined),
    onDidChangeActiveEnvironmentPath: new vscode.EventEmitter().event,
  };
  return { environments };
};
"""


def write_python_extension(file: Path, active: dict[str, str]) -> None:
    """An extension that goes by the Python extension's name; `active` has the interpreter of each folder by its
    name."""
    manifest = {"main": "./extension.js", "activationEvents": [], "extensionKind": ["workspace"]}
    code = PYTHON_EXTENSION % {"active": json.dumps(active)}
    write_extension(file, "ms-python.python", manifest, {"extension.js": code})


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that names two folders, each with a program."""
    home = tmp_path_factory.mktemp("workspace")
    for name, (table, version) in FOLDERS.items():
        folder = home / name
        folder.mkdir()
        (folder / "pyproject.toml").write_text(f"[tool.mindport]\n{table}\n", encoding="utf-8")
        (folder / f"{name}_model.py").write_text(TEXT, encoding="utf-8")
        if version:
            installed = (
                home / f"{name}-environment/lib/python3.11/site-packages/mindspore-{version}.dist-info"
            )
            installed.mkdir(parents=True)
    file = home / "both.code-workspace"
    file.write_text(json.dumps({"folders": [{"path": name} for name in FOLDERS]}), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def workbench(
    tmp_path_factory: pytest.TempPathFactory, chromium: Browser, workspace: Path
) -> Iterator[Workbench]:
    """A workbench in which no setting names an interpreter."""
    folder = tmp_path_factory.mktemp("workbench")
    write_python_extension(
        folder / "python.vsix",
        {
            "vision": sys.executable,
            # There is no such program: the server is not to be started with it.
            "speech": str(workspace.parent / "speech-environment/bin/python"),
        },
    )
    started = Workbench(folder, chromium, beside=[folder / "python.vsix"])
    started.use_interpreter("")
    yield started
    started.close()


@pytest.fixture(scope="module")
def window(workbench: Workbench, workspace: Path) -> Iterator[Window]:
    """The window that the tests share."""
    with workbench.window(workspace, "vision/vision_model.py") as opened:
        yield opened


def test_server_is_that_of_the_active_environment(window: Window, workbench: Workbench) -> None:
    window.see(SQUIGGLE)
    assert len(workbench.servers()) == 1
    assert f"server: {sys.executable} -m mindport (active Python environment): mindport" in workbench.logs()


@pytest.mark.parametrize("name", FOLDERS)
def test_marks_and_cards_follow_the_settings_of_the_folder(window: Window, name: str) -> None:
    window.open(f"{name}_model.py")
    window.see(SQUIGGLE)
    card = eventually(lambda: window.hover("torch.std").inner_text(), lambda text: TARGETS[name] in text)
    assert TARGETS[name] in card
    window.rest()
    marks = window.page.locator(".editor-instance .squiggly-warning")
    assert eventually(marks.count, lambda count: count == (name == "vision")) == (name == "vision")


def test_panel_shows_both_folders(window: Window) -> None:
    window.run("mindport: Focus on Migration View")
    for name in FOLDERS:
        window.see(ROW, f"{name}_model.py")
    rows = window.tree()
    assert [re.sub(r" ?\d of .*", "", row) for row in rows] == [
        part for name in FOLDERS for part in (name, f"{name}_model.py")
    ]
    message = window.see(".pane-body .message").inner_text()
    assert all(target in message for target in TARGETS.values()), message


def test_report_is_of_the_folder_that_is_chosen(window: Window) -> None:
    window.run("mindport: Show Migration Report")
    window.see(".quick-input-list .monaco-list-row", "vision")
    window.see(".quick-input-list .monaco-list-row", "speech").click()
    window.see(".tab.active", "Migration of speech")
    page = window.report()
    page.locator("h1").wait_for()
    text = page.locator("body").inner_text()
    assert "2.6.0" in text
    assert "speech_model.py" in text
    assert "vision_model.py" not in text
    window.close_tab("Migration of speech")


def test_choice_counts_in_the_folder_of_the_file(window: Window, workspace: Path) -> None:
    window.open("speech_model.py")
    window.run("mindport: Choose Target")
    window.see(".quick-input-list .monaco-list-row", "Mode").click()
    window.see(".quick-input-list .monaco-list-row", "graph").click()
    window.see_gone(".quick-input-widget")
    card = eventually(lambda: window.hover("torch.std").inner_text(), lambda text: "graph mode" in text)
    assert f"{TARGETS['speech']}, graph mode" in card
    window.rest()
    settings = (workspace.parent / "speech/.vscode/settings.json").read_text(encoding="utf-8")
    assert json.loads(settings) == {"mindport.mode": "graph"}
    window.open("vision_model.py")
    assert f"{TARGETS['vision']}, PyNative" in window.hover("torch.std").inner_text()
