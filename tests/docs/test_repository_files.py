"""The files that a repository greets people with: as their schemas say, and naming only what there is."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))

from update_readme import updated  # noqa: E402

GITHUB = REPOSITORY / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-workflows", WORKFLOWS),
        ("vendor.github-issue-forms", sorted((GITHUB / "ISSUE_TEMPLATE").glob("[!c]*.yml"))),
        ("vendor.github-issue-config", [GITHUB / "ISSUE_TEMPLATE" / "config.yml"]),
    ],
)
def test_as_the_schema_says(schema: str, files: list[Path]) -> None:
    assert files
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)]
    checked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_scripts_that_there_are(workflow: Path) -> None:
    for script in re.findall(r"\bscripts/[\w./]+", workflow.read_text("utf-8")):
        assert (REPOSITORY / script).is_file(), script


def test_only_the_job_that_publishes_may_ask_for_a_token() -> None:
    jobs = YAML(typ="safe").load((GITHUB / "workflows" / "release.yml").read_text("utf-8"))["jobs"]
    asking = {name for name, job in jobs.items() if "id-token" in job.get("permissions", {})}
    assert asking == {"publish"}
    assert "refs/tags/" in jobs["publish"]["if"]
    assert not any("checkout" in step.get("uses", "") for step in jobs["publish"]["steps"])


def test_hooks_call_what_the_development_environment_has() -> None:
    hooks = YAML(typ="safe").load((REPOSITORY / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0][
        "hooks"
    ]
    test_command = (REPOSITORY / "scripts" / "test").read_text("utf-8")
    for hook in hooks:
        program, *rest = hook["entry"].split()
        assert program.startswith(".venv/bin/"), hook
        assert all((REPOSITORY / word).is_file() for word in rest if word.startswith("scripts/")), hook
    assert all(tool in test_command for tool in ("ruff format", "ruff check", "lint-imports", "mypy"))


def test_development_container_sets_up_what_the_tests_need() -> None:
    container = json.loads((REPOSITORY / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    program, _argument = container["postCreateCommand"].split()
    assert (REPOSITORY / program).is_file()


def test_security_names_tests_that_there_are() -> None:
    named = re.findall(r"tests/[\w/.]+", (REPOSITORY / "SECURITY.md").read_text("utf-8"))
    assert len(named) > 8
    assert [path for path in named if not (REPOSITORY / path).exists()] == []


def test_readme_has_its_figures() -> None:
    text = (REPOSITORY / "README.md").read_text("utf-8")
    fresh = updated(text)
    assert re.sub(r"[\d.,]+", "", fresh) == re.sub(r"[\d.,]+", "", text)  # figures change with every run
    with pytest.raises(ValueError, match="figures"):
        updated("# mindport\n")
