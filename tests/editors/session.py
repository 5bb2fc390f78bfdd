"""The program that a user edits in every editor, and a place to do it in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LIMIT = 180  # seconds; only an editor that hangs gets there

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


class Desk:
    """A project with the program, a home without any settings, and a place for what a session saw."""

    def __init__(self, folder: Path, configuration: str, suffix: str) -> None:
        self.project = folder / "project"
        self.project.mkdir()
        (self.project / "pyproject.toml").write_text(
            '[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10.0"\n', encoding="utf-8"
        )
        self.file = self.project / "model.py"
        self.file.write_text(TEXT, encoding="utf-8")
        self.configuration = folder / f"configuration{suffix}"
        self.configuration.write_text(configuration, encoding="utf-8")
        self.result = folder / "result.json"
        home = str(folder)
        self.environment = {
            **os.environ,
            "FILE": str(self.file),
            "RESULT": str(self.result),
            "LC_ALL": "C.UTF-8",
            # The `mindport` of these tests, and nothing of the user's own configuration.
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            **dict.fromkeys(
                ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"), home
            ),
        }

    def run(self, command: Sequence[str | os.PathLike[str]]) -> dict[str, Any]:
        """What a session saw, with the text of the file as it was saved."""
        run = subprocess.run(
            command,
            env=self.environment,
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert self.result.exists(), run.stderr
        found: dict[str, Any] = json.loads(self.result.read_text(encoding="utf-8"))
        assert found.get("done"), f"{found.get('problem')}\n{run.stderr}"
        found["file"] = self.file.read_text(encoding="utf-8")
        return found


def run_neovim(desk: Desk, program: str | os.PathLike[str]) -> dict[str, Any]:
    """What the session of session.lua saw in a Neovim with the desk's configuration."""
    driver = Path(__file__).with_name("session.lua")
    options = ["--headless", "-i", "NONE", "-n", "-u", desk.configuration, "-c", f"luafile {driver}"]
    return desk.run([program, *options])


def assert_marked_and_fixed(seen: dict[str, Any]) -> None:
    """The marks are where the names are, a quick fix changes the text, and saving fixes the rest without a message."""
    assert sorted((one["line"], one["text"]) for one in seen["marks"]) == [
        (5, "torch.std"),
        (6, "torch.no_such_name"),
    ]
    assert "\n".join(seen["fixed"]) + "\n" == FIXED
    assert "\n".join(seen["saved"]) + "\n" == ALL_FIXED
    assert seen["file"] == ALL_FIXED
    assert seen["messages"] == []
