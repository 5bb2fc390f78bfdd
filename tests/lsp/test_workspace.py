"""Files that are not open: pulled, pushed after the command, kept up to date, given up, and kept across restarts."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from language_client import InnerClient, Message

from mindport.lsp import background_check, workspace_check
from mindport.lsp.workspace_check import CheckRequest, Line

BAD = "import torch\n\nx = torch.no_such_name\n"
GOOD = "import torch\n\nx = torch.float32\n"
# The name lies behind an emoji and a Chinese word: each encoding counts its columns otherwise.
ELSEWHERE = 'import torch\n\nt = "张量 🚀"; x = torch.no_such_name\n'
PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
UNKNOWN = "MP113"


@pytest.fixture(autouse=True)
def at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change is followed up without waiting for more of them, every check shows its progress, and most tests spare
    themselves the start of a process."""
    if "in_a_process" not in request.fixturenames:
        monkeypatch.setattr(background_check, "checked_files", checked_here)
    monkeypatch.setattr(background_check, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(background_check, "_CHECKS_TO_WAIT", 0.0)
    monkeypatch.setattr(background_check, "_GATHER_SECONDS", 0.0)
    monkeypatch.setattr(background_check, "_QUIET_SECONDS", -1.0)


@pytest.fixture
def in_a_process() -> None:
    """The files are checked as in reality."""


async def checked_here(request: CheckRequest) -> AsyncGenerator[Line, None]:
    before = Path.cwd()
    os.chdir(request.folder)
    try:
        lines = list(workspace_check.check(request))
    finally:
        os.chdir(before)
    for line in lines:
        yield line


def write(folder: Path, **files: str) -> Path:
    """A project with files; its folder."""
    folder.mkdir(exist_ok=True)
    (folder / "pyproject.toml").write_text("[tool.mindport]\n", encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def start(client: InnerClient, *folders: Path, pulls: bool = True, **more: Any) -> Message:
    """Open folders in an editor."""
    roots = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
    capabilities = {**(PULLS if pulls else {}), **more}
    return client.start(capabilities, workspaceFolders=roots, rootUri=roots[0]["uri"])


def pull(client: InnerClient, known: Message | None = None) -> dict[str, Any]:
    """The reports of one pull by the name of their file; `known` (URI -> name) is brought up to date."""
    previous = [{"uri": uri, "value": value} for uri, value in (known or {}).items()]
    answer = client.result("workspace/diagnostic", {"previousResultIds": previous})
    for report in answer["items"]:
        assert report["kind"] == "full"
        if known is not None:
            known[report["uri"]] = report["resultId"]
    return by_name(answer["items"])


def by_name(reports: list[Any]) -> dict[str, Any]:
    return {report["uri"].rpartition("/")[2]: report["items"] for report in reports}


def pushed(client: InnerClient) -> dict[str, Any]:
    """The last diagnostics that were pushed, by the name of their file."""
    found = [
        one["params"] for one in client.received if one.get("method") == "textDocument/publishDiagnostics"
    ]
    return {one["uri"].rpartition("/")[2]: one["diagnostics"] for one in found}


def run_command(client: InnerClient) -> Any:
    return client.result("workspace/executeCommand", {"command": "mindport.index"})


def changed(client: InnerClient, *paths: Path) -> None:
    """The editor says that files have changed on the disk."""
    changes = [{"uri": path.as_uri(), "type": 2} for path in paths]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


def test_nothing_is_checked_before_it_is_asked_for(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", bad=BAD)
    start(client, folder, pulls=False)
    client.open((folder / "open.py").as_uri(), GOOD)
    client.published((folder / "open.py").as_uri())
    changed(client, folder / "bad.py")
    client.hover((folder / "open.py").as_uri(), 0, 0)
    assert set(pushed(client)) == {"open.py"}
    assert not (folder / ".mindport_cache").exists()


def test_pull_has_what_is_found_and_nothing_of_clean_files(client: InnerClient, tmp_path: Path) -> None:
    result = start(client, write(tmp_path / "p", bad=BAD, good=GOOD))
    assert result["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"] is True
    known: Message = {}
    reports = pull(client, known)
    assert [one["code"] for one in reports.pop("bad.py")] == [UNKNOWN]
    assert reports == {}
    assert pull(client, known) == {}
    assert pushed(client) == {}


@pytest.mark.parametrize(("encoding", "start_column"), [("utf-8", 23), ("utf-16", 17), ("utf-32", 16)])
def test_columns_are_the_clients(
    client: InnerClient, tmp_path: Path, encoding: str, start_column: int
) -> None:
    start(client, write(tmp_path / "p", bad=ELSEWHERE), general={"positionEncodings": [encoding]})
    ((diagnostic,),) = pull(client).values()
    place = {"line": 2, "character": start_column}
    assert diagnostic["range"] == {
        "start": place,
        "end": {**place, "character": start_column + len("torch.no_such_name")},
    }


def test_open_documents_are_left_out_until_they_are_closed(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", bad=BAD, worse=BAD)
    start(client, folder)
    uri = (folder / "bad.py").as_uri()
    client.open(uri, BAD)
    assert set(pull(client)) == {"worse.py"}
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert set(pull(client)) == {"bad.py", "worse.py"}


def test_diagnostics_of_a_document_are_known_when_it_is_closed(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", bad=BAD)
    start(client, folder)
    uri = (folder / "bad.py").as_uri()
    client.open(uri, BAD)
    report = client.result("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert pull(client, {uri: report["resultId"]}) == {}


def test_changed_and_deleted_files_are_news(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", mended=BAD, gone=BAD, broken=GOOD, same=BAD)
    start(client, folder)
    known: Message = {}
    assert set(pull(client, known)) == {"mended.py", "gone.py", "same.py"}
    write(folder, mended=GOOD, broken=BAD)
    (folder / "gone.py").unlink()
    identifier = hold(client, known)
    changed(client, folder / "mended.py", folder / "gone.py", folder / "broken.py")
    reports = partial_reports(client, identifier)
    assert {name: len(items) for name, items in reports.items()} == {
        "mended.py": 0,
        "gone.py": 0,
        "broken.py": 1,
    }


def hold(client: InnerClient, known: Message) -> int:
    """A pull that takes partial results; its id."""
    previous = [{"uri": uri, "value": value} for uri, value in known.items()]
    params = {"previousResultIds": previous, "partialResultToken": "part"}
    client.send({"id": 1000, "method": "workspace/diagnostic", "params": params})
    return 1000


def partial_reports(client: InnerClient, identifier: int) -> dict[str, Any]:
    """What comes until the pull is answered."""
    before = len(client.received)
    answer = client.wait(lambda message: message.get("id") == identifier and "method" not in message)
    assert answer["result"] == {"items": []}
    parts = [
        one["params"]["value"]["items"]
        for one in client.received[before:]
        if one.get("method") == "$/progress" and one["params"]["token"] == "part"
    ]
    return by_name([report for part in parts for report in part])


def test_partial_results_come_first(client: InnerClient, tmp_path: Path, in_a_process: None) -> None:
    start(client, write(tmp_path / "p", bad=BAD, worse=BAD, good=GOOD))
    assert set(partial_reports(client, hold(client, {}))) == {"bad.py", "worse.py"}


def test_later_pull_ends_an_earlier_one(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", good=GOOD)
    start(client, folder)
    hold(client, {})
    assert pull(client) == {}
    (answer,) = (one for one in client.received if one.get("id") == 1000)
    assert answer["result"] == {"items": []}


def test_held_pull_can_be_cancelled(client: InnerClient, tmp_path: Path) -> None:
    start(client, write(tmp_path / "p", good=GOOD))
    identifier = hold(client, {})
    client.notify("$/cancelRequest", {"id": identifier})
    answer = client.wait(lambda message: message.get("id") == identifier and "method" not in message)
    assert "error" in answer


def test_command_pushes_to_clients_that_do_not_pull(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", bad=BAD, good=GOOD)
    start(client, folder, pulls=False)
    assert run_command(client) == {"files": 2, "errors": 0, "warnings": 1}
    assert [one["code"] for one in pushed(client)["bad.py"]] == [UNKNOWN]
    assert "good.py" not in pushed(client)
    messages = [one["params"] for one in client.received if one.get("method") == "window/showMessage"]
    assert messages == [{"type": 3, "message": "mindport: files checked: 2; errors: 0, warnings: 1"}]
    # While the document is open its own diagnostics count, then those of the file again.
    uri = (folder / "bad.py").as_uri()
    client.open(uri, GOOD)
    assert client.published(uri) == []
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.published(uri) == []
    assert [one["code"] for one in client.published(uri)] == [UNKNOWN]


def test_pushed_diagnostics_give_way_to_pulled_ones(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", bad=BAD, worse=BAD)
    start(client, folder)
    run_command(client)
    assert {name: len(items) for name, items in pushed(client).items()} == {"bad.py": 1, "worse.py": 1}
    client.open((folder / "bad.py").as_uri(), BAD)
    client.hover((folder / "bad.py").as_uri(), 0, 0)
    assert {name: len(items) for name, items in pushed(client).items()} == {"bad.py": 0, "worse.py": 1}
    assert set(pull(client)) == {"worse.py"}
    assert {name: len(items) for name, items in pushed(client).items()} == {"bad.py": 0, "worse.py": 0}


def test_saving_checks_again_without_a_watcher(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", bad=BAD, good=GOOD)
    start(client, folder, pulls=False)
    run_command(client)
    uri = (folder / "good.py").as_uri()
    client.open(uri, GOOD)
    (folder / "bad.py").write_text(GOOD, encoding="utf-8")
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert client.published((folder / "bad.py").as_uri()) == []


def test_each_file_has_the_settings_nearest_to_it(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", bad=BAD)
    inner = write(folder / "inner", quiet=BAD)
    (inner / "pyproject.toml").write_text(f'[tool.mindport]\nignore = ["{UNKNOWN}"]\n', encoding="utf-8")
    other = write(tmp_path / "q", worse=BAD)
    # A folder inside another is checked once.
    start(client, folder, inner, other)
    assert set(pull(client)) == {"bad.py", "worse.py"}
    assert client.server.background._index.totals()[0] == 3


def test_setting_leaves_closed_files_to_the_command(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", bad=BAD)
    (folder / "pyproject.toml").write_text("[tool.mindport]\ncheck-closed-files = false\n", encoding="utf-8")
    start(client, folder, write(tmp_path / "q", worse=BAD))
    assert set(pull(client)) == {"worse.py"}
    assert run_command(client)["warnings"] == 2
    assert set(pull(client)) == {"bad.py", "worse.py"}


@pytest.mark.thorough
def test_folders_come_and_go(client: InnerClient, tmp_path: Path, in_a_process: None) -> None:
    one, other = write(tmp_path / "p", bad=BAD), write(tmp_path / "q", worse=BAD)
    start(client, one)
    known: Message = {}
    assert set(pull(client, known)) == {"bad.py"}
    identifier = hold(client, known)
    event = {
        "added": [{"uri": other.as_uri(), "name": "q"}],
        "removed": [{"uri": one.as_uri(), "name": "p"}],
    }
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    reports = partial_reports(client, identifier)
    assert {name: len(items) for name, items in reports.items()} == {"bad.py": 0, "worse.py": 1}


def test_settings_count_at_once(client: InnerClient, tmp_path: Path) -> None:
    start(client, write(tmp_path / "p", bad=BAD), workspace={})
    known: Message = {}
    assert set(pull(client, known)) == {"bad.py"}
    identifier = hold(client, known)
    client.notify("workspace/didChangeConfiguration", {"settings": {"mindport": {"ignore": [UNKNOWN]}}})
    assert partial_reports(client, identifier) == {"bad.py": []}


def test_results_are_kept_across_restarts(tmp_path: Path) -> None:
    folder = write(tmp_path / "p", bad=BAD)
    first = InnerClient()
    start(first, folder)
    found = pull(first)
    first.close()
    kept = folder / ".mindport_cache" / "results.msgpack"
    written = kept.stat().st_mtime_ns
    second = InnerClient()
    start(second, folder)
    assert pull(second) == found
    second.close()
    assert kept.stat().st_mtime_ns == written


@pytest.mark.thorough
def test_progress_is_shown_and_can_be_cancelled(
    client: InnerClient, tmp_path: Path, in_a_process: None
) -> None:
    folder = write(tmp_path / "p", **{f"m{number}": BAD for number in range(60)})
    start(client, folder, window={"workDoneProgress": True})
    hold(client, {})
    token = client.wait_for("window/workDoneProgress/create")["token"]

    def shown(kind: str) -> None:
        client.wait(
            lambda one: (
                one.get("method") == "$/progress"
                and one["params"]["token"] == token
                and one["params"]["value"]["kind"] == kind
            )
        )

    shown("begin")
    client.notify("window/workDoneProgress/cancel", {"token": token})
    shown("end")
    # It stays given up when files change or the client pulls on, until it is asked for again.
    changed(client, folder / "m0.py")
    found = len(pull(client))
    assert found < 60
    assert len(pull(client)) == found
    assert run_command(client)["files"] == 60


def test_folder_that_cannot_be_checked_says_why(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", bad=BAD)
    (folder / "pyproject.toml").write_text("[tool.mindport]\nno-such = 1\n", encoding="utf-8")
    other = write(tmp_path / "q", worse=BAD)
    start(client, folder, other, pulls=False)
    assert run_command(client) == {"files": 1, "errors": 0, "warnings": 1}
    shown = client.first("window/showMessage")
    assert shown["type"] == 2
    assert "no-such" in shown["message"]


def test_what_is_known_stays_when_a_check_fails(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", bad=BAD)
    start(client, folder)
    known: Message = {}
    assert set(pull(client, known)) == {"bad.py"}
    (folder / "pyproject.toml").write_text("[tool.mindport]\nno-such = 1\n", encoding="utf-8")
    assert run_command(client)["files"] == 1
    assert pull(client, known) == {}


def test_modules_of_the_user_are_not_run(
    client: InnerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_a_process: None
) -> None:
    folder = write(tmp_path / "p", bad=BAD)
    names = ("msgspec", "json", "mindport", "sitecustomize")
    for name in names:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / name)!r}, 'w')\n", encoding="utf-8")
    monkeypatch.chdir(folder)  # where editors start servers
    start(client, folder)
    assert "bad.py" in pull(client)
    assert not any((tmp_path / name).exists() for name in names)


def test_notebooks_that_are_closed_have_their_diagnostics_at_the_file(
    client: InnerClient, tmp_path: Path
) -> None:
    folder = write(tmp_path / "p", bad=BAD)
    cell = {"cell_type": "code", "source": BAD, "metadata": {}, "outputs": [], "execution_count": None}
    content = {"cells": [cell, cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "n.ipynb").write_text(json.dumps(content, indent=1), encoding="utf-8")
    start(client, folder)
    shown = pull(client)
    assert set(shown) == {"bad.py", "n.ipynb"}
    lines = (folder / "n.ipynb").read_text("utf-8").splitlines()
    first, second = shown["n.ipynb"]
    for number, one in enumerate((first, second), 1):
        place = one["range"]["start"]
        assert lines[place["line"]][place["character"] :].startswith(json.dumps(BAD))
        assert one["message"].startswith(f"cell {number}, line ")
    assert first["range"] != second["range"]


def test_an_open_notebook_has_its_diagnostics_at_the_cells(client: InnerClient, tmp_path: Path) -> None:
    folder = write(tmp_path / "p")
    cell = {"cell_type": "code", "source": BAD, "metadata": {}, "outputs": [], "execution_count": None}
    content = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "n.ipynb").write_text(json.dumps(content), encoding="utf-8")
    start(client, folder)
    known: dict[str, str] = {}
    assert set(pull(client, known)) == {"n.ipynb"}
    uri = (folder / "n.ipynb").as_uri()
    document = {"uri": "vscode-notebook-cell:/n#1", "languageId": "python", "version": 1, "text": BAD}
    cells = [{"kind": 2, "document": document["uri"]}]
    notebook = {"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": cells}
    client.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": [document]})
    assert pull(client, known) == {"n.ipynb": []}
    closing = {"notebookDocument": {"uri": uri}, "cellTextDocuments": [{"uri": document["uri"]}]}
    client.notify("notebookDocument/didClose", closing)
    assert len(pull(client, known)["n.ipynb"]) == 1


def test_folder_with_too_much_code_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: InnerClient
) -> None:
    folder = write(tmp_path / "p", one=BAD, two=BAD, three=BAD)
    start(client, folder)
    monkeypatch.chdir(folder)
    (folder / "gone.py").symlink_to(folder / "nowhere.py")
    monkeypatch.setattr(workspace_check, "MOST_BYTES", 3 * len(BAD) - 1)
    request = CheckRequest(folder=str(folder), abilities=client.server.session.abilities)
    (line,) = workspace_check.check(request)
    assert isinstance(line, workspace_check.Finished)
    assert "exclude" in line.problem
