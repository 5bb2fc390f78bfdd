"""A user's session in a real Neovim: marks, hover, a quick fix and fix-all, on lines that are not ASCII."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.editor
LIMIT = 120  # seconds; only an editor that hangs gets there

TEXT = """\
import torch


def f(a, b):
    s = "张量 🚀"; x = torch.cat([a, b], dim=1)  # 拼接 🧩
    t = "方差 🔥"; y = torch.std(x)
    return s, t, y, torch.no_such_name
"""
FIXED = """\
import torch
from mindspore import ops


def f(a, b):
    s = "张量 🚀"; x = torch.cat([a, b], dim=1)  # 拼接 🧩
    t = "方差 🔥"; y = ops.std(x, ddof=1)
    return s, t, y, torch.no_such_name
"""
# What is left of torch is in the body of a function, so the file is made to import without it.
OPTIONAL = "try:\n    import torch\nexcept ImportError:\n    torch = None  # not ported yet\n"
ALL_FIXED = FIXED.replace("torch.cat([a, b], dim=1)", "ops.cat([a, b], axis=1)").replace(
    "import torch\n", OPTIONAL, 1
)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the session saw."""
    neovim = shutil.which("nvim")
    assert neovim is not None, "no nvim: run scripts/setup editors"
    folder = tmp_path_factory.mktemp("session")
    project = folder / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text(
        '[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10.0"\n', encoding="utf-8"
    )
    file = project / "model.py"
    file.write_text(TEXT, encoding="utf-8")
    plan = {
        "command": [sys.executable, "-m", "mindport", "server"],
        "file": str(file),
        "hover": "cat([",
        "fix": "std(x)",
        "title": "ops.std",
    }
    result = folder / "result.json"
    home = str(folder)
    environment = {
        **os.environ,
        "PLAN": json.dumps(plan),
        "RESULT": str(result),
        # Nothing of the user's own configuration.
        **dict.fromkeys(
            ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"), home
        ),
    }
    driver = Path(__file__).with_name("session.lua")
    run = subprocess.run(
        [neovim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {driver}"],
        env=environment,
        cwd=project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert result.exists(), run.stderr
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    assert found.get("done"), found.get("problem")
    found["file"] = file.read_text(encoding="utf-8")
    return found


def test_marks_are_where_the_names_are(seen: dict[str, Any]) -> None:
    assert sorted((one["line"], one["text"]) for one in seen["marks"]) == [
        (5, "torch.std"),
        (6, "torch.no_such_name"),
    ]
    assert {one["source"] for one in seen["marks"]} == {"mindport"}
    assert all("MindSpore 2.10.0 on CPU" in one["message"] for one in seen["marks"])


def test_hover_answers_in_its_first_line(seen: dict[str, Any]) -> None:
    text = "\n".join(seen["hover"]).strip()
    first = text.splitlines()[0]
    assert "ops.cat(" in first
    assert "axis=1" in first
    assert "torch.cat" in first
    assert "MindSpore 2.10.0 on CPU" in text


def test_quick_fix_changes_the_buffer(seen: dict[str, Any]) -> None:
    assert "\n".join(seen["fixed"]) + "\n" == FIXED
    assert [one["text"] for one in seen["marks_after_fix"]] == ["torch.no_such_name"]
    assert any(title.startswith("Ignore MP101") for title in seen["titles"])


def test_fix_all_changes_the_rest_and_is_saved(seen: dict[str, Any]) -> None:
    assert "\n".join(seen["all_fixed"]) + "\n" == ALL_FIXED
    assert seen["file"] == ALL_FIXED


def test_user_is_not_disturbed(seen: dict[str, Any]) -> None:
    assert seen["messages"] == []
