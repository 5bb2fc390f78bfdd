"""`mindport check --since`: what a change can reach is judged as in a run over everything, and nothing else."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mindport.cli.main import main

FILES = {
    "net.py": "import torch\n\n\ndef make(x):\n    return torch.net_none(x)\n",
    "run.py": "import torch\nfrom net import make\n\nmake(torch.run_none)\n",
    "alone.py": "import torch\n\ntorch.no_such_name\n",
    "looks.py": 'import torch.nn as nn\n\ngetattr(nn, config["layer"])(3)\ntorch_none = nn.Nope\n',
    "conf.yaml": "layer: Linear\n",
    "gone_too.py": "import helper_of_mine\nimport torch\n\ntorch.missing_name\n",
    "helper_of_mine.py": "",
    "sub/pyproject.toml": "[tool.mindport]\ndevice = 'CPU'\n",
    "sub/inner.py": "import torch\n\ntorch.inner_none\n",
}
Since = Callable[..., tuple[int, set[str], str]]


def git(*words: str) -> None:
    subprocess.run(["git", *words], check=True, capture_output=True)


@pytest.fixture
def since(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Since:
    """The exit code, the files with findings or in all, and what is said."""
    monkeypatch.chdir(tmp_path)
    for name, value in (("NAME", "a"), ("EMAIL", "a@b")):
        for who in ("AUTHOR", "COMMITTER"):
            monkeypatch.setenv(f"GIT_{who}_{name}", value)
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    Path("pyproject.toml").write_text('[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10"\n')
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "one")

    def run(revision: str = "HEAD", *paths: str) -> tuple[int, set[str], str]:
        words = ["--output-format", "concise", "--min-severity", "hint", "--no-cache", "--since", revision]
        code = main(["check", *words, *paths])
        out, err = capsys.readouterr()
        return code, {line.partition(":")[0] for line in out.splitlines()}, err

    return run


CHANGES: list[tuple[Callable[[], object], set[str]]] = [
    (lambda: None, set()),
    (lambda: Path("alone.py").write_text("import torch\ntorch.nope\n"), {"alone.py"}),
    (lambda: Path("net.py").write_text("import torch\ntorch.x_none\n"), {"net.py", "run.py"}),
    (lambda: Path("run.py").write_text("import torch\nfrom net import make\nmake(torch.x)\n"), {"net.py", "run.py"}),
    (lambda: Path("new.py").write_text("import torch\ntorch.nope\n"), {"new.py"}),
    (lambda: Path("new.py").write_text("import alone, torch\ntorch.nope\n"), {"new.py", "alone.py"}),
    (lambda: Path("conf.yaml").write_text("layer: Conv2d\n"), {"looks.py"}),
    (lambda: Path("helper_of_mine.py").unlink(), {"gone_too.py"}),
    (lambda: Path("README.md").write_text("x"), set()),
    (lambda: Path("sub/inner.py").write_text("import torch\n\ntorch.x_none\n"), {"sub/inner.py"}),
    (lambda: Path("pyproject.toml").write_text("[tool.mindport]\ndevice='CPU'\n"),
     {"net.py", "run.py", "alone.py", "looks.py", "gone_too.py", "sub/inner.py"}),
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(len(CHANGES)))
@pytest.mark.parametrize("is_committed", [False, True])
def test_what_a_change_reaches(since: Since, number: int, is_committed: bool) -> None:
    change, expected = CHANGES[number]
    change()
    if is_committed:
        git("add", "-A")
        git("commit", "-qm", "two", "--allow-empty")
    code, files, err = since("HEAD~1" if is_committed else "HEAD")
    assert files == expected
    assert "judged: what the changes can reach" in err
    assert code == bool(expected)


def test_changes_of_the_other_branch_are_none_of_ours(since: Since) -> None:
    git("checkout", "-qb", "mine")
    Path("alone.py").write_text("import torch\ntorch.nope\n")
    git("commit", "-qam", "two")
    git("checkout", "-q", "main")
    Path("net.py").write_text("import torch\ntorch.nope\n")
    git("commit", "-qam", "three")
    git("checkout", "-q", "mine")
    assert since("main")[1] == {"alone.py"}


@pytest.mark.parametrize("revision", ["no-such", "", "--output=x", "HEAD:net.py", "-h"])
def test_what_is_no_revision(since: Since, revision: str) -> None:
    code, files, err = since(revision)
    assert (code, files) == (2, set())
    assert "--since" in err
    assert not Path("x").exists()


def test_outside_of_a_repository(since: Since, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "a.py").write_text("import torch\n")
    code, files, err = since("HEAD", str(other))
    assert (code, files) == (2, set())
    assert "--since: git" in err
