"""`mindport prove` end to end on the CPU: what ships no evidence becomes safe by a run of the user's own."""

import json
import sys

import msgspec
import pytest

from mindport.checking import project_evidence
from mindport.checking.project import check_paths
from mindport.cli.main import main
from mindport.config.settings import Settings
from mindport.mapping.index import MappingIndex, load_index
from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Applicability

pytestmark = pytest.mark.oracle

TARGET = Target(Version(2, 10, 0), Device.CPU)
TEXT = "import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.{name}(x)\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project whose catalogue has torch.abs without evidence, and torch.relu with a false claim."""
    mapping = msgspec.structs.replace(load_index().find("torch.abs"), evidence=[])
    relu = load_index().find("torch.relu")
    wrong = [
        msgspec.structs.replace(one, after=one.after.replace("relu", "sigmoid")) for one in relu.examples
    ]
    index = MappingIndex.of([mapping, msgspec.structs.replace(relu, examples=wrong)])
    monkeypatch.setattr(project_evidence, "load_index", lambda: index)
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\n")
    monkeypatch.chdir(tmp_path)
    project_evidence._index.cache_clear()
    yield tmp_path
    project_evidence._index.cache_clear()


def fix_of(project, name):
    file = project / f"{name}.py"
    file.write_text(TEXT.format(name=name))
    [report] = check_paths([str(file)], Settings(), TARGET, str(project), use_cache=False)
    found = zip(report.findings, report.fixes, strict=True)
    return next(fix for finding, fix in found if finding.api == f"torch.{name}")


def test_a_run_makes_a_fix_safe_and_a_contradiction_takes_it_away(project, capsys):
    assert fix_of(project, "abs") is Applicability.UNSAFE
    assert fix_of(project, "relu") is Applicability.SAFE
    arguments = ["prove", "torch.abs", "torch.relu", "--device", "CPU", "--interpreter", sys.executable]
    assert main(arguments) == 1
    printed = capsys.readouterr()
    assert "agrees  torch.abs" in printed.out and "DIFFERS torch.relu" in printed.out
    assert fix_of(project, "abs") is Applicability.SAFE
    assert fix_of(project, "relu") is Applicability.UNSAFE
    rows = json.loads((project / "mindport-evidence.json").read_text())["rows"]
    seen = next(row["evidence"] for row in rows if row["api"] == "torch.abs")
    assert (seen["mindspore"], seen["device"], seen["grade"]) == ("2.10.0", "CPU", "run")
    assert seen["samples"] >= 7 and "max_abs" in seen


def test_a_device_that_is_not_there_is_named(project, capsys):
    arguments = ["prove", "torch.abs", "--device", "Ascend", "--interpreter", sys.executable]
    assert main(arguments) == 2
    assert "on Ascend" in capsys.readouterr().err
    assert not (project / "mindport-evidence.json").exists()


def without_times(text):
    rows = json.loads(text)["rows"]
    return [
        {**row, "evidence": {key: value for key, value in row["evidence"].items() if "time" not in key}}
        for row in rows
    ]


def test_shares_put_together_are_one_run(project, capsys):
    names = ("torch.abs", "torch.relu")
    usual = ("--device", "CPU", "--interpreter", sys.executable)
    assert main(["prove", *names, *usual, "-o", "one.json"]) == 1
    one = capsys.readouterr().out
    for number in (1, 2, 3):
        main(["prove", *names, *usual, "--shard", f"{number}/3", "-o", f"{number}.share"])
    capsys.readouterr()
    files = ["3.share", "1.share", "2.share"]
    assert main(["evidence", "merge", *files, "-o", "all.json"]) == 1
    assert capsys.readouterr().out == one
    texts = [(project / name).read_text() for name in ("one.json", "all.json")]
    assert without_times(texts[0]) == without_times(texts[1])
    assert [json.loads((project / file).read_text())["rows"] for file in files].count([]) == 1
