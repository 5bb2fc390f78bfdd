"""From paths to a plan: files grouped by the settings that apply to them, standard input, and what is
missing."""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from mindport.cli.plan import RunPlan, plan_run
from mindport.config.problem import ConfigurationError
from mindport.source.problem import ProblemKind


def tree(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def files_by_device(plan: RunPlan, root: Path) -> dict[str, list[str]]:
    return {
        group.target.device.value: [os.path.relpath(path, root) for path in group.files]
        for group in plan.groups
    }


def test_projects_without_settings_have_a_target_each(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            "a/setup.py": "",
            "a/requirements.txt": "mindspore==2.3.0\n",
            "a/part/setup.py": "",
            "a/part/x.py": "",
            "b/setup.py": "",
            "b/requirements.txt": "mindspore==2.5.0\n",
        },
    )
    plan = plan_run([str(tmp_path / "a"), str(tmp_path / "b")], {"device": "CPU"})
    assert [(str(group.target.version), len(group.files)) for group in plan.groups] == [
        ("2.3.0", 3),
        ("2.5.0", 1),
    ]
    together = plan_run([str(tmp_path)], {"device": "CPU"})
    assert [len(group.files) for group in together.groups] == [4]


def test_each_file_has_the_nearest_settings(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            "pyproject.toml": "[tool.mindport]\ndevice = 'CPU'\nextend-exclude = ['gen']\n",
            "a.py": "",
            "gen/x.py": "",
            "p/pyproject.toml": "[tool.mindport]\ndevice = 'Ascend'\n",
            "p/b.py": "",
            "p/q/c.py": "",
            "r/pyproject.toml": "[project]\nname = 'r'\n",
            "r/d.py": "",
        },
    )
    plan = plan_run([str(tmp_path)], {})
    assert files_by_device(plan, tmp_path) == {"CPU": ["a.py", "r/d.py"], "Ascend": ["p/b.py", "p/q/c.py"]}
    assert plan.file_count == 4
    named = plan_run([str(tmp_path / "p" / "b.py"), str(tmp_path / "a.py")], {"mode": "graph"})
    assert files_by_device(named, tmp_path) == {"Ascend": ["p/b.py"], "CPU": ["a.py"]}
    assert {group.target.mode.value for group in named.groups} == {"graph"}


def test_a_wrong_nested_configuration_is_not_passed_over(tmp_path: Path) -> None:
    tree(tmp_path, {"a.py": "", "p/pyproject.toml": "[tool.mindport]\nx = 1\n", "p/b.py": ""})
    with pytest.raises(ConfigurationError, match="unknown setting"):
        plan_run([str(tmp_path)], {})


def test_a_named_configuration_is_the_only_one(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            "own.toml": "device = 'GPU'\n",
            "p/pyproject.toml": "[tool.mindport]\ndevice = 'CPU'\n",
            "p/b.py": "",
        },
    )
    plan = plan_run([str(tmp_path)], {}, config_file=str(tmp_path / "own.toml"))
    assert files_by_device(plan, tmp_path) == {"GPU": ["p/b.py"]}


def test_missing_paths_do_not_stop_the_others(tmp_path: Path) -> None:
    tree(tmp_path, {"a.py": ""})
    plan = plan_run([str(tmp_path / "b.py"), str(tmp_path / "a.py")], {})
    assert plan.file_count == 1
    assert [problem.kind for problem in plan.problems] == [ProblemKind.MISSING]


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {"pyproject.toml": "[tool.mindport]\ndevice = 'GPU'\n", "p/model.py": "on disk"})
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO("# 你\r\n".encode())))
    name = str(tmp_path / "p" / "model.py")
    plan = plan_run(["-"], {}, stdin_filename=name)
    (group,) = plan.groups
    assert (group.files, group.target.device.value) == ((name,), "GPU")
    assert (group.overlay[name].text, group.overlay[name].newline) == ("# 你\r\n", "\r\n")


def test_standard_input_that_is_not_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"x\n\xff")))
    plan = plan_run(["-"], {})
    assert plan.file_count == 0
    assert str(plan.problems[0]).startswith("stdin.py:2:1: byte 0xff")
