"""Differentiating the user's code twice from the editor: when it is offered, and what is told. The interpreter is a
shell script that answers as the probe does."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from language_client import SETTINGS, InnerClient, Message, place

SAMPLE = Path(__file__).parent.parent / "sample" / "wgan_ported"
PROGRESS: Message = {"window": {"workDoneProgress": True}}
STAGES = ["import", "build", "inputs", "forward", "first", "graph", "pynative"]
CUT = {
    "version": "2.10.0",
    "inputs": [[2, 3, 8, 8]],
    "stages": STAGES,
    "error": {},
    "difference": 1.0,
    "missing": "",
}
MISSING = {
    "version": "2.10.0", "inputs": [[4]], "stages": STAGES[:5], "error": {"graph": "RuntimeError: no bprop"},
    "difference": None, "missing": "EluGrad",
}  # fmt: skip
REFUSED = {"version": "2.10.0", "stages": ["import"], "error": {"build": "TypeError: Critic() wants a width"}}
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the interpreter is a shell script")


class Workspace:
    """A ported critic with an environment of its own. `does` is what its interpreter does."""

    def __init__(self, folder: Path, client: InnerClient) -> None:
        self.client = client
        self._seen = 0
        self.folder = folder / "project"
        shutil.copytree(SAMPLE, self.folder)
        (self.folder / "pyproject.toml").write_text("[tool.mindport]\n")
        packages = self.folder / ".venv" / "lib" / "python3.11" / "site-packages"
        (packages / "mindspore-2.10.0.dist-info").mkdir(parents=True)
        self.python = self.folder / ".venv" / "bin" / "python"
        self.python.parent.mkdir()
        self.does("exit 3")
        self.uri = (self.folder / "critic.py").as_uri()
        self.line = next(
            number
            for number, line in enumerate((self.folder / "critic.py").read_text().split("\n"))
            if "nn.Flatten()" in line
        )

    def does(self, command: str) -> None:
        self.python.write_text(f"#!/bin/sh\n{command}\n")
        self.python.chmod(0o755)

    def answers(self, answer: dict[str, Any]) -> None:
        # The server may ask for bprops as well.
        request = f"{self.folder}/$(basename $1 .py).json"
        self.does(f"cat > {request}\ncat <<'END'\n{json.dumps(answer)}\nEND\n")

    def open(self, capabilities: Message | None = None, **options: Any) -> None:
        # The interpreter is named, because an environment that is active would count first.
        settings = {**SETTINGS, "interpreter": str(self.python), **options}
        self.client.start(capabilities, initializationOptions=settings)
        self.client.open(self.uri, (self.folder / "critic.py").read_text())
        self.client.published(self.uri)

    def offered(self, line: int | None = None, only: list[str] | None = None) -> list[Any]:
        where = place(self.line if line is None else line, 40)
        return [one for one in self.client.actions(self.uri, where, only) if "command" in one]

    def run(self) -> None:
        (action,) = self.offered()
        assert self.client.result("workspace/executeCommand", action["command"]) is None

    def told(self) -> str:
        """The next message to the user, received already or to come."""
        while True:
            while self._seen < len(self.client.received):
                message = self.client.received[self._seen]
                self._seen += 1
                if message.get("method") == "window/showMessage":
                    return str(message["params"]["message"])
            self.client.wait(lambda _: True)


@pytest.fixture
def workspace(tmp_path: Path, client: InnerClient, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    return Workspace(tmp_path, client)


def test_offered_on_a_finding_of_a_trusted_workspace(workspace: Workspace) -> None:
    workspace.open(trustedWorkspace=True)
    (action,) = workspace.offered()
    assert "`Critic`" in action["title"] and "runs your code" in action["title"]
    assert action["command"]["arguments"] == [workspace.uri, "Critic"]
    assert "MP202" in {one["code"] for one in action["diagnostics"]}
    assert not action.get("isPreferred") and "edit" not in action
    # Anywhere in the class, but not outside of it, and never as one of the fixes.
    assert workspace.offered(workspace.line + 3) and not workspace.offered(0)
    assert workspace.offered(only=["mindport"]) and not workspace.offered(only=["quickfix"])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"trustedWorkspace": False},
        {"trustedWorkspace": "true"},
        # What may come from the workspace itself does not count.
        {"settings": {**SETTINGS, "trustedWorkspace": True}},
        {"mindport": {**SETTINGS, "trustedWorkspace": True}},
    ],
)
def test_not_offered_nor_run_without_trust(workspace: Workspace, options: dict[str, Any]) -> None:
    workspace.does(f"touch {workspace.folder}/was_run")
    workspace.open(**options)
    assert not workspace.offered()
    command = {"command": "mindport.verifySecondOrder", "arguments": [workspace.uri, "Critic"]}
    assert "error" in workspace.client.ask("workspace/executeCommand", command)
    assert not (workspace.folder / "was_run").exists()


def test_not_offered_without_mindspore(workspace: Workspace) -> None:
    shutil.rmtree(workspace.folder / ".venv" / "lib")
    workspace.open(trustedWorkspace=True)
    assert not workspace.offered()


def test_not_offered_for_torch_code_or_without_finding(workspace: Workspace) -> None:
    workspace.open(trustedWorkspace=True)
    uri = (workspace.folder / "other.py").as_uri()
    text = (
        "import torch\ndef penalty(x):\n    y = x.reshape(-1).sum()\n"
        "    return torch.autograd.grad(y, x, create_graph=True)\ndef plain(x):\n    return x\n"
    )
    workspace.client.open(uri, text)
    assert workspace.client.published(uri)
    for line in (2, 5):
        assert not [one for one in workspace.client.actions(uri, place(line, 10)) if "command" in one]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (CUT, "PyNative is wrong: it differs from graph mode by 1 of the largest value"),
        (CUT, "with inputs of shape 2,3,8,8"),
        (MISSING, "First failing link: Elu or SeLU -> EluGrad, which has no bprop."),
        (REFUSED, "the entry cannot be made: TypeError: Critic() wants a width"),
        ({**CUT, "difference": 1e-7}, "PyNative and graph mode agree to 1e-07"),
        ({}, "nothing was run"),
    ],
)
def test_the_outcome_is_told(workspace: Workspace, answer: dict[str, Any], words: str) -> None:
    workspace.answers(answer)
    workspace.open(trustedWorkspace=True)
    workspace.run()
    assert "differentiating `Critic` twice" in workspace.told()
    assert words in workspace.told()
    request = json.loads((workspace.folder / "double_gradient.json").read_text())
    assert (
        request["file"].endswith("critic.py") and request["entry"] == "Critic" and request["inputs"] is None
    )


def test_an_interpreter_that_fails_is_told(workspace: Workspace) -> None:
    workspace.does("echo 'no such module' >&2; exit 3")
    workspace.open(trustedWorkspace=True)
    workspace.run()
    workspace.told()
    assert "failed: no such module" in workspace.told()


def test_unsaved_text_is_not_run(workspace: Workspace) -> None:
    workspace.answers(CUT)
    workspace.open(trustedWorkspace=True)
    workspace.client.change(workspace.uri, 2, {"text": (workspace.folder / "critic.py").read_text() + "\n"})
    workspace.run()
    assert "save critic.py first" in workspace.told()
    assert not (workspace.folder / "double_gradient.json").exists()


def test_progress_ends_and_other_requests_are_answered_meanwhile(workspace: Workspace) -> None:
    workspace.does(f"touch {workspace.folder}/started; sleep 60")
    workspace.open(PROGRESS, trustedWorkspace=True)
    workspace.run()
    begin = workspace.client.wait_for("$/progress")
    assert begin["value"]["kind"] == "begin" and begin["value"]["cancellable"]
    started = time.monotonic()
    assert workspace.client.hover(workspace.uri, workspace.line, 40) is not None
    assert time.monotonic() - started < 5
    # A second run waits for the first.
    workspace.run()
    assert "another function is being differentiated" in workspace.told()
    workspace.client.notify("window/workDoneProgress/cancel", {"token": begin["token"]})
    end = workspace.client.wait_for("$/progress")
    assert (end["token"], end["value"]["kind"]) == (begin["token"], "end")
    # After a cancelled run there is room for another.
    workspace.answers(CUT)
    workspace.run()
    assert "PyNative is wrong" in workspace.told()


def test_a_run_that_takes_too_long_is_ended(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mindport.lsp.double_gradient.SECONDS", 0.2)
    workspace.does(f"echo $$ > {workspace.folder}/pid; exec sleep 60")
    workspace.open(PROGRESS, trustedWorkspace=True)
    workspace.run()
    assert "did not answer within 0.2 s" in workspace.told()
    process = int((workspace.folder / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
