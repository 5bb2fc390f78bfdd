"""A repository that came with its own `.git/config`: asking whether a file is committed runs none of its programs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mindport.checking.uncommitted import UncommittedChanges

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")

TEXT = "import torch\ny = torch.relu(x)\n"


class Repository:
    """A repository with `model.py` committed and `changed.py` changed; `program` is what must not be run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "archive"
        self.folder.mkdir()
        self.runs = folder / "runs"
        self.program = self._script(folder / "program")
        (self.folder / "model.py").write_text(TEXT)
        (self.folder / "changed.py").write_text(TEXT)
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "start")
        # Of the same size and with a new time: git has to look into both.
        (self.folder / "changed.py").write_text(TEXT.replace("y", "z"))
        os.utime(self.folder / "model.py", (1, 1))

    def _script(self, path: Path) -> Path:
        path.write_text(f"#!/bin/sh\necho run >> {self.runs}\n")
        path.chmod(0o755)
        return path

    def git(self, *words: str, folder: Path | None = None) -> str:
        own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"]
        command = ["git", *own, *words]
        where = folder or self.folder
        return subprocess.run(command, cwd=where, check=True, capture_output=True, text=True).stdout

    def config(self, text: str, folder: Path | None = None) -> None:
        with ((folder or self.folder) / ".git" / "config").open("a") as file:
            file.write(text.format(program=self.program))

    def attributes(self, text: str) -> None:
        (self.folder / ".git" / "info").mkdir(exist_ok=True)
        (self.folder / ".git" / "info" / "attributes").write_text(text)

    def hook(self, name: str) -> None:
        self._script(self.folder / ".git" / "hooks" / name)

    def asked_plainly(self) -> None:
        """Ask as any tool does, which is what an attacker waits for."""
        subprocess.run(
            ["git", "status", "--porcelain"], cwd=self.folder, capture_output=True, check=False, timeout=20
        )


def monitor(repository: Repository) -> None:
    repository.config("[core]\n\tfsmonitor = {program}\n")


def clean_filter(repository: Repository) -> None:
    repository.config('[filter "x"]\n\tclean = {program}\n\trequired = true\n')
    repository.attributes("*.py filter=x\n")


def filter_with_an_odd_name(repository: Repository) -> None:
    repository.config('[filter "a.B=c d"]\n\tclean = {program}\n')
    repository.attributes("*.py filter=a.B=c\n")
    repository.config('[filter "a.B=c"]\n\tclean = {program}\n')


def long_running_filter(repository: Repository) -> None:
    repository.config('[filter "x"]\n\tprocess = {program}\n')
    repository.attributes("*.py filter=x\n")


def included_filter(repository: Repository) -> None:
    (repository.folder / ".git" / "more").write_text(f'[filter "x"]\n\tclean = {repository.program}\n')
    repository.config("[include]\n\tpath = more\n")
    repository.attributes("*.py filter=x\n")


def hook(repository: Repository) -> None:
    repository.hook("post-index-change")


def hook_elsewhere(repository: Repository) -> None:
    (repository.folder / "hooks").mkdir()
    repository._script(repository.folder / "hooks" / "post-index-change")
    repository.config("[core]\n\thooksPath = hooks\n")


def submodule(repository: Repository) -> None:
    inner = repository.folder.parent / "inner"
    inner.mkdir()
    repository.git("init", "-q", folder=inner)
    (inner / "a.txt").write_text("a")
    repository.git("add", ".", folder=inner)
    repository.git("commit", "-qm", "start", folder=inner)
    repository.git("submodule", "--quiet", "add", str(inner), "inner")
    repository.git("commit", "-qm", "inner")
    module = repository.folder / ".git" / "modules" / "inner" / "config"
    with module.open("a") as file:
        file.write(f"[core]\n\tfsmonitor = {repository.program}\n")


def missing_objects(repository: Repository) -> None:
    """A partial clone asks its remote for what it lacks."""
    repository.config(
        "[core]\n\trepositoryformatversion = 1\n\tsshCommand = {program}\n"
        '[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\tpromisor = true\n\turl = ssh://nowhere.invalid/x\n'
    )
    tree = repository.git("rev-parse", "HEAD^{tree}").strip()
    (repository.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()


ATTACKS = [
    *(monitor, clean_filter, filter_with_an_odd_name, long_running_filter, included_filter),
    *(hook, hook_elsewhere, submodule, missing_objects),
]
# Nothing of these is run by a question even where nobody takes care; they may not begin to be.
OTHERS = """
[core]
\tpager = {program}
\teditor = {program}
\taskPass = {program}
\tgitProxy = {program}
\tsshCommand = {program}
\talternateRefsCommand = {program}
[alias]
\tstatus = !{program}
\tconfig = !{program}
[diff]
\texternal = {program}
[diff "x"]
\ttextconv = {program}
\tcommand = {program}
[merge "x"]
\tdriver = {program}
[gpg]
\tprogram = {program}
[credential]
\thelper = !{program}
[pager]
\tstatus = {program}
\tconfig = {program}
[status]
\tsubmoduleSummary = true
[url "ext::{program} "]
\tinsteadOf = https://
[uploadpack]
\tpackObjectsHook = {program}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_attack_is_one(attack: Callable[[Repository], None], repository: Repository) -> None:
    attack(repository)
    repository.asked_plainly()
    assert repository.runs.exists()


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_of_the_repository_is_run(
    attack: Callable[[Repository], None], repository: Repository
) -> None:
    attack(repository)
    repository.runs.unlink(missing_ok=True)
    changes = UncommittedChanges()
    reason = changes.reason(str(repository.folder / "model.py"))
    assert "uncommitted" in (changes.reason(str(repository.folder / "changed.py")) or "") or reason
    assert not repository.runs.exists()
    if attack is not missing_objects:
        assert reason is None


def test_nothing_of_the_other_settings_is_run(repository: Repository) -> None:
    repository.config(OTHERS)
    repository.attributes("*.py diff=x merge=x\n")
    changes = UncommittedChanges()
    assert changes.reason(str(repository.folder / "model.py")) is None
    assert "uncommitted" in (changes.reason(str(repository.folder / "changed.py")) or "")
    assert not repository.runs.exists()


def test_filters_that_cannot_be_switched_off_are_a_reason(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the user hands to git by its own variables counts over what we do, and an old git knows no variables."""
    clean_filter(repository)
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'filter.x.clean={repository.program}'")
    reason = UncommittedChanges().reason(str(repository.folder / "model.py"))
    assert reason is not None and "filter.x.clean" in reason and "--allow-dirty" in reason
    assert not repository.runs.exists()


def test_git_is_not_taken_from_the_folder(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository._script(repository.folder / "git")
    monkeypatch.chdir(repository.folder)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", os.environ["PATH"]]))
    assert UncommittedChanges().reason("model.py") is None
    assert not repository.runs.exists()
