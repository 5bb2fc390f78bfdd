"""Porting a folder and trying its port from the editor: what is written, marked, refused and cancelled. The
interpreter is a script that answers as the probe does; the oracle tier tries real ports (tests/trial)."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from language_client import LIMIT, SETTINGS, InnerClient, Message

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="the interpreter is a script that is run by its first line"),
    pytest.mark.thorough,
]

ABLE: Message = {"window": {"workDoneProgress": True, "showDocument": {"support": True}}}
NET = """\
import torch


def loss(x):  # 损失 🔥
    s = "张量 🚀"; return torch.linalg.qr(x)


def more(x):
    return torch.no_such_name(x)
"""
TRAIN = 'import net\n\nif __name__ == "__main__":\n    net.loss(3)\n'
PYTHON = """\
#!{python}
import json, os, sys, time
open({ran!r}, "a").write("%d\\n" % os.getpid())
print({hello}, flush=True)
sys.stdin.readline()
for line in sys.stdin:
    task = json.loads(line)
    {body}
    failure = {{"kind": "error", "classes": ["TypeError"], "message": "no", "stage": "build",
               "frames": [[os.path.join(task["folder"], "net.py"), {line}, "loss"]]}}
    events = [failure] if task["kind"] == "script" and {fails} else [{{"kind": "import"}}, {{"kind": "end"}}]
    print(json.dumps({{"ending": "exit", "events": events}}), flush=True)
