"""Porting the project in the real VS Code workbench, and trying the port. The interpreter that is named starts the
server; where it has no MindSpore, a trial says so before it runs anything."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from session import TEXT
from workbench import REPOSITORY, Window, Workbench, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.editor

SETTINGS = '[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10.0"\n'
SQUIGGLE = ".editor-instance .squiggly-warning"
MESSAGE = ".notification-list-item"
REFUSAL = f"mindport: {sys.executable}"
ROW = ".quick-input-list .monaco-list-row"
PROBLEM = ".markers-panel .monaco-list-row"
WITH_MINDSPORE = REPOSITORY / ".venv-oracle/bin/python"
TRAIN = """# 训练 🚀
import torch
from torch import nn


def main():
    net = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = net(torch.ones(3, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())


if __name__ == "__main__":
    main()
"""
FAILING = 's = "张量 🚀"\nimport torch\n\nFOUND = torch.no_such_name.upper()\n'


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Workbench]:
    started = Workbench(tmp_path_factory.mktemp("workbench"), chromium)
    started.use_interpreter(sys.executable)
    yield started
    started.close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "项目 🚀"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
    (folder / "model.py").write_text(TEXT, encoding="utf-8")
    return folder


def answer(window: Window, place: Path) -> None:
    """Write where the port goes."""
    box = window.see(".quick-input-widget input")
    box.fill(str(place))
    window.press("Enter")


def test_a_project_is_ported_and_its_port_tried(workbench: Workbench, project: Path, tmp_path: Path) -> None:
    place = tmp_path / "移植 🚀"
    with workbench.window(project, "model.py") as window:
        window.see(SQUIGGLE)
        window.run("mindport: Port This Project")
        answer(window, place)
        window.see(".tab.active", "PORT.md")
        assert "mindspore" in (place / "model.py").read_text("utf-8")
        assert (project / "model.py").read_text("utf-8") == TEXT
        offer = window.see(MESSAGE, "1 file converted")
        window.picture(tmp_path / "ported.png")
        offer.get_by_role("button", name="Try the Port").click()
        window.see(MESSAGE, REFUSAL)
        # The place is known by now, and nothing is asked.
        window.run("Notifications: Clear All Notifications")
        window.open("model.py")
        window.run("mindport: Try This File")
        window.see(MESSAGE, REFUSAL)


def test_what_fails_in_a_trial_is_marked_in_the_original(
    workbench: Workbench, project: Path, tmp_path: Path
) -> None:
    (project / "model.py").unlink()
    (project / "train.py").write_text(TRAIN, encoding="utf-8")
    (project / "failing.py").write_text(FAILING, encoding="utf-8")
    workbench.use_interpreter(str(WITH_MINDSPORE))
    try:
        with workbench.window(project, "failing.py") as window:
            window.see(SQUIGGLE)
            window.run("mindport: Port This Project")
            answer(window, tmp_path / "移植 🚀")
            offer = window.see(MESSAGE, "converted with")
            offer.get_by_role("button", name="Try the Port").click()
            said = window.see(MESSAGE, "trains 1/1").inner_text()
            assert "imports 1/2" in said
            window.run("Problems: Focus on Problems View")
            assert "[Ln 2, Col 1]" in window.see(PROBLEM, "mindport try").inner_text()  # torch is imported
    finally:
        workbench.use_interpreter(sys.executable)


def test_nothing_of_it_is_there_without_trust(workbench: Workbench, project: Path) -> None:
    with workbench.window(project, "model.py", trusted=False) as window:
        window.see(SQUIGGLE)
        for command, is_there in {"Check Workspace": True, "Port This": False, "Try This": False}.items():
            window.press("F1")
            window.see(".quick-input-widget input").fill(f">mindport: {command}")
            rows = window.page.locator(ROW, has_text=f"mindport: {command}")
            found = eventually(rows.count, lambda count, there=is_there: bool(count) == there)
            assert bool(found) == is_there
            window.press("Escape")
