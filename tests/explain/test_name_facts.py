"""`mindport explain --json`: what the page says, in rows that the schema describes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from mindport.cli.main import main
from mindport.explain.name_facts import NameFacts, RuleFacts

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schemas" / "explain.json"
TARGET = ("--device", "CPU", "--target-version", "2.10.0")


def explained(capsys: pytest.CaptureFixture[str], *arguments: str) -> NameFacts | RuleFacts:
    assert main(["explain", "--json", *TARGET, *arguments]) == 0
    return msgspec.json.decode(capsys.readouterr().out, type=NameFacts | RuleFacts)


def test_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    facts = explained(capsys, "nn.Dropout")
    assert isinstance(facts, NameFacts)
    assert (facts.name, facts.target) == ("torch.nn.Dropout", "MindSpore 2.10.0 on CPU, PyNative")
    assert facts.is_judged
    assert any(case.silent for case in facts.cases)
    assert any(one.agrees and one.device == "CPU" for case in facts.cases for one in case.evidence)
    assert facts.examples[0].before
    assert facts.page.startswith("# torch.nn.Dropout\n")


def test_a_name_without_an_equivalent(capsys: pytest.CaptureFixture[str]) -> None:
    facts = explained(capsys, "torch.linalg.ldl_factor")
    assert isinstance(facts, NameFacts)
    assert {case.verdict for case in facts.cases} == {"none"}
    assert all(case.fix != "safe" and not case.evidence for case in facts.cases)


def test_programs_read_english(capsys: pytest.CaptureFixture[str]) -> None:
    facts = explained(capsys, "--locale", "zh-cn", "torch.abs")
    assert facts.page.isascii()


@pytest.mark.parametrize("subject", ["MP101", "mp101", "silent-difference"])
def test_a_rule(subject: str, capsys: pytest.CaptureFixture[str]) -> None:
    facts = explained(capsys, subject)
    assert isinstance(facts, RuleFacts)
    assert (facts.code, facts.name) == ("MP101", "silent-difference")


@pytest.mark.parametrize(
    "arguments", [("torch.nn.Dropuot",), ("--second-order", "torch.abs"), ("os.path.join",)]
)
def test_what_cannot_be_explained(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--json", *TARGET, *arguments]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.thorough
def test_as_the_schema_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for subject in ("torch.nn.Dropout", "torch.Tensor.view", "torch.linalg.ldl_factor", "MP107"):
        facts = explained(capsys, subject)
        file = tmp_path / f"{subject}.json"
        file.write_text(json.dumps(msgspec.to_builtins(facts)), "utf-8")
        files.append(str(file))
    command = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(SCHEMA), *files]
    checked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert checked.returncode == 0, checked.stdout