"""
HELLO = {"python": "3.11.0", "mindspore": "2.10.0", "error": ""}


class Workspace:
    """A workspace with one project, and the place beside it where its port goes."""

    def __init__(self, folder: Path, client: InnerClient) -> None:
        self.client = client
        self.source, self.port = folder / "src", folder / "port"
        self.source.mkdir()
        for name, text in {"net.py": NET, "train.py": TRAIN, "notes.txt": "注"}.items():
            (self.source / name).write_text(text, encoding="utf-8")
        self.python, self._ran = folder / "python", folder / "ran"

    def interpreter(self, *, fails: bool = True, body: str = "", hello: Any = HELLO) -> None:
        port = self.port / "net.py"
        lines = port.read_text("utf-8").split("\n") if port.exists() else []
        line = next((number for number, one in enumerate(lines, 1) if "return" in one), 1)
        values = {"python": sys.executable, "ran": str(self._ran), "hello": repr(json.dumps(hello))}
        text = PYTHON.format(**values, body=body or "pass", line=line, fails=fails)
        self.python.write_text(text)
        self.python.chmod(0o755)

    @property
    def was_run(self) -> list[int]:
        return [int(one) for one in self._ran.read_text().split()] if self._ran.exists() else []

    def start(self, capabilities: Message | None = None, *, trusted: bool = True, **settings: Any) -> Message:
        options = {**SETTINGS, "interpreter": str(self.python), **settings, "trustedWorkspace": trusted}
        root = self.source.as_uri()
        return self.client.start(capabilities or {}, rootUri=root, initializationOptions=options)

    def run(self, command: str, *arguments: Path | None) -> Any:
        uris = [None if one is None else one.as_uri() for one in arguments]
        return self.client.result("workspace/executeCommand", {"command": command, "arguments": uris})

    def ported(self) -> Any:
        answer = self.run("mindport.port", self.source, self.port)
        assert answer["type"] == "ported", answer
        self.interpreter()
        return answer

    def shown(self, uri: str) -> list[Message]:
        """The failures that a file is marked with now."""
        marks: list[Message] = []
        for message in self.client.received:
            params = message.get("params") or {}
            if message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri:
                marks = [one for one in params["diagnostics"] if one["source"] == "mindport try"]
        return marks

    def told(self) -> list[str]:
        methods = ("window/showMessage", "window/showMessageRequest")
        return [one["params"]["message"] for one in self.client.received if one.get("method") in methods]


@pytest.fixture
def workspace(tmp_path: Path, client: InnerClient) -> Workspace:
    return Workspace(tmp_path, client)


def test_a_folder_is_ported_with_progress_and_its_page_is_shown(workspace: Workspace) -> None:
    workspace.start(ABLE)
    answer = workspace.ported()
    assert answer["destination"] == workspace.port.as_uri()
    assert answer["report"] == (workspace.port / "PORT.md").as_uri()
    assert (workspace.port / "notes.txt").read_text("utf-8") == "注"
    assert "torch" not in (workspace.port / "train.py").read_text("utf-8")
    kinds = [one["params"]["value"] for one in workspace.client.received if one.get("method") == "$/progress"]
    assert kinds[0]["cancellable"] and kinds[-1]["kind"] == "end"
    assert any("of 2 files" in one.get("message", "") for one in kinds)
    assert workspace.client.first("window/showDocument")["uri"] == answer["report"]
    offer = workspace.client.first("window/showMessageRequest")
    assert [one["title"] for one in offer["actions"]] == ["Try the Port (runs its code)"]
    assert workspace.was_run == []


def test_what_is_to_look_at_has_its_places(workspace: Workspace) -> None:
    (workspace.source / "net.py").write_text("import torch\nx = torch.no_such_name(3)\n", encoding="utf-8")
    workspace.start()
    (row,) = workspace.ported()["fails"]
    assert row["rule"] and [one[0] for one in row["places"]] == ["net.py:2"]


def test_the_port_is_tried_where_the_offer_is_taken(workspace: Workspace) -> None:
    workspace.interpreter()
    workspace.client.answers["window/showMessageRequest"] = {"title": "Try the Port (runs its code)"}
    workspace.start()
    workspace.run("mindport.port", workspace.source, workspace.port)
    workspace.client.wait(lambda one: "imports" in str((one.get("params") or {}).get("message", "")))
    assert workspace.was_run


@pytest.mark.parametrize(
    ("encoding", "start", "end"), [("utf-8", 4, 48), ("utf-16", 4, 42), ("utf-32", 4, 41)]
)
@pytest.mark.parametrize("is_open", [True, False])
def test_failures_are_marked_in_the_original(
    workspace: Workspace, encoding: str, start: int, end: int, is_open: bool
) -> None:
    workspace.start({"general": {"positionEncodings": [encoding]}})
    workspace.ported()
    uri = (workspace.source / "net.py").as_uri()
    if is_open:
        workspace.client.open(uri, NET)
        assert workspace.client.published(uri, 1)
    answer = workspace.run("mindport.try", workspace.port)
    assert answer["type"] == "tried" and len(answer["failures"]) == 1
    (mark,) = workspace.shown(uri)
    assert mark["range"]["start"] == {"line": 4, "character": start}
    assert mark["range"]["end"] == {"line": 4, "character": end}
    assert "TypeError: no" in mark["message"] and mark["message"].startswith("train.py does not build")
    if is_open:  # the findings stay
        last = [one for one in workspace.client.received if (one.get("params") or {}).get("uri") == uri][-1]
        assert {one["source"] for one in last["params"]["diagnostics"]} == {"mindport", "mindport try"}
        workspace.client.change(uri, 2, {"text": NET + "\n"})
        assert len([o for o in workspace.client.published(uri, 2) if o["source"] == "mindport try"]) == 1
    # The next run takes them away.
    workspace.interpreter(fails=False)
    assert workspace.run("mindport.try", workspace.port)["failures"] == []
    assert workspace.shown(uri) == []


@pytest.mark.parametrize("of", ["source", "port"])
def test_one_file_is_tried_alone(workspace: Workspace, of: str) -> None:
    workspace.start()
    workspace.ported()
    file = getattr(workspace, of) / "net.py"
    answer = workspace.run("mindport.try", workspace.port, file)
    assert answer["lines"][0].startswith("imports 1/1, builds 0/0")


@pytest.mark.parametrize("more", [[3], [None], ["file:///a.py", "file:///b.py"]])
def test_arguments_of_another_kind_are_an_error(workspace: Workspace, more: list[Any]) -> None:
    workspace.start()
    params = {"command": "mindport.try", "arguments": [workspace.source.as_uri(), *more]}
    assert "error" in workspace.client.ask("workspace/executeCommand", params)


@pytest.mark.parametrize("command", ["mindport.port", "mindport.try"])
def test_without_trust_there_are_no_commands(workspace: Workspace, command: str) -> None:
    result = workspace.start(trusted=False)
    assert command not in result["capabilities"]["executeCommandProvider"]["commands"]
    params = {"command": command, "arguments": [workspace.source.as_uri(), workspace.port.as_uri()]}
    assert "error" in workspace.client.ask("workspace/executeCommand", params)
    assert not workspace.port.exists() and not workspace.was_run


@pytest.mark.parametrize("case", ["port", "try", "file", "nowhere"])
def test_what_lies_outside_of_the_workspace_is_refused(
    workspace: Workspace, tmp_path: Path, case: str
) -> None:
    workspace.interpreter()
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.py").write_text("")
    workspace.start()
    answer = {
        "port": lambda: workspace.run("mindport.port", other, workspace.port),
        "try": lambda: workspace.run("mindport.try", other),
        "file": lambda: workspace.run("mindport.try", workspace.source, other / "a.py"),
        "nowhere": lambda: workspace.run("mindport.try", workspace.source / "gone"),
    }[case]()
    assert answer["type"] == "refusal"
    assert workspace.told() == [f"mindport: {answer['reason']}"]
    assert not workspace.port.exists() and not workspace.was_run


def test_a_place_that_is_not_free_is_refused(workspace: Workspace) -> None:
    workspace.port.mkdir()
    (workspace.port / "mine.txt").write_text("mine")
    workspace.start()
    answer = workspace.run("mindport.port", workspace.source, workspace.port)
    assert answer["type"] == "refusal" and "is not empty" in answer["reason"]
    assert [one.name for one in workspace.port.iterdir()] == ["mine.txt"]


def test_an_interpreter_without_mindspore_is_refused(workspace: Workspace) -> None:
    workspace.start()
    workspace.ported()
    workspace.interpreter(hello={"python": "3.11.0", "mindspore": None, "error": ""})
    answer = workspace.run("mindport.try", workspace.port)
    assert answer["type"] == "refusal" and "has no MindSpore" in answer["reason"]


@pytest.mark.parametrize("agrees", [True, False])
def test_an_interpreter_of_the_project_is_asked_about(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, agrees: bool
) -> None:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    workspace.python = workspace.source / ".venv/bin/python"
    workspace.python.parent.mkdir(parents=True)
    packages = workspace.source / ".venv/lib/python3.11/site-packages/mindspore-2.10.0.dist-info"
    packages.mkdir(parents=True)
    workspace.start(interpreter="")
    workspace.ported()
    workspace.client.answers["window/showMessageRequest"] = {"title": "Start It"} if agrees else None
    answer = workspace.run("mindport.try", workspace.port)
    assert answer["type"] == ("tried" if agrees else "refusal")
    question = f"{workspace.python} comes with the project. Start it?"
    assert question in workspace.told()
    assert bool(workspace.was_run) == agrees


def _cancel_at_begin(client: InnerClient) -> None:
    """Cancel as soon as the progress is there."""
    begun = client.wait(lambda one: one.get("method") == "$/progress")["params"]
    client.notify("window/workDoneProgress/cancel", {"token": begun["token"]})


def _asked(workspace: Workspace, command: str, *folders: Path) -> None:
    params = {"command": command, "arguments": [one.as_uri() for one in folders]}
    workspace.client.send({"id": "run", "method": "workspace/executeCommand", "params": params})


def test_a_cancelled_port_writes_nothing(workspace: Workspace) -> None:
    workspace.start(ABLE)
    _asked(workspace, "mindport.port", workspace.source, workspace.port)
    _cancel_at_begin(workspace.client)
    answer = workspace.client.wait(lambda one: one.get("id") == "run")
    assert answer["result"] == {"type": "cancelled"}
    assert not workspace.port.exists()
    assert workspace.told() == []


def test_a_cancelled_trial_ends_what_it_started(workspace: Workspace) -> None:
    workspace.start(ABLE)
    workspace.ported()
    workspace.interpreter(body="time.sleep(600)")
    workspace.client.received.clear()
    _asked(workspace, "mindport.try", workspace.port)
    begun = workspace.client.wait(lambda one: one.get("method") == "$/progress")["params"]
    end = time.monotonic() + LIMIT
    while not workspace.was_run and time.monotonic() < end:
        workspace.client.result("mindport/targets", {})  # requests go on meanwhile
    # Only one at a time.
    second = workspace.run("mindport.port", workspace.source, workspace.port)
    assert second["type"] == "refusal" and "is running" in second["reason"]
    workspace.client.notify("window/workDoneProgress/cancel", {"token": begun["token"]})
    answer = workspace.client.wait(lambda one: one.get("id") == "run")
    assert answer["result"] == {"type": "cancelled"}
    (process,) = workspace.was_run
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
