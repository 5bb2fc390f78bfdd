"""A hostile folder in the real VS Code workbench, started from a terminal in that folder: nothing of it is run before
its authors are trusted, and its interpreter not before the user says so either."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from session import TEXT
from workbench import NODE, Workbench, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.editor

SETTINGS = '[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10.0"\n'
SQUIGGLE = ".editor-instance .squiggly-warning"
ROW = ".pane-body .monaco-list-row"
MESSAGE = ".notification-list-item"
LINE = ".editor-instance .view-line"
# What Python imports by itself, what our server imports, and what is looked for by name.
MODULES = ["mindport.py", "sitecustomize.py", "usercustomize.py", "typing.py", "asyncio.py", "msgspec.py"]
PROGRAMS = ["mindport", "python3", "python", "git", "bin/mindport", "bin/python3", ".venv/bin/mindport"]
INTERPRETER = ".venv/bin/python"
SYSTEM = "/usr/local/bin:/usr/bin:/bin"


class Hostile:
    """A folder in which everything that is run leaves a mark."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "hostile"
        self._marks = home / "marks"
        self._marks.mkdir()
        for name in [*PROGRAMS, INTERPRETER]:
            self._write(name, f'#!/bin/sh\n: > {self._mark(name)}\nexec {sys.executable} "$@"\n')
            (self.folder / name).chmod(0o755)
        for name in MODULES:
            self._write(name, f"open({str(self._mark(name))!r}, 'w').close()\nprint('mindport 9.0.0')\n")
        self._write("pyproject.toml", SETTINGS)
        self._write("model.py", TEXT)

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def names_its_own_programs(self) -> None:
        """In the settings that come with the folder."""
        named = {"path": "bin/mindport", "interpreter": INTERPRETER}
        settings = {f"mindport.{name}": str(self.folder / program) for name, program in named.items()}
        self._write(".vscode/settings.json", json.dumps(settings))

    def _mark(self, name: str) -> Path:
        return self._marks / name.replace("/", "+")

    @property
    def was_run(self) -> set[str]:
        return {path.name.replace("+", "/") for path in self._marks.iterdir()}

    @property
    def environment(self) -> dict[str, str]:
        """As a terminal has it where `.venv` is active, and where folders are named as they are by habit."""
        inside = ["", ".", "bin", str(self.folder / "bin"), str(self.folder / ".venv/bin")]
        return {
            "PATH": ":".join([*inside, str(NODE.parent), SYSTEM]),
            "PYTHONPATH": f":.:{self.folder}",
        }


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    return Hostile(tmp_path)


@pytest.fixture
def workbench(tmp_path: Path, chromium: Browser, hostile: Hostile) -> Iterator[Workbench]:
    """A workbench that was started in the folder, and that knows no server but what it finds."""
    home = tmp_path / "workbench"
    home.mkdir()
    started = Workbench(home, chromium, hostile.environment, started_in=hostile.folder)
    started.use_interpreter("")
    yield started
    started.close()


@pytest.mark.parametrize("trusted", [False, True])
def test_the_server_of_the_extension_is_started_and_nothing_of_the_folder(
    workbench: Workbench, hostile: Hostile, trusted: bool
) -> None:
    with workbench.window(hostile.folder, "model.py", trusted=trusted) as window:
        window.see(SQUIGGLE)
        assert "ops.cat(" in window.hover("cat([").inner_text()
        assert not window.page.locator(MESSAGE).count()
        assert hostile.was_run == set()


def test_where_no_python_is_the_interpreter_of_the_folder_waits_for_trust_and_the_user(
    tmp_path: Path, chromium: Browser, hostile: Hostile
) -> None:
    (tmp_path / "bare").mkdir()
    inside = [str(hostile.folder / folder) for folder in ("bin", ".venv/bin")]
    # As from a command line: the editor does not ask a login shell for another PATH.
    environment = {"PATH": ":".join([*inside, str(NODE.parent)]), "VSCODE_CLI": "1"}
    bare = Workbench(tmp_path / "bare", chromium, environment, started_in=hostile.folder)
    bare.use_interpreter("")
    try:
        with bare.window(hostile.folder, "model.py", trusted=False) as window:
            message = window.see(MESSAGE, "needs a Python from 3.10 to 3.14")
            assert not message.get_by_role("button", name="Start It").count()
            message.get_by_role("button", name="Show What Was Tried").click()
            window.see(LINE, "1 folders, not trusted")
            assert hostile.was_run == set()
        with bare.window(hostile.folder, "model.py", trusted=True) as window:
            message = window.see(MESSAGE, str(hostile.folder / INTERPRETER))
            assert hostile.was_run == set()
            message.get_by_role("button", name="Start It").click()
            window.open("model.py")
            window.see(SQUIGGLE)
            assert hostile.was_run == {INTERPRETER}
    finally:
        bare.close()


def test_what_the_settings_of_the_folder_name_waits_too(workbench: Workbench, hostile: Hostile) -> None:
    hostile.names_its_own_programs()
    with workbench.window(hostile.folder, "model.py") as window:
        message = window.see(MESSAGE, str(hostile.folder / "bin/mindport"))
        window.run("mindport: Show Debug Information")
        window.see(LINE, "1 folders, trusted")
        assert hostile.was_run == set()
        message.get_by_role("button", name="Start It").click()
        window.open("model.py")
        # It is no server; what counts is that it was run now, and alone.
        assert eventually(lambda: hostile.was_run, bool) == {"bin/mindport"}


def test_a_server_from_elsewhere_runs_nothing_of_the_folder(workbench: Workbench, hostile: Hostile) -> None:
    """Neither when it starts nor when it checks the workspace in a process of its own."""
    workbench.use_interpreter(sys.executable)
    with workbench.window(hostile.folder, "model.py", trusted=False) as window:
        window.see(SQUIGGLE)
        assert "ops.cat(" in window.hover("cat([").inner_text()
        window.press("Escape")
        window.run("mindport: Check Workspace")
        window.see(ROW, "model.py")
        assert eventually(lambda: "ops" in window.hover("torch.std").inner_text(), bool)
        assert hostile.was_run == set()
