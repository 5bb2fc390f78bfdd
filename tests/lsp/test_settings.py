"""Settings while the server runs: from the editor in three ways, from pyproject.toml, wrong ones, and back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from language_client import InnerClient, Message

TEXT = "import torch\n\n\ndef f(a, b):\n    return torch.cat([a, b], dim=1), torch.no_such_name\n"
HINTS = {"device": "CPU", "targetVersion": "2.10.0", "showHints": True}


def codes(diagnostics: list[Any]) -> list[str]:
    return [one["code"] for one in diagnostics]


def messages(client: InnerClient) -> list[str]:
    """What was put before the user so far."""
    return [one["params"]["message"] for one in client.received if one.get("method") == "window/showMessage"]


def project(folder: Path, table: str) -> str:
    """A project with one file and settings; the file's URI."""
    settings = folder / "pyproject.toml"
    settings.write_text(f"[tool.mindport]\n{table}\n", encoding="utf-8")
    return (folder / "model.py").as_uri()


def rewrite(folder: Path, table: str) -> None:
    """Other settings, written later than the first ones whatever the clock's grain."""
    settings = folder / "pyproject.toml"
    before = settings.stat().st_mtime_ns
    project(folder, table)
    os.utime(settings, ns=(before + 10**9, before + 10**9))


@pytest.mark.parametrize(
    "options",
    [
        HINTS,
        {"settings": HINTS},
        {"mindport": HINTS},
        {"settings": {"mindport": HINTS}},
        {"show-hints": True},
    ],
)
def test_initialization_options(client: InnerClient, options: Message) -> None:
    client.start(initializationOptions=options)
    client.open("untitled:a", TEXT)
    assert len(client.published("untitled:a")) > 1


@pytest.mark.parametrize("options", [None, {}, [], "", {"settings": []}, {"path": "/usr/bin/mindport"}])
def test_hints_are_not_published_by_default(client: InnerClient, options: Any) -> None:
    client.start(initializationOptions=options)
    client.open("untitled:a", TEXT)
    (diagnostic,) = client.published("untitled:a")
    assert diagnostic["severity"] < 4


def test_configuration_is_asked_for(client: InnerClient) -> None:
    client.answers["workspace/configuration"] = [HINTS]
    client.start({"workspace": {"configuration": True}})
    client.open("untitled:a", TEXT)
    client.wait_for("workspace/configuration")
    while len(client.published("untitled:a")) == 1:
        pass  # published before the answer came


def test_changed_configuration_counts_at_once(client: InnerClient) -> None:
    client.start()
    client.open("untitled:a", TEXT)
    before = codes(client.published("untitled:a"))
    client.notify("workspace/didChangeConfiguration", {"settings": {"mindport": {"ignore": before}}})
    assert client.published("untitled:a") == []


