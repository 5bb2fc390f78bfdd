"""Workspaces of several folders: each has the settings of its own pyproject.toml, and those the editor has for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from language_client import Client, InnerClient, Message, ProcessClient

TEXT = "import torch\n\nx = torch.std(torch.no_such_name)\n"
ASKS = {"workspace": {"configuration": True}}
SETTINGS = "workspace/configuration"


def write(folder: Path, table: str | None = "") -> Path:
    """A folder with a file, and with settings where a table is given."""
    folder.mkdir()
    if table is not None:
        (folder / "pyproject.toml").write_text(f"[tool.mindport]\n{table}\n", encoding="utf-8")
    (folder / "model.py").write_text(TEXT, encoding="utf-8")
    return folder


def begin(client: Client, *folders: Path, told: list[Any] | None = None) -> None:
    """Open folders in an editor that answers the question for its settings where `told` has some."""
    client.answers[SETTINGS] = told
    roots = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
    client.start(
        ASKS if told is not None else {},
        workspaceFolders=roots,
        rootUri=roots[0]["uri"],
        initializationOptions={},
    )
    if told is not None:
        client.wait_for(SETTINGS)


def device(client: InnerClient, folder: Path, expected: str) -> str:
    """The device that the findings of a folder's file speak of. The editor's answer comes between two requests, so the
    server is asked until it says what is expected, but not for ever."""
    uri = (folder / "model.py").as_uri()
    client.open(uri, TEXT)
    found = ""
    for _ in range(20):
        found = client.result("mindport/targets", {"uri": uri})["device"]
        if found == expected:
            break
    return found


def test_each_folder_has_its_own_pyproject(client: InnerClient, tmp_path: Path) -> None:
    tables = {
        "one": 'device = "CPU"\ntarget-version = "2.10.0"',
        "other": 'device = "CPU"\ntarget-version = "2.6.0"\nignore = ["MP113"]',
    }
    folders = [write(tmp_path / name, table) for name, table in tables.items()]
    begin(client, *folders)
    shown = {}
    for folder in folders:
        uri = (folder / "model.py").as_uri()
        client.open(uri, TEXT)
        target = client.result("mindport/targets", {"uri": uri})
        shown[folder.name] = (target["version"], len(client.published(uri)))
    assert shown == {"one": ("2.10.0", 2), "other": ("2.6.0", 1)}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        # The first answer is for everything, the others for the folders in their order.
        ([{"device": "GPU"}, {"device": "GPU"}, {"device": "GPU"}], ["GPU", "GPU"]),
        ([{"device": "GPU"}, {"device": "CPU"}, {"device": "Ascend"}], ["CPU", "Ascend"]),
        ([{"device": "GPU"}, {"device": "CPU"}, None], ["CPU", "GPU"]),
        ([None, {"device": "CPU"}, {"device": "Ascend"}], ["CPU", "Ascend"]),
        ([{"device": "GPU"}, {"device": None}, {"device": "CPU"}], ["Ascend", "CPU"]),
        # Clients that have not thought of several.
        ([{"device": "GPU"}], ["GPU", "GPU"]),
        ([], ["Ascend", "Ascend"]),
    ],
)
def test_editor_has_settings_for_each_folder(
    client: InnerClient, tmp_path: Path, told: list[Message], expected: list[str]
) -> None:
    folders = [write(tmp_path / name, 'device = "Ascend"') for name in ("one", "other")]
    begin(client, *folders, told=told)
    shown = [device(client, folder, wanted) for folder, wanted in zip(folders, expected, strict=True)]
    assert shown == expected


def test_one_folder_is_asked_for_without_its_name(client: InnerClient, tmp_path: Path) -> None:
    begin(client, write(tmp_path / "one"), told=[{"device": "GPU"}])
    (item,) = client.first(SETTINGS)["items"]
    assert item == {"section": "mindport"}


def test_folders_below_one_pyproject_are_told_apart(client: InnerClient, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\ndevice = 'GPU'\n", encoding="utf-8")
    folders = [write(tmp_path / name, None) for name in ("one", "other")]
    begin(client, *folders, told=[None, {"device": "CPU"}, {"device": "Ascend"}])
    assert device(client, folders[0], "CPU") == "CPU"
    assert device(client, folders[1], "Ascend") == "Ascend"


def test_innermost_folder_counts(client: InnerClient, tmp_path: Path) -> None:
    outer = write(tmp_path / "outer")
    inner = write(outer / "inner", None)
    write(outer / "inner_as_well", None)
    begin(client, outer, inner, told=[None, {"device": "Ascend"}, {"device": "GPU"}])
    assert device(client, outer, "Ascend") == "Ascend"
    assert device(client, inner, "GPU") == "GPU"
    assert device(client, outer / "inner_as_well", "Ascend") == "Ascend"


def test_settings_are_asked_for_again_when_folders_come_and_go(client: InnerClient, tmp_path: Path) -> None:
    one, other = write(tmp_path / "one"), write(tmp_path / "other")
    begin(client, one, told=[{"device": "CPU"}])
    assert device(client, one, "CPU") == "CPU"
    client.answers[SETTINGS] = [{"device": "CPU"}, {"device": "CPU"}, {"device": "Ascend"}]
    event: Message = {"added": [{"uri": other.as_uri(), "name": "other"}], "removed": []}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    assert len(client.wait_for(SETTINGS)["items"]) == 3
    assert device(client, other, "Ascend") == "Ascend"
    client.answers[SETTINGS] = [{"device": "GPU"}]
    event = {"added": [], "removed": [{"uri": one.as_uri(), "name": "one"}]}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    assert len(client.wait_for(SETTINGS)["items"]) == 1
    assert device(client, other, "GPU") == "GPU"


def test_wrong_settings_of_one_folder_change_nothing(client: InnerClient, tmp_path: Path) -> None:
    folders = [write(tmp_path / name) for name in ("one", "other")]
    begin(client, *folders, told=[{"device": "CPU"}])
    assert device(client, folders[0], "CPU") == "CPU"
    assert device(client, folders[1], "CPU") == "CPU"
    client.answers[SETTINGS] = [{"device": "GPU"}, {"device": "GPU"}, {"device": "Toaster"}]
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    assert "Toaster" in client.wait_for("window/showMessage")["message"]
    assert device(client, folders[0], "CPU") == "CPU"


@pytest.mark.thorough
def test_files_that_are_not_open_have_their_folders_settings(tmp_path: Path) -> None:
    one, other = write(tmp_path / "one"), write(tmp_path / "other")
    with ProcessClient() as client:
        begin(client, one, other, told=[None, {"device": "CPU"}, {"device": "Ascend", "ignore": ["MP1"]}])
        targets = [
            client.result("mindport/overview", {"uri": folder.as_uri()})["target"] for folder in (one, other)
        ]
        assert targets == ["MindSpore 2.10.0 on CPU, PyNative", "MindSpore 2.10.0 on Ascend, PyNative"]
        assert "Ascend" in client.result("mindport/report", {"uri": other.as_uri()})["html"]
        client.result("workspace/executeCommand", {"command": "mindport.index"})
        pushed = [
            one["params"]["uri"]
            for one in client.received
            if one.get("method") == "textDocument/publishDiagnostics"
        ]
        assert pushed == [(one / "model.py").as_uri()]
