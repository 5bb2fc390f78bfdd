"""`mindport port` on small projects: what is written, what is said, what a second run does, and what is refused."""

from __future__ import annotations

import ast
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mindport.cli.main import main

MODEL = """# 模型 🚀
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return torch.relu(self.layer(x))
"""
TRAIN = """import torch

from model import Net


def main():
    torch.cuda.set_device(0)
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    loss = net(torch.ones(3, 4)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch.cuda.synchronize(0)
    return float(loss)


if __name__ == "__main__":
    main()
"""
CELL = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": ["import torch\n", "x = torch.ones(2)"]}  # fmt: skip # noqa: E501
Answer = tuple[int, str, str]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with everything that may lie in one."""
    folder = tmp_path / "项目 one"
    for name in ("data", "pkg", ".git", "venv", "__pycache__", "runs"):
        (folder / name).mkdir(parents=True)
    (folder / "model.py").write_text(MODEL, "utf-8")
    (folder / "train.py").write_text(TRAIN)
    (folder / "pkg" / "crlf.py").write_bytes(b"import torch\r\nx = torch.ones(2)  # keep\t\r\ny = 1")
    (folder / "broken.py").write_text("import torch\ndef f(:\n")
    (folder / "null.py").write_bytes(b"import torch\0\n")
    (folder / "latin.py").write_bytes(b"x = '\xe4'\n")
    (folder / "notes.ipynb").write_text(
        json.dumps({"cells": [CELL], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )
    (folder / "data" / "a.bin").write_bytes(b"\0\1\2")
    (folder / "data" / "link").symlink_to("a.bin")
    (folder / "data" / "circle").symlink_to("circle")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / ".gitignore").write_text("runs/\n*.log\n")
    (folder / "runs" / "out.pt").write_text("")
    (folder / "a.log").write_text("")
    (folder / "venv" / "pyvenv.cfg").write_text("")
    (folder / ".git" / "HEAD").write_text("")
    return folder


@pytest.fixture
def port(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Runs the command; gives the exit code and both outputs."""

    def run(*words: object) -> Answer:
        code = main(
            ["port", *map(str, words), "--device", "CPU", "--target-version", "2.10.0", "--locale", "en"]
        )
        out, err = capsys.readouterr()
        return code, out, err

    return run


def content(folder: Path) -> dict[str, bytes]:
    """All files below a folder but mindport's own."""
    return {
        path.relative_to(folder).as_posix(): b"" if path.is_symlink() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if (path.is_symlink() or path.is_file()) and ".mindport" not in path.parts and path.name != "PORT.md"
    }


def test_a_project_is_ported(project: Path, port: Callable[..., Answer], tmp_path: Path) -> None:
    before = content(project)
    code, out, err = port(project, "-o", tmp_path / "out")
    after = content(tmp_path / "out")
    assert content(project) == before
    away = {".git/HEAD", "venv/pyvenv.cfg", "runs/out.pt", "a.log"}
    assert before.keys() - after.keys() == away
    assert after.keys() - before.keys() <= {"torch_equivalents.py"}
    assert {name for name in before.keys() & after.keys() if before[name] != after[name]} == {
        "model.py", "train.py", "pkg/crlf.py", "notes.ipynb",
    }  # fmt: skip
    train = after["train.py"].decode()
    assert "value_and_grad" in train and "set_device" not in train and "backward" not in train
    assert after["pkg/crlf.py"].count(b"\r\n") == before["pkg/crlf.py"].count(b"\r\n")
    assert b"# keep\t\r\n" in after["pkg/crlf.py"] and after["pkg/crlf.py"].endswith(b"y = 1")
    assert "# 模型 🚀" in after["model.py"].decode()
    assert os.access(tmp_path / "out" / "run.sh", os.X_OK)
    assert (tmp_path / "out" / "data" / "link").read_bytes() == b"\0\1\2"
    assert code == 1  # of torch.cuda.synchronize(0), and of files that cannot be read
    assert "train.py:14" in out and "torch.cuda.synchronize differs" in out.partition("To review")[0]
    assert "train.py:7" in out.partition("To review")[2]
    assert out.count("MindSpore 2.10.0 on CPU") == 1
    for name in ("broken.py:2", "null.py", "latin.py"):
        assert name in err
    page = (tmp_path / "out" / "PORT.md").read_text("utf-8")
    assert "`runs/`" in page and "`a.log`" in page and "broken.py" in page


