"""No command starts an interpreter that merely lies in the project: it is named, activated, or agreed to."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
import pytest

from mindport.cli.main import main

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the interpreter is a shell script")

COMMANDS = {
    "prove": ["prove", "torch.abs"],
    "explain": ["explain", "--second-order", "--live", "torch.abs"],
    "verify": ["verify", "a.py", "b.py", "--entry", "f", "--input", "2"],
    "verify-second-order": ["verify-second-order", "a.py:f", "--input", "2"],
    "shapes": ["shapes", "a.py", "--loader", "loader"],
    "convert-weights": ["convert-weights", "in.npz", "out.ckpt", "--model", "a.py", "--entry", "f()"],
}


class Project:
    """A project with an interpreter of its own that leaves a mark where it runs."""

    def __init__(self, folder: Path, place: str) -> None:
        self.folder = folder
        for name in ("a.py", "b.py", "in.npz"):
            (folder / name).write_text("")
        self.python = folder / place
        self.python.parent.mkdir(parents=True)
        self.python.write_text(f"#!/bin/sh\ntouch {folder}/was-run\nexit 3\n")
        self.python.chmod(0o755)
        packages = self.python.parent.parent / "lib" / "python3.11" / "site-packages"
        (packages / "mindspore-2.10.0.dist-info").mkdir(parents=True)

    def sets(self, interpreter: str) -> None:
        (self.folder / "pyproject.toml").write_text(f'[tool.mindport]\ninterpreter = "{interpreter}"\n')

    @property
    def was_run(self) -> bool:
        return (self.folder / "was-run").exists()


@pytest.fixture(params=[".venv/bin/python", "venv/bin/python3", "tools/bin/python"])
def project(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    found = Project(tmp_path, request.param)
    found.sets("tools/bin/python" if request.param.startswith("tools") else "")
    monkeypatch.chdir(tmp_path)
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    return found


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, answer: bool) -> list[str]:
    """Let a user answer; the questions that are asked."""
    questions: list[str] = []

    def confirm(question: str, **_: object) -> bool:
        questions.append(question)
        return answer

    monkeypatch.setattr(click, "confirm", confirm)
    for stream in (sys.stdin, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    return questions


@pytest.mark.parametrize("command", COMMANDS)
def test_refused_where_nobody_can_be_asked(
    command: str, project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(COMMANDS[command]) == 2
    said = capsys.readouterr().err
    assert str(project.python) in said and "name it with --interpreter" in said
    assert not project.was_run


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("answer", [True, False])
def test_asked_on_a_terminal(
    command: str, answer: bool, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = on_a_terminal(monkeypatch, answer)
    code = main(COMMANDS[command])
    assert len(questions) == 1 and str(project.python) in questions[0]
    assert project.was_run is answer
    assert answer or code == 2


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("relative", [True, False])
def test_a_named_one_is_started_unasked(
    command: str, relative: bool, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = on_a_terminal(monkeypatch, False)
    named = project.python.relative_to(project.folder) if relative else project.python
    main([*COMMANDS[command], "--interpreter", str(named)])
    assert project.was_run and not questions


@pytest.mark.parametrize("variable", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_an_active_one_is_started_unasked(
    variable: str, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, str(project.python.parent.parent))
    main(COMMANDS["prove"])
    assert project.was_run


def test_the_one_that_runs_mindport_is_started_unasked(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(project.python.parent.parent))
    main(COMMANDS["prove"])
    assert project.was_run


def test_a_link_to_the_active_environment_is_active(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = project.python.parent.parent
    elsewhere = project.folder.parent / f"{project.folder.name}-elsewhere"
    environment.rename(elsewhere)
    environment.symlink_to(elsewhere)
    monkeypatch.setenv("VIRTUAL_ENV", str(elsewhere))
    main(COMMANDS["prove"])
    assert project.was_run


def test_a_link_to_a_python_is_none_of_the_user(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment's python is a link to the one that made it, and runs other packages."""
    project.python.unlink()
    project.python.symlink_to(Path(sys.executable).resolve())
    assert main(COMMANDS["prove"]) == 2


def test_a_name_of_python_is_the_one_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "project").mkdir()
    hostile = Project(tmp_path / "project", "python3/bin/python")
    elsewhere = tmp_path / "bin"
    elsewhere.mkdir()
    (elsewhere / "python3").write_text(f"#!/bin/sh\ntouch {tmp_path}/right\nexit 3\n")
    (elsewhere / "python3").chmod(0o755)
    monkeypatch.chdir(hostile.folder)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", str(elsewhere), os.environ["PATH"]]))
    main([*COMMANDS["prove"], "--interpreter", "python3"])
    assert (tmp_path / "right").exists() and not hostile.was_run
