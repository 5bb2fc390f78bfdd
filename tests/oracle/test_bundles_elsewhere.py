"""A bundle runs where there is no torch and nothing of ours, goes on where it was stopped, and gives the evidence that
`mindport prove` gives."""

import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from mindport.cli.main import main

pytestmark = pytest.mark.oracle

APIS = ["torch.abs", "torch.optim.Adagrad"]
BLOCKED = ("torch", "msgspec", "click")


@pytest.fixture
def project(tmp_path, monkeypatch):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[tool.mindport]\n")
    monkeypatch.chdir(folder)
    return folder


def run(folder, *arguments):
    """Run a bundle with nothing in the environment and none of our packages."""
    blocked = folder.parent / "blocked"
    blocked.mkdir(exist_ok=True)
    for name in BLOCKED:
        (blocked / f"{name}.py").write_text(f"raise ImportError('no {name} on this machine')\n")
    command = [sys.executable, "run.py", *arguments]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(blocked)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def rows_in(path):
    """The evidence in a file, without what is about one machine's time."""
    rows = json.loads(path.read_text())["rows"]
    return {
        (row["api"], row["content"]): {k: v for k, v in row["evidence"].items() if not k.startswith("time")}
        for row in rows
    }


def test_a_bundle_gives_the_evidence_that_proving_gives(project, tmp_path, capsys):
    usual = ["--interpreter", sys.executable, "--device", "CPU"]
    assert main(["prove", *APIS, *usual, "-o", "here.json"]) == 0
    assert main(["prove", *APIS, *usual, "--target-version", "2.10.0", "--bundle", "bundle.zip"]) == 0
    elsewhere = tmp_path / "elsewhere"
    with zipfile.ZipFile("bundle.zip") as packed:
        packed.extractall(elsewhere)
    folder = elsewhere / "bundle"

    stopped = run(folder, "--hours", "1e-9", "--output", "none.json")
    assert stopped.returncode == 2 and "nothing was run" in stopped.stdout
    whole = run(folder, "--output", "results.json")
    assert whole.returncode == 0, whole.stdout + whole.stderr
    kept = (folder / "results.jsonl").read_text().splitlines(keepends=True)
    (folder / "results.jsonl").write_text("".join(kept[:2]) + kept[2][:20])  # it was killed while it wrote
    again = run(folder, "--output", "again.json")
    assert f"2 of {len(kept)} examples were run before" in again.stdout
    assert (
        json.loads((folder / "again.json").read_text())["rows"]
        == json.loads((folder / "results.json").read_text())["rows"]
    )

    shutil.copy(folder / "again.json", "brought.json")
    assert main(["evidence", "add", "brought.json", "-o", "evidence.json"]) == 0
    assert rows_in(project / "evidence.json") == rows_in(project / "here.json")
    assert "device CPU" in capsys.readouterr().err

    tasks = folder / "tasks.jsonl"
    tasks.write_text(tasks.read_text()[:-10])
    assert "not those that the bundle was made with" in run(folder).stdout
