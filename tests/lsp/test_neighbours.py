"""The other files of a project: read from the disk for what open documents import, while the user types on."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from language_client import InnerClient

from mindport.config.settings import Settings
from mindport.lsp.neighbours import MOST_CHARACTERS, Loading, read_neighbours

MODEL = "import torch\nfrom blocks import join\n\n\ndef f(x):\n    return join(x).no_such_member_x, join(x).std()\n"
JOIN = "import torch\n\n\ndef join(x):\n    return torch.cat([x, x])\n"
LARGE = "#" * MOST_CHARACTERS
NO_JOIN = "def join(x):\n    return str(x)\n"
PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}


def project(folder: Path, **files: str) -> Path:
    """A project with files; its folder."""
    (folder / "pyproject.toml").write_text("[tool.mindport]\n", encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def about_the_result(diagnostics: list[Any]) -> bool:
    """Whether the diagnostics know that `join(...)` is a tensor: `std` is marked, and not as a guess."""
    line = MODEL.splitlines()[5]
    places = [(one["range"]["start"]["line"], one["range"]["start"]["character"]) for one in diagnostics]
    return (5, line.index("std")) in places


def until(client: InnerClient, uri: str, knows: bool) -> None:
    """Wait until what is published says so."""
    while about_the_result(client.published(uri)) != knows:
        pass


def test_imported_file_is_read_from_the_disk(client: InnerClient, tmp_path: Path) -> None:
    uri = (project(tmp_path, blocks=JOIN) / "model.py").as_uri()
    client.start()
    client.open(uri, MODEL)
    assert about_the_result(client.published(uri))  # the first time already


def test_open_document_counts_before_the_disk(client: InnerClient, tmp_path: Path) -> None:
    folder = project(tmp_path, blocks=JOIN)
    uri, other = (folder / "model.py").as_uri(), (folder / "blocks.py").as_uri()
    client.start()
    client.open(other, NO_JOIN)
    client.published(other)
    client.open(uri, MODEL)
    assert not about_the_result(client.published(uri))
    client.notify("textDocument/didClose", {"textDocument": {"uri": other}})
    until(client, uri, knows=True)


def test_changed_file_is_read_again(client: InnerClient, tmp_path: Path) -> None:
    folder = project(tmp_path, blocks=NO_JOIN)
    uri = (folder / "model.py").as_uri()
    client.start()
    client.open(uri, MODEL)
    assert not about_the_result(client.published(uri))
    (folder / "blocks.py").write_text(JOIN, encoding="utf-8")
    changes = [{"uri": (folder / "blocks.py").as_uri(), "type": 2}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    until(client, uri, knows=True)


def test_new_import_is_followed(client: InnerClient, tmp_path: Path) -> None:
    uri = (project(tmp_path, blocks=JOIN) / "model.py").as_uri()
    client.start()
    client.open(uri, MODEL.replace("from blocks", "from absent"))
    assert not about_the_result(client.published(uri))
    client.change(uri, 2, {"text": MODEL})
    until(client, uri, knows=True)


def test_change_of_an_open_document_shows_in_the_other(client: InnerClient, tmp_path: Path) -> None:
    folder = project(tmp_path, blocks=JOIN)
    uri, other = (folder / "model.py").as_uri(), (folder / "blocks.py").as_uri()
    client.start()
    client.open(uri, MODEL)
    client.open(other, JOIN)
    until(client, uri, knows=True)
    client.change(other, 2, {"text": NO_JOIN})
    until(client, uri, knows=False)


def test_names_in_configuration_are_read_from_the_disk(client: InnerClient, tmp_path: Path) -> None:
    uri = (project(tmp_path) / "model.py").as_uri()
    (tmp_path / "config.json").write_text('{"act": "ReLU", "lr": 1}', encoding="utf-8")
    client.start()
    client.open(uri, 'from torch import nn\n\n\ndef make(config):\n    return getattr(nn, config["act"])()\n')
    assert any(one["message"].endswith("may be: ReLU") for one in client.published(uri))


def test_pulling_client_is_told_to_ask_again(client: InnerClient, tmp_path: Path) -> None:
    folder = project(tmp_path, blocks=NO_JOIN)
    uri = (folder / "model.py").as_uri()
    client.start(PULLS)
    client.open(uri, MODEL)
    ask = {"textDocument": {"uri": uri}}
    assert not about_the_result(client.result("textDocument/diagnostic", ask)["items"])
    (folder / "blocks.py").write_text(JOIN, encoding="utf-8")
    changes = [{"uri": (folder / "blocks.py").as_uri(), "type": 2}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    client.wait(lambda message: message.get("method") == "workspace/diagnostic/refresh")
    report = client.result("textDocument/diagnostic", ask)
    assert about_the_result(report["items"])
    again = client.result("textDocument/diagnostic", {**ask, "previousResultId": report["resultId"]})
    assert again["kind"] == "unchanged"


@pytest.mark.parametrize(
    "text", ["import blocks\n", "from . import blocks\n", "if True:\n    from .blocks import join\n"]
)
def test_ways_to_import(tmp_path: Path, text: str) -> None:
    folder = project(tmp_path, blocks=JOIN, other=LARGE).as_posix()
    assert list(read_neighbours({f"{folder}/model.py": text}, folder, Settings())) == [f"{folder}/blocks.py"]


@pytest.mark.parametrize(
    "text", ["import torch\n", "x = 'import blocks'\n", "import blocks_2\n", "from blocks("]
)
def test_what_is_not_imported_is_not_read(tmp_path: Path, text: str) -> None:
    folder = project(tmp_path, blocks=JOIN, other=LARGE).as_posix()
    assert read_neighbours({f"{folder}/model.py": text}, folder, Settings()) == {}


def test_small_project_is_read_whole(tmp_path: Path) -> None:
    folder = project(tmp_path, blocks=JOIN, caller="import model\n")
    for name in (".venv", "build"):
        (folder / name).mkdir()
        (folder / name / "foreign.py").write_text("", encoding="utf-8")
    (folder / ".gitignore").write_text("build/\n", encoding="utf-8")
    found = read_neighbours({f"{folder.as_posix()}/model.py": "x = 1\n"}, folder.as_posix(), Settings())
    assert sorted(Path(path).name for path in found) == ["blocks.py", "caller.py"]


def test_tree_with_many_entries_is_not_looked_through(tmp_path: Path) -> None:
    folder = project(tmp_path, blocks=JOIN)
    for number in range(2_001):
        (folder / f"data{number}").touch()
    assert read_neighbours({f"{folder.as_posix()}/model.py": "x = 1\n"}, folder.as_posix(), Settings()) == {}


def test_folder_that_is_not_there_has_no_files() -> None:
    assert read_neighbours({"/untitled:/model.py": "import blocks\n"}, "/untitled:", Settings()) == {}


def test_reading_is_bounded_and_the_nearest_come_first(tmp_path: Path) -> None:
    names = [f"m{number}" for number in range(4)]
    files = {name: f"import {following}\n" for name, following in pairwise(names)}
    files["m2"] += LARGE
    folder = project(tmp_path, **files).as_posix()
    found = read_neighbours({f"{folder}/model.py": "import m0"}, folder, Settings())
    assert list(found) == [f"{folder}/m0.py", f"{folder}/m1.py"]


def test_loading_goes_by_steps_and_outlasts_any_file() -> None:
    texts = {"/p/deep.py": "x = " + "-" * 50_000 + "1", "/p/broken.py": "def (", "/p/fine.py": JOIN}
    loading = Loading("/p", texts, {"/p/model.py": MODEL}, frozenset(), {})
    steps = 1
    while loading.step():
        steps += 1
    assert steps == len(texts) + 2  # with the open document; and one for the links
    assert {"/p/fine.py", "/p/model.py"} <= set(loading.project.paths())
