"""The files for continuous integration: as their schemas say, and their scripts run as the servers would run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

REPOSITORY = Path(__file__).resolve().parents[2]
ACTION = REPOSITORY / "action.yml"
GITLAB = REPOSITORY / "templates" / "gitlab-ci.yml"
HOOKS = REPOSITORY / ".pre-commit-hooks.yaml"
CODE = "import torch\n\nprint(torch.no_such_name_at_all)\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one finding, in which `mindport` is on the path."""
    for name in ("GITHUB_ACTIONS", "MINDPORT_OUTPUT_FORMAT", "MINDPORT_OUTPUT_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "src" / "a b.py").write_text(CODE)
    (folder / "pyproject.toml").write_text("[tool.mindport]\ntarget-version = '2.10'\ndevice = 'CPU'\n")
    return folder


def read(path: Path) -> Any:
    return YAML(typ="safe").load(path.read_text("utf-8"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("file", "schema"), [(ACTION, "vendor.github-actions"), (GITLAB, "vendor.gitlab-ci")]
)
def test_as_the_schema_says(file: Path, schema: str) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
    checked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.thorough
def test_the_hook_is_a_command_that_there_is(project: Path) -> None:
    (hook,) = read(HOOKS)
    assert {"id", "name", "entry", "language"} <= set(hook)
    command = [*hook["entry"].split(), "src/a b.py"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("src/a b.py:3:7: warning MP113")
    (project / "pyproject.toml").write_text("[tool.mindport]\nexclude = ['src']\n")
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0


def step_of_action(project: Path, **inputs: str) -> tuple[int, str, str]:
    """Run the step that checks, with what GitHub's runner would put in place of its expressions."""
    action = read(ACTION)
    values = {name: entry["default"] for name, entry in action["inputs"].items()} | inputs
    (step,) = (step for step in action["runs"]["steps"] if step.get("id") == "check")
    variables = {}
    for name, expression in step["env"].items():
        assert expression.startswith("${{ inputs.")
        variables[name] = values[expression.removeprefix("${{ inputs.").removesuffix(" }}")]
    assert "${{" not in step["run"]  # no text of an input becomes a part of the script
    temporary = project.parent / "runner"
    (temporary / "mindport" / "bin").mkdir(parents=True, exist_ok=True)
    link = temporary / "mindport" / "bin" / "mindport"
    if not link.exists():
        link.symlink_to(Path(sys.executable).with_name("mindport"))
    output = project.parent / "output.txt"
    output.write_text("")
    environment = os.environ | variables | {"RUNNER_TEMP": str(temporary), "GITHUB_OUTPUT": str(output)}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],  # as the runner calls it
        cwd=project / values["working-directory"],
        env=environment | {"GITHUB_ACTIONS": "true"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr, output.read_text()


@pytest.mark.thorough
def test_the_action_marks_lines(project: Path) -> None:
    code, log, outputs = step_of_action(project)
    assert code == 1
    assert "::warning title=mindport MP113,file=src/a b.py,line=3,endLine=3," in log
    assert outputs == ""


@pytest.mark.thorough
def test_the_action_writes_sarif(project: Path) -> None:
    inputs = {
        "sarif-file": "m.sarif",
        "working-directory": "src",
        "paths": "a b.py\n",
        "arguments": "--exit-zero",
    }
    code, log, outputs = step_of_action(project, **inputs)
    assert (code, outputs) == (0, "sarif-file=src/m.sarif\n")
    assert "::warning " in log
    (result,) = json.loads((project / "src" / "m.sarif").read_text("utf-8"))["runs"][0]["results"]
    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "src/a%20b.py"


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["paths", "arguments", "sarif-file"])
def test_no_input_of_the_action_is_run(project: Path, name: str) -> None:
    step_of_action(project, **{name: "x$(touch ran)`touch ran`; touch ran"})
    assert not list(project.rglob("ran"))


@pytest.mark.thorough
def test_the_gitlab_job_writes_its_reports(project: Path) -> None:
    template = read(GITLAB)
    job = template["mindport"]
    environment = os.environ | {**template["variables"], "MINDPORT_ARGUMENTS": "--fail-on error src"}
    for line in job["script"]:
        done = subprocess.run(
            ["sh", "-ec", line],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("src/a b.py:3:7: warning MP113")
    reports = job["artifacts"]["reports"]
    (issue,) = json.loads((project / reports["codequality"]).read_text("utf-8"))
    assert issue["location"] == {"path": "src/a b.py", "lines": {"begin": 3, "end": 3}}
    assert '<skipped type="MP113"' in (project / reports["junit"]).read_text("utf-8")
    assert set(job["cache"]["paths"]) <= {path.name for path in project.iterdir()}


def test_the_container_has_what_it_is_built_from_and_runs_as_nobody_of_weight() -> None:
    """No daemon is asked: what its steps name is there, and what they install is the project as pip builds it (which
    tests/test_distributions.py does)."""
    text = (REPOSITORY / "templates" / "Containerfile").read_text("utf-8")
    steps = [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith(("#", " "))]
    assert {word for word, _ in steps} == {"FROM", "COPY", "RUN", "USER", "WORKDIR", "ENTRYPOINT", "CMD"}
    images = [words.split()[0] for word, words in steps if word == "FROM"]
    (gitlab_image,) = {read(GITLAB)["mindport"]["image"]}
    assert images == [gitlab_image] * 2
    (user,) = (words for word, words in steps if word == "USER")
    assert f"useradd --create-home {user}" in text
    kept = [
        line[1:] for line in (REPOSITORY / ".dockerignore").read_text("utf-8").splitlines() if line[0] == "!"
    ]
    assert all((REPOSITORY / name).exists() for name in kept)
    project = (REPOSITORY / "pyproject.toml").read_text("utf-8")
    needed = ("server", "mappings", "scripts/build_hook.py", "README.md", "LICENSE")
    assert all(name in project and name in kept for name in needed)