def test_a_second_run_changes_nothing(project: Path, port: Callable[..., Answer], tmp_path: Path) -> None:
    first = port(project, "-o", tmp_path / "out")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.py")}
    assert port(project, "-o", tmp_path / "out") == first
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.py")} == before


def test_what_changed_is_taken_up(project: Path, port: Callable[..., Answer], tmp_path: Path) -> None:
    out = tmp_path / "out"
    port(project, "-o", out)
    (project / "model.py").write_text(MODEL.replace("4, 2", "4, 3"), "utf-8")
    (project / "new.py").write_text("import torch\nx = torch.ones(2)\n")
    (project / "run.sh").unlink()
    port(project, "-o", out)
    assert "4, 3" in (out / "model.py").read_text("utf-8")
    assert "torch" not in (out / "new.py").read_text()
    assert not (out / "run.sh").exists()


@pytest.mark.parametrize("is_changed", [False, True])
def test_what_a_person_wrote_is_never_lost(
    project: Path, port: Callable[..., Answer], tmp_path: Path, is_changed: bool
) -> None:
    out = tmp_path / "out"
    port(project, "-o", out)
    mine = (out / "model.py").read_text("utf-8") + "# mine\n"
    (out / "model.py").write_text(mine, "utf-8")
    (out / "own.txt").write_text("mine")
    if is_changed:
        (project / "model.py").write_text(MODEL.replace("4, 2", "4, 3"), "utf-8")
    code, said, _ = port(project, "-o", out)
    assert (out / "model.py").read_text("utf-8") == mine
    assert (out / "own.txt").read_text() == "mine"
    assert "edited by hand" in said and "`model.py`" in said and code == 1
    assert (out / "model.py.ported").exists() is is_changed
    port(project, "-o", out, "--overwrite")
    assert "# mine" not in (out / "model.py").read_text("utf-8")


def test_review_comments_stand_above_the_statements(
    project: Path, port: Callable[..., Answer], tmp_path: Path
) -> None:
    text = (
        'import torch\n\ndef f(x):\n    """a\n    b"""; torch.cuda.set_device(\n        x)\n'
        "    torch.cuda.set_device(x)\n"
    )
    (project / "two.py").write_text(text)
    port(project, "-o", tmp_path / "plain")
    port(project, "-o", tmp_path / "out", "--review-comments")
    for name in ("train.py", "two.py"):
        plain, marked = ((tmp_path / where / name).read_text() for where in ("plain", "out"))
        assert ast.dump(ast.parse(plain)) == ast.dump(ast.parse(marked))
    lines = (tmp_path / "out" / "train.py").read_text().splitlines()
    (place,) = [
        index
        for index, line in enumerate(lines)
        if line.strip().startswith("# review: torch.cuda.set_device")
    ]
    assert lines[place].startswith("    # ")


def git(folder: Path, *words: str) -> str:
    told = ("-c", "user.name=a", "-c", "user.email=a@b", "-C", str(folder))
    return subprocess.run(["git", *told, *words], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "model.py").write_text(MODEL, "utf-8")
    git(folder, "init", "-q", "-b", "trunk")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    return folder


def test_in_place_makes_a_branch(repository: Path, port: Callable[..., Answer]) -> None:
    code, out, _ = port(repository, "--in-place")
    assert git(repository, "branch", "--show-current").strip() == "mindport-2.10.0"
    assert "nn.Cell" in (repository / "model.py").read_text("utf-8")
    assert "git switch trunk" in out and code == 0
    git(repository, "stash", "-u")
    git(repository, "switch", "-q", "trunk")
    assert (repository / "model.py").read_text("utf-8") == MODEL