@pytest.mark.parametrize("way", ["watched", "saved", "opened"])
def test_pyproject_is_read_again(client: InnerClient, tmp_path: Path, way: str) -> None:
    uri = project(tmp_path, "show-hints = true")
    client.start()
    client.open(uri, TEXT)
    assert len(client.published(uri)) > 1
    rewrite(tmp_path, "show-hints = false")
    if way == "watched":
        changes = [{"uri": (tmp_path / "pyproject.toml").as_uri(), "type": 2}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    elif way == "saved":
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    else:
        client.open((tmp_path / "other.py").as_uri(), "import torch\n")
    assert len(client.published(uri)) == 1


def test_wrong_settings_are_told_once_and_the_last_good_ones_stay(
    client: InnerClient, tmp_path: Path
) -> None:
    uri = project(tmp_path, "show-hints = true")
    client.start()
    client.open(uri, TEXT)
    with_hints = client.published(uri)
    rewrite(tmp_path, 'devise = "CPU"')
    for _ in range(2):
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    client.change(uri, 2, {"text": TEXT + "\n"})
    assert client.published(uri, 2) == with_hints
    (message,) = messages(client)
    assert "devise" in message
    assert "device" in message
    assert "pyproject.toml" in message
    rewrite(tmp_path, "show-hints = false")
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert len(client.published(uri)) == 1
    assert len(messages(client)) == 1


def test_settings_that_are_wrong_from_the_start(client: InnerClient, tmp_path: Path) -> None:
    uri = project(tmp_path, "show-hints = 3")
    client.start()
    client.open(uri, TEXT)
    assert len(client.published(uri)) == 1
    assert len(messages(client)) == 1
    rewrite(tmp_path, "show-hints = true")
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert len(client.published(uri)) > 1


def test_wrong_settings_of_the_editor(client: InnerClient) -> None:
    client.start(initializationOptions={"tagretVersion": "2.10"})
    for name in ("untitled:a", "untitled:b"):
        client.open(name, TEXT)
        assert len(client.published(name)) == 1
    (message,) = messages(client)
    assert "tagret-version" in message
    assert "target-version" in message


def test_editor_counts_over_pyproject(client: InnerClient, tmp_path: Path) -> None:
    uri = project(tmp_path, "show-hints = true")
    client.start(initializationOptions={"showHints": False})
    client.open(uri, TEXT)
    assert len(client.published(uri)) == 1


def test_settings_that_an_editor_leaves_open_do_not_count(client: InnerClient, tmp_path: Path) -> None:
    uri = project(tmp_path, "show-hints = true")
    client.start(
        initializationOptions={"settings": {"showHints": None, "trace": {"server": "off"}, "path": ""}}
    )
    client.open(uri, TEXT)
    assert len(client.published(uri)) > 1


def test_setting_that_is_taken_back_counts_no_more(client: InnerClient) -> None:
    client.start(initializationOptions=HINTS)
    client.open("untitled:a", TEXT)
    assert len(client.published("untitled:a")) > 1
    client.notify("workspace/didChangeConfiguration", {"settings": {"mindport": {"showHints": None}}})
    assert len(client.published("untitled:a")) == 1


@pytest.mark.parametrize(
    "settings", [None, [], {}, {"mindport": {}}, {"mindport": None}, {"mindport": HINTS}]
)
def test_settings_that_say_nothing_new_change_nothing(client: InnerClient, settings: Any) -> None:
    client.start(initializationOptions=HINTS)
    client.open("untitled:a", TEXT)
    before = client.published("untitled:a")
    client.notify("workspace/didChangeConfiguration", {"settings": settings})
    client.change("untitled:a", 2, {"text": TEXT + "\n"})
    assert client.published("untitled:a") == before


def test_document_that_is_too_large(client: InnerClient, tmp_path: Path) -> None:
    uri = project(tmp_path, "max-file-size = 0.00006")
    client.start()
    client.open(uri, TEXT)
    (diagnostic,) = client.published(uri)
    assert diagnostic["code"] == "MP905"
    assert "max-file-size" in diagnostic["message"]
    client.change(uri, 2, {"text": "import torch\ntorch.no_such_name\n"})
    assert "MP905" not in codes(client.published(uri, 2))


def test_target_is_announced_when_it_changes(client: InnerClient) -> None:
    client.start()
    client.open("untitled:a", TEXT)
    assert client.first("$/mindport/target")["target"].startswith("MindSpore 2.10.0 on CPU")
    client.notify("workspace/didChangeConfiguration", {"settings": {"mindport": {"device": "Ascend"}}})
    assert "Ascend" in client.wait_for("$/mindport/target")["target"]


def test_files_that_are_to_be_watched_are_registered(client: InnerClient) -> None:
    watching = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
    client.start({"workspace": watching})
    (registration,) = client.wait_for("client/registerCapability")["registrations"]
    assert registration["method"] == "workspace/didChangeWatchedFiles"
    patterns = [one["globPattern"] for one in registration["registerOptions"]["watchers"]]
    assert {"**/pyproject.toml", "**/setup.cfg", "**/*.py"} <= set(patterns)


@pytest.mark.parametrize(
    ("name", "counts"), [("environment.yml", True), ("setup.cfg", True), ("notes.txt", False)]
)
def test_a_requirement_that_changes_changes_the_target(
    client: InnerClient, tmp_path: Path, name: str, counts: bool
) -> None:
    uri = project(tmp_path, "device = 'CPU'")
    client.start(initializationOptions={})
    client.open(uri, TEXT)
    client.hover(uri, 0, 0)
    assert "2.3.0" not in client.first("$/mindport/target")["target"]
    (tmp_path / name).write_text("dependencies:\n  - mindspore==2.3.0\n", encoding="utf-8")
    changes = [{"uri": (tmp_path / name).as_uri(), "type": 1}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    client.hover(uri, 0, 0)
    told = [one["params"]["target"] for one in client.received if one.get("method") == "$/mindport/target"]
    assert any("2.3.0" in target for target in told) is counts


@pytest.mark.parametrize(
    ("folder", "counts"),
    [
        (".venv/lib/python3.11/site-packages/mindspore-2.4.10.dist-info", True),
        ("venv/Lib/site-packages/mindspore_gpu-2.4.10.dist-info", True),
        ("other/lib/python3.11/site-packages/mindspore-2.4.10.dist-info", False),
        (".venv/lib/python3.11/site-packages/torch-2.4.10.dist-info", False),
    ],
)
def test_a_mindspore_that_is_installed_into_the_project_becomes_the_target(
    client: InnerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, counts: bool
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    uri = project(tmp_path, "device = 'CPU'")
    client.start(initializationOptions={})
    client.open(uri, TEXT)
    client.hover(uri, 0, 0)
    metadata = tmp_path / folder / "METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.touch()
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": metadata.as_uri(), "type": 1}]})
    client.hover(uri, 0, 0)
    told = [one["params"]["target"] for one in client.received if one.get("method") == "$/mindport/target"]
    assert any("2.4.10" in target for target in told) is counts


@pytest.mark.parametrize(("key", "counts"), [("interpreter", True), ("serverInterpreter", False)])
def test_interpreter_of_the_project_is_not_that_of_the_server(
    client: InnerClient, tmp_path: Path, key: str, counts: bool
) -> None:
    library = tmp_path / "environment" / "lib" / "python3.11" / "site-packages"
    (library / "mindspore-2.4.10.dist-info").mkdir(parents=True)
    client.start(initializationOptions={key: str(tmp_path / "environment" / "bin" / "python")})
    client.open(project(tmp_path, ""), TEXT)
    assert ("2.4.10" in client.first("$/mindport/target")["target"]) is counts
    assert not messages(client)
