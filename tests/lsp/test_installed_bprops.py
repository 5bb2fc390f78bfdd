"""What the installed MindSpore says of its bprops, on the cards: who spoke is always said. The interpreter is a shell
script that answers as the probe does."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from language_client import SETTINGS, InnerClient

TEXT = """\
import mindspore as ms
from mindspore import nn

elu = nn.ELU()  # 张量 🚀


def f(x):
    return elu(x)


h = ms.grad(ms.grad(f))
"""
ABILITIES = {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the interpreter is a shell script")


class Workspace:
    """A file with a link, and an interpreter of which `does` says what it does."""

    def __init__(self, folder: Path, client: InnerClient) -> None:
        self.client = client
        (folder / "pyproject.toml").write_text("[tool.mindport]\n")
        self.folder = folder
        self.python = folder / "env" / "bin" / "python"
        self.python.parent.mkdir(parents=True)
        packages = folder / "env" / "lib" / "python3.11" / "site-packages"
        (packages / "mindspore-2.10.0.dist-info").mkdir(parents=True)
        self.uri = (folder / "a.py").as_uri()

    def does(self, command: str) -> None:
        self.python.write_text(f"#!/bin/sh\necho run >> {self.folder}/runs\n{command}\n")
        self.python.chmod(0o755)

    def answers(
        self, version: str, has: dict[str, bool], source: tuple[str, ...] = ("C++", "Python")
    ) -> None:
        answer = {"version": version, "has": has, "source": source}
        self.does(f"cat > /dev/null\necho '{json.dumps(answer)}'")

    def open(self, trusted: bool = True, **settings: Any) -> None:
        options = {**SETTINGS, "interpreter": str(self.python), "trustedWorkspace": trusted, **settings}
        self.client.start(ABILITIES, initializationOptions=options)
        self.client.open(self.uri, TEXT)
        self.client.published(self.uri)

    def card(self) -> str:
        found = self.client.hover(self.uri, 3, 10)
        return str(found["contents"]["value"])

    def settled_card(self) -> str:
        """The card once the interpreter has answered."""
        limit = time.monotonic() + 20
        while "has not yet said" in (card := self.card()):
            assert time.monotonic() < limit
        return card

    @property
    def runs(self) -> int:
        runs = self.folder / "runs"
        return len(runs.read_text().split()) if runs.exists() else 0


@pytest.fixture
def workspace(tmp_path: Path, client: InnerClient) -> Workspace:
    return Workspace(tmp_path, client)


def test_the_installed_registry_beats_the_data(workspace: Workspace) -> None:
    workspace.answers("2.10.0", {"Elu": True, "EluGrad": True})
    workspace.open()
    card = workspace.settled_card()
    assert "Registry: complete (MindSpore 2.10.0)" in card and "missing link" not in card
    assert f"asked of the MindSpore 2.10.0 of {workspace.python}" in card
    assert "EluGrad has a bprop in the installed MindSpore, has none in the data of 2.10.0" in card
    # What was measured to raise for want of that bprop is no longer true.
    assert "Measured: not measured" in card


def test_where_they_agree_the_card_says_who_spoke(workspace: Workspace) -> None:
    workspace.answers("2.10.0", {"Elu": True, "EluGrad": False})
    workspace.open()
    card = workspace.settled_card()
    assert "missing link Elu -> EluGrad" in card and "asked of the MindSpore 2.10.0" in card
    assert "in the data of" not in card


def test_one_question_for_each_interpreter(workspace: Workspace) -> None:
    workspace.answers("2.10.0", {"Elu": True, "EluGrad": False})
    workspace.open()
    workspace.settled_card()
    workspace.client.change(workspace.uri, 2, {"text": TEXT + "\n"})
    workspace.client.published(workspace.uri, 2)
    workspace.settled_card()
    assert workspace.runs == 1


@pytest.mark.parametrize(
    ("version", "target", "words"),
    [
        ("2.9.0", "2.10.0", "has MindSpore 2.9.0, the target is 2.10.0; by the data of MindSpore 2.10.0"),
        ("2.11.0", "2.10.0", "has MindSpore 2.11.0, the target is 2.10.0"),
        # Newer than all data: the registry is the installed one's, and what was measured says of which version it is.
        ("2.11.0", "2.11.0", "asked of the MindSpore 2.11.0"),
        ("2.11.0", "2.11.0", "measured with MindSpore 2.10.0, not 2.11.0"),
    ],
)
def test_another_version_is_said(workspace: Workspace, version: str, target: str, words: str) -> None:
    workspace.answers(version, {"Elu": True, "EluGrad": False})
    workspace.open(targetVersion=target)
    assert words in workspace.settled_card()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("echo 'no libmindspore' >&2; exit 1", "failed: no libmindspore"),
        ("cat > /dev/null; echo '{}'", "its registries of bprops cannot be asked"),
        ("""echo '{"version": "x", "has": {"Elu": true}, "source": ["C++"]}'""", "by the data"),
        ("echo none", "gave no answer that can be read"),
    ],
)
def test_no_answer_leaves_it_to_the_data(workspace: Workspace, command: str, words: str) -> None:
    workspace.does(command)
    workspace.open()
    card = workspace.settled_card()
    assert words in card and "by the data of MindSpore 2.10.0" in card
    assert "missing link Elu -> EluGrad" in card


def test_a_hover_never_waits(workspace: Workspace) -> None:
    workspace.does("exec sleep 60")
    workspace.open()
    started = time.monotonic()
    card = workspace.card()
    assert time.monotonic() - started < 5
    assert "has not yet said" in card and "missing link Elu -> EluGrad" in card


def test_nothing_is_run_without_trust(workspace: Workspace) -> None:
    workspace.answers("2.10.0", {"Elu": True, "EluGrad": True})
    workspace.open(trusted=False)
    card = workspace.card()
    assert workspace.runs == 0 and "missing link Elu -> EluGrad" in card and str(workspace.python) not in card


@pytest.mark.parametrize(("place", "setting"), [("env", "env/bin/python"), (".venv", "")])
def test_what_lies_in_the_project_is_not_run_unasked(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, place: str, setting: str
) -> None:
    """Trust alone is no choice of an interpreter: pyproject.toml and `.venv` come with the project."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    workspace.answers("2.10.0", {"Elu": True, "EluGrad": True})
    (workspace.folder / "env").rename(workspace.folder / place)
    (workspace.folder / "pyproject.toml").write_text(f'[tool.mindport]\ninterpreter = "{setting}"\n')
    workspace.open(interpreter=None)
    assert "missing link Elu -> EluGrad" in workspace.card()
    assert workspace.runs == 0
    monkeypatch.setenv("VIRTUAL_ENV", str(workspace.folder / place))
    assert "asked of the MindSpore 2.10.0" in workspace.settled_card()


def test_nothing_is_run_without_a_link(workspace: Workspace) -> None:
    workspace.answers("2.10.0", {"Elu": True})
    options = {**SETTINGS, "interpreter": str(workspace.python), "trustedWorkspace": True}
    workspace.client.start(ABILITIES, initializationOptions=options)
    workspace.client.open(workspace.uri, "import torch\nx = torch.relu(torch.ones(2))\n")
    workspace.client.published(workspace.uri)
    workspace.client.hover(workspace.uri, 1, 12)
    assert workspace.runs == 0