@pytest.mark.parametrize("harm", ["dirty", "name", "none"])
def test_in_place_needs_a_clean_repository(
    repository: Path, port: Callable[..., Answer], tmp_path: Path, harm: str
) -> None:
    words: list[str] = []
    if harm == "dirty":
        (repository / "new.txt").write_text("")
    elif harm == "name":
        words = ["--branch", "--force"]
    folder = repository if harm != "none" else tmp_path / "plain"
    folder.mkdir(exist_ok=True)
    (folder / "model.py").write_text(MODEL, "utf-8")
    code, out, err = port(folder, "--in-place", *words)
    assert code == 2 and err and not out
    assert (folder / "model.py").read_text("utf-8") == MODEL
    if harm != "none":
        assert git(repository, "branch", "--show-current").strip() == "trunk"


REFUSED = {
    "nowhere": (lambda source, other: (source,), "--in-place"),
    "both": (lambda source, other: (source, "-o", other, "--in-place"), "--in-place"),
    "a branch without a place": (lambda source, other: (source, "-o", other, "--branch", "x"), "--branch"),
    "inside": (lambda source, other: (source, "-o", source / "out"), "lie in each other"),
    "outside": (lambda source, other: (source / "data", "-o", source), "lie in each other"),
    "itself": (lambda source, other: (source, "-o", source), "lie in each other"),
    "not there": (lambda source, other: (other / "nothing", "-o", other), "does not exist"),
    "a file": (lambda source, other: (source / "model.py", "-o", other), "is a file"),
}


@pytest.mark.parametrize(("words", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_wrong_words_are_refused(
    project: Path,
    port: Callable[..., Answer],
    tmp_path: Path,
    words: Callable[..., tuple[object, ...]],
    said: str,
) -> None:
    before = content(project)
    code, _, err = port(*words(project, tmp_path / "other"))
    assert code == 2 and said in err
    assert content(project) == before and not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (None, "not empty"),
        ("{", "cannot be read"),
        ("[]", "cannot be read"),
        ('{"format": 2, "source": "", "target": ""}', "cannot be read"),
        ('{"format": 1, "source": "../elsewhere", "target": ""}', "holds the port of"),
    ],
)
def test_a_folder_of_others_is_left_alone(
    project: Path, port: Callable[..., Answer], tmp_path: Path, manifest: str | None, said: str
) -> None:
    out = tmp_path / "out"
    (out / ".mindport").mkdir(parents=True)
    (out / "mine.py").write_text("1")
    if manifest is not None:
        (out / ".mindport" / "port.json").write_text(manifest)
    code, _, err = port(project, "-o", out)
    assert code == 2 and said in err
    assert content(out) == {"mine.py": b"1"}


def test_what_cannot_be_written_is_said(project: Path, port: Callable[..., Answer], tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "model.py").mkdir(parents=True)  # a folder where a file belongs
    (out / ".mindport").mkdir()
    (out / ".mindport" / "port.json").write_text('{"format": 1, "source": "../项目 one", "target": ""}')
    code, _, err = port(project, "-o", out)
    assert code == 2 and "model.py" in err
    assert (out / "train.py").exists()
    files = json.loads((out / ".mindport" / "port.json").read_text())["files"]
    assert "train.py" in files and "model.py" not in files


def test_an_interrupted_port_is_taken_up(
    project: Path, port: Callable[..., Answer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mindport.port import project as module

    real, written = module.replace_file, []

    def interrupted(place: Path, data: bytes, mode: int = 0o644) -> None:
        if len(written) == 3:
            raise KeyboardInterrupt
        written.append(place)
        real(place, data, mode)

    monkeypatch.setattr(module, "replace_file", interrupted)
    code, _, _ = port(project, "-o", tmp_path / "out")
    assert code == 130
    files = json.loads((tmp_path / "out" / ".mindport" / "port.json").read_text())["files"]
    assert len(files) == 3
    monkeypatch.setattr(module, "replace_file", real)
    port(project, "-o", tmp_path / "out")
    port(project, "-o", tmp_path / "whole")
    assert content(tmp_path / "out") == content(tmp_path / "whole")
