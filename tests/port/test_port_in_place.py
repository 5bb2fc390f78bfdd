"""A port in place goes to a new branch of a clean repository, and can be undone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from small_port import NET, TRAIN, Command, content, write


def git(*words: str, folder: str = "src") -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    done = subprocess.run(
        ["git", "-C", folder, *identity, *words], check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout.strip()


@pytest.fixture
def repository(command: Command) -> Command:
    write({"net.py": NET, "train.py": TRAIN, ".gitignore": "runs/\n", "runs/old.py": NET})
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    return command


def test_branch(repository: Command) -> None:
    before = {name: data for name, data in content("src").items() if not name.startswith(".git/")}
    hook = Path("src/.git/hooks/reference-transaction")
    hook.write_text("#!/bin/sh\ntouch ran\n")
    hook.chmod(0o755)
    result = repository("port", "src", "--in-place")
    assert result.code == 1
    assert git("symbolic-ref", "--short", "HEAD") == "mindport/2.10.0"
    assert git("rev-parse", "HEAD") == git("rev-parse", "main")
    status = git("status", "--porcelain").splitlines()
    assert {"M train.py", "M net.py"} <= {line.strip() for line in status}
    assert Path("src/runs/old.py").read_text() == NET
    assert not list(Path().rglob("ran"))
    hook.unlink()
    back = result.out.strip().splitlines()[-1]
    subprocess.run(back, shell=True, cwd="src", check=True, capture_output=True, timeout=60)
    assert {name: data for name, data in content("src").items() if not name.startswith(".git/")} == before
    assert git("branch", "--format=%(refname:short)") == "main"


def test_own_name_and_detached_head(repository: Command) -> None:
    commit = git("rev-parse", "HEAD")
    git("checkout", "-q", "--detach")
    result = repository("port", "src", "--in-place", "--branch", "ms")
    assert git("symbolic-ref", "--short", "HEAD") == "ms"
    assert f"git checkout {commit}" in result.out


@pytest.mark.parametrize(
    ("prepare", "arguments", "words"),
    [
        (lambda: write({"new.txt": "1"}), (), "new.txt"),
        (lambda: write({"net.py": "x = 1\n"}), (), "net.py"),
        (lambda: git("branch", "mindport/2.10.0"), (), "there is a branch"),
        (lambda: git("branch", "mindport"), (), "mindport"),
        (lambda: None, ("--branch", "a..b"), "no name of a branch"),
        (lambda: None, ("--branch", "main"), "there is a branch"),
        (lambda: None, ("--overwrite",), "--overwrite"),
    ],
)
def test_refused(repository: Command, prepare: object, arguments: tuple[str, ...], words: str) -> None:
    prepare()  # type: ignore[operator]
    before = {name: data for name, data in content("src").items() if not name.startswith(".git/")}
    result = repository("port", "src", "--in-place", *arguments)
    assert result.code == 2
    assert words in result.err
    assert {name: data for name, data in content("src").items() if not name.startswith(".git/")} == before
    assert git("symbolic-ref", "--short", "HEAD") == "main"


def test_no_repository(command: Command) -> None:
    write({"net.py": NET})
    result = command("port", "src", "--in-place")
    assert result.code == 2
    assert "no git repository" in result.err


def test_repository_without_a_commit(command: Command) -> None:
    Path("src").mkdir()
    git("init", "-q")
    result = command("port", "src", "--in-place")
    assert result.code == 2
