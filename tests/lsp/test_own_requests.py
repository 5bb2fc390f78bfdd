"""The requests that are mindport's own: overview, report, conversion, explanation, targets; and the code lenses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from language_client import Client, InnerClient, ProcessClient, applied

TEXT = """\
import torch
import torch.nn as nn


class Head(nn.Module):  # 頭 🚀
    def forward(self, x):
        s = "张量 🚀"; return s, torch.std(x), torch.cat([x, x], dim=1)


def f(x: torch.Tensor):
    return torch.no_such_name(x)
"""
CONVERTED = "torch_std(x), ops.cat([x, x], axis=1)"
SETTINGS = '[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10.0"\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of two files with torch, one without, and one that the settings leave out."""
    (tmp_path / "pyproject.toml").write_text(SETTINGS + 'exclude = ["old"]\n', encoding="utf-8")
    (tmp_path / "model.py").write_text(TEXT, encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/more.py").write_text("import torch\n\nx = torch.zeros(2)\n", encoding="utf-8")
    (tmp_path / "none.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "old").mkdir()
    (tmp_path / "old/gone.py").write_text("import torch\n\nx = torch.std(2)\n", encoding="utf-8")
    return tmp_path


def overview(client: Client, project: Path) -> dict[str, Any]:
    """The overview of a project, its files by path."""
    answer: dict[str, Any] = client.result("mindport/overview", {"uri": project.as_uri()})
    return {**answer, "files": {one["path"]: one for one in answer.get("files", ())}}


@pytest.mark.thorough
def test_overview_counts_and_places(project: Path) -> None:
    with ProcessClient() as client:
        client.start()
        answer = overview(client, project)
        assert answer["target"] == "MindSpore 2.10.0 on CPU, PyNative"
        assert list(answer["files"]) == ["model.py", "sub/more.py"]
        file = answer["files"]["model.py"]
        assert (file["ready"], file["references"], file["silent"]) == (3, 4, 1)
        assert file["uri"] == (project / "model.py").as_uri()
        apis = {one["api"]: one for one in file["apis"]}
        assert apis["torch.no_such_name"]["ready"] == 0
        # In UTF-16, which clients count in that say nothing, the rocket takes two columns.
        assert apis["torch.std"]["places"] == [[-1, 6, 37, 6, 40]]


@pytest.mark.thorough
def test_overview_counts_what_the_editor_has_open(client: InnerClient, project: Path) -> None:
    client.start()
    client.open((project / "none.py").as_uri(), "import torch\n\nx = torch.ones(3)\n")
    assert "none.py" in overview(client, project)["files"]


@pytest.mark.thorough
def test_overview_runs_no_module_of_the_user(
    client: InnerClient, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "msgspec.py").write_text("raise RuntimeError('run')\n", encoding="utf-8")
    monkeypatch.chdir(project)  # where editors start servers
    client.start()
    answer = client.result("mindport/overview", {"uri": project.as_uri()})
    assert [one["path"] for one in answer["files"]] == ["model.py", "sub/more.py"]


@pytest.mark.thorough
def test_overview_of_wrong_settings_says_why(client: InnerClient, project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.mindport]\ndevise = 1\n", encoding="utf-8")
    client.start()
    answer = overview(client, project)
    assert answer["type"] == "refusal"
    assert "devise" in answer["reason"]


def test_report_is_a_page_that_lets_no_other_script_run(client: InnerClient, project: Path) -> None:
    client.start()
    html = client.result("mindport/report", {"uri": project.as_uri()})["html"]
    assert "<h1" in html
    assert "torch.no_such_name" in html
    assert html.count("<script") == html.count("</script>") == 1
    assert "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" in html


def test_overview_of_an_empty_folder_is_empty(client: InnerClient, tmp_path: Path) -> None:
    client.start()
    assert client.result("mindport/overview", {"uri": tmp_path.as_uri()})["files"] == []


@pytest.mark.parametrize(
    "params", [{"uri": "file:///nowhere/at/all"}, {"uri": ""}, {"uri": 3}, {"folder": 3}, None]
)
@pytest.mark.parametrize("method", ["mindport/overview", "mindport/report"])
def test_of_no_folder_nothing_is_said(client: InnerClient, method: str, params: Any) -> None:
    client.start()
    assert client.result(method, params) is None


def test_conversion_is_an_edit_of_the_file(client: InnerClient, project: Path) -> None:
    client.start()
    uri = (project / "model.py").as_uri()
    client.open(uri, TEXT)
    edit = client.result("mindport/conversion", {"uri": uri})
    assert CONVERTED in applied(TEXT, edit["changes"][uri])


@pytest.mark.parametrize("params", [{}, {"uri": 3}, {"uri": "file:///not/open.py"}])
def test_nothing_is_known_of_what_is_not_open(client: InnerClient, params: dict[str, Any]) -> None:
    client.start()
    assert client.result("mindport/conversion", params) is None
    assert client.result("mindport/explanation", {**params, "line": 0, "character": 0}) is None
    assert client.result("mindport/targets", params)["version"] is None


@pytest.mark.parametrize(("rule", "found"), [("MP101", True), ("MP999", False), (None, False), ([], False)])
def test_explanation_of_a_kind_of_finding(client: InnerClient, rule: object, found: bool) -> None:
    client.start()
    answer = client.result("mindport/explanation", {"rule": rule})
    assert (answer is not None) is found
    if found:
        assert answer["name"] == rule
        assert answer["markdown"].startswith("# MP101 ")


def test_explanation_is_a_page(client: InnerClient, project: Path) -> None:
    client.start()
    uri = (project / "model.py").as_uri()
    client.open(uri, TEXT)
    answer = client.result("mindport/explanation", {"uri": uri, "line": 6, "character": 38})
    assert answer["name"] == "torch.std"
    assert "ops.std" in answer["markdown"]
    for wrong in ({"line": 3, "character": 0}, {"line": "6", "character": 38}, {}):
        assert client.result("mindport/explanation", {"uri": uri, **wrong}) is None


def test_targets_name_the_present_one_and_the_choices(client: InnerClient, project: Path) -> None:
    client.start()
    uri = (project / "model.py").as_uri()
    client.open(uri, TEXT)
    answer = client.result("mindport/targets", {"uri": uri})
    assert (answer["version"], answer["device"], answer["mode"]) == ("2.10.0", "CPU", "pynative")
    assert answer["versions"][0] == "2.10.0"
    assert answer["devices"] == ["Ascend", "GPU", "CPU"]


def test_lenses_are_above_the_file_and_its_module_classes(client: InnerClient, project: Path) -> None:
    client.start(initializationOptions={"device": "CPU", "targetVersion": "2.10.0", "codeLens": True})
    uri = (project / "model.py").as_uri()
    client.open(uri, TEXT)
    lenses = client.result("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert [(one["range"]["start"]["line"], one["command"]["title"]) for one in lenses] == [
        (0, "3 of 4 references ready; 1 silent difference"),
        (4, "3 of 3 references ready; 1 silent difference"),
    ]


@pytest.mark.thorough
def test_a_lens_is_at_the_entry_point_once_the_folder_was_surveyed(
    client: InnerClient, project: Path
) -> None:
    guarded = 'import torch\n\nif __name__ == "__main__":\n    print(torch.{}(torch.ones(2)))\n'
    for name, call in (("left", "no_such_name"), ("runs", "relu")):
        (project / f"{name}.py").write_text(guarded.format(call), encoding="utf-8")
    client.start(initializationOptions={"device": "CPU", "targetVersion": "2.10.0", "codeLens": True})

    def lenses(name: str) -> list[str]:
        answer = client.result("textDocument/codeLens", {"textDocument": {"uri": (project / name).as_uri()}})
        return [one["command"]["title"] for one in answer if one["range"]["start"]["line"] == 2]

    for name in ("left.py", "runs.py", "model.py"):
        client.open((project / name).as_uri(), (project / name).read_text("utf-8"))
    assert [lenses(name) for name in ("left.py", "runs.py", "model.py")] == [[], [], []]
    overview(client, project)
    assert lenses("left.py") == ["will not import: left.py:4 torch.no_such_name"]
    assert lenses("runs.py") == ["expected to run forward"]
    assert lenses("model.py") == []
    (project / "runs.py").write_text("x = 1\n", encoding="utf-8")
    client.change((project / "runs.py").as_uri(), 2, {"text": "x = 1\n"})
    overview(client, project)
    assert lenses("runs.py") == []


def test_lenses_are_off_by_themselves(client: InnerClient, project: Path) -> None:
    client.start()
    uri = (project / "model.py").as_uri()
    client.open(uri, TEXT)
    assert client.result("textDocument/codeLens", {"textDocument": {"uri": uri}}) == []


@pytest.mark.parametrize(
    ("refreshes", "lens", "expected"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_lenses_are_asked_for_again_once_the_neighbours_are_known(
    client: InnerClient, project: Path, refreshes: bool, lens: bool, expected: bool
) -> None:
    client.start(
        {"workspace": {"codeLens": {"refreshSupport": refreshes}}},
        initializationOptions={"device": "CPU", "targetVersion": "2.10.0", "codeLens": lens},
    )
    uri = (project / "model.py").as_uri()
    client.open(uri, TEXT)
    client.published(uri)
    # Whatever was sent before an answer has come by then.
    client.result("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert any(one.get("method") == "workspace/codeLens/refresh" for one in client.received) is expected


def test_lenses_go_with_the_setting(client: InnerClient, project: Path) -> None:
    settings = {"device": "CPU", "targetVersion": "2.10.0"}
    client.start(
        {"workspace": {"codeLens": {"refreshSupport": True}}},
        initializationOptions={**settings, "codeLens": True},
    )
    uri = (project / "model.py").as_uri()
    client.open(uri, TEXT)
    client.published(uri)
    client.received.clear()
    client.notify(
        "workspace/didChangeConfiguration", {"settings": {"mindport": {**settings, "codeLens": False}}}
    )
    client.wait(lambda message: message.get("method") == "workspace/codeLens/refresh")
    assert client.result("textDocument/codeLens", {"textDocument": {"uri": uri}}) == []
