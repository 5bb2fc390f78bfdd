"""The trace of a project: what `check`, `fix` and `port` make of it, and of one that is stale, broken or hostile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindport.checking.analysis import uses_of_files
from mindport.checking.engine import Engine
from mindport.checking.fixing import fix_paths
from mindport.checking.project import check_paths
from mindport.checking.project_trace import project_trace
from mindport.cli.main import main
from mindport.config.problem import ConfigurationError
from mindport.config.settings import DEFAULT_TRACE, Settings
from mindport.explain.card import api_card
from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Applicability
from mindport.usage.seen.run import digest_of

CPU = Target(Version(2, 10, 0), Device.CPU)
TEXT = "import torch\n\n\ndef f(x):\n    return x.size()\n"
TENSOR = {"types": ["torch.Tensor"], "tensor": {"dtypes": ["torch.float32"], "shape": [2, None]}}


def trace_of(*files: dict, **changes) -> dict:
    """A trace of `net.py`, in which `f` got a tensor."""
    function = {"name": "f", "line": 4, "times": 3, "parameters": {"x": TENSOR}}
    seen = {"net.py": {"sha256": digest_of(TEXT), "functions": [function]}}
    trace = {
        "format": 1, "mindport": "0", "command": ["net.py"], "python": "3.11", "torch": "2.13.0", "has_columns": True,
        "ending": "exit", "steps": 0, "seconds": 0.5, "files": seen,
    }  # fmt: skip
    return {**trace, **changes}


def write(root: Path, trace: object) -> None:
    place = root / DEFAULT_TRACE
    place.parent.mkdir(exist_ok=True)
    place.write_text(trace if isinstance(trace, str) else json.dumps(trace))


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text("[tool.mindport]\ndevice = 'CPU'\n")
    Path("net.py").write_text(TEXT)
    return tmp_path


def findings(root: Path, settings: Settings | None = None) -> list[tuple[str, str, Applicability | None]]:
    [report] = check_paths([str(root / "net.py")], settings or Settings(), CPU, str(root), use_cache=True)
    return [
        (one.rule, one.message, fix)
        for one, fix in zip(report.findings, report.fixes, strict=True)
        if one.api
    ]


def test_findings_say_what_was_seen_and_their_fixes_are_not_safe(project):
    assert {rule for rule, _, _ in findings(project)} == {"MP111"}
    write(project, trace_of())
    found = findings(project)
    assert found and "MP111" not in {rule for rule, _, _ in found}
    assert all("seen in a run" in message for _, message, _ in found)
    assert {fix for _, _, fix in found} <= {Applicability.UNSAFE, None}
    assert {rule for rule, _, _ in findings(project, Settings(trace_file=""))} == {"MP111"}


def test_a_stale_trace_counts_no_more_and_that_is_said(project, capfd):
    write(project, trace_of())
    assert main(["check", "."]) in (0, 1)
    assert "changed since" not in capfd.readouterr().err
    Path("net.py").write_text(TEXT + "\n")
    assert {rule for rule, _, _ in findings(project)} == {"MP111"}
    main(["check", "."])
    assert (
        "changed since `mindport trace`, so what was seen there does not count: net.py"
        in capfd.readouterr().err
    )


def test_fixes_that_rest_on_a_run_are_made_where_unsafe_ones_are(project):
    write(project, trace_of())

    def fixed(unsafe: bool) -> str:
        [one] = fix_paths(["net.py"], Settings(), CPU, ".", unsafe=unsafe, allow_dirty=True)
        return one.after.text

    assert fixed(unsafe=False) == TEXT
    assert "return x.shape" in fixed(unsafe=True)


def test_a_port_has_no_trace_of_what_it_was(project, tmp_path_factory):
    write(project, trace_of())
    Path(".mindport/notes.txt").write_text("kept\n")
    port = tmp_path_factory.mktemp("port") / "net"
    assert main(["port", ".", "-o", str(port), "--no-report"]) in (0, 1)
    assert not (port / DEFAULT_TRACE).exists() and (port / ".mindport/notes.txt").exists()


def test_the_card_says_what_was_seen(project):
    call = {
        "place": [5, 11, 5, 19], "name": "torch.Tensor.size", "times": 3,
        "arguments": [TENSOR], "result": {"types": ["torch.Size"], "values": [[2, 3]]},
    }  # fmt: skip
    write(project, trace_of(files={"net.py": {"sha256": digest_of(TEXT), "calls": [call]}}))
    [file] = uses_of_files(["net.py"], Settings(), ".", {}, CPU)
    [use] = [use for use in file.usage.uses if use.api == "torch.Tensor.size"]
    engine = Engine(CPU)
    card = api_card(engine.assess(use).judgement, use, CPU)
    assert "Seen in a run: `float32[2, *]`; `-> (2, 3)`." in card
    assert "The type of the value is seen in a run." in card


BROKEN = [
    ("", "truncated"),
    ("{", "truncated"),
    ("[]", "Expected `object`"),
    ('{"format": 1, "files": ' + "[" * 100_000, "nested too deeply"),
    ("\x00\xff", "malformed"),
    (trace_of(format=2), "format 2 is not known"),
    (trace_of(format="1"), r"Expected `int`, got `str` - at `\$.format`"),
    (trace_of(steps=-1), r"Expected `int` >= 0 - at `\$.steps`"),
    (trace_of(ending="gone"), r"Invalid enum value 'gone' - at `\$.ending`"),
    (trace_of(files=[]), r"at `\$.files`"),
    (trace_of(files={"net.py": {"sha256": "", "calls": [{"place": [1, 2], "name": "x", "times": 1}]}}),
     r"at `\$.files\[...\].calls\[0\].place`"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "reason"), BROKEN)
def test_a_broken_trace_is_told_with_the_place(project, content, reason):
    write(project, content)
    with pytest.raises(ConfigurationError, match=f"trace.json: no trace of `mindport trace`: .*{reason}"):
        project_trace(Settings(), str(project))
    assert main(["check", "."]) == 2


HOSTILE = [
    {"../../etc/passwd": {"sha256": digest_of(TEXT)}},
    {"net.py": {"sha256": digest_of(TEXT), "functions": [{"name": "f.g.h" * 99, "line": 9**9, "times": 1}]}},
    {"net.py": {"sha256": digest_of(TEXT), "calls": [
        {"place": [10**6, 10**6, 1, 0], "name": "a" * 10_000, "times": 1, "arguments": [TENSOR] * 50}]}},
    {"net.py": {"sha256": digest_of(TEXT), "calls": [
        {"place": [5, 11, 5, 19], "name": "torch.Tensor.size", "times": 1, "arguments": [
            {"types": [":", "net.py:", "x:y:z", "..", "torch", "torch."]}, {"types": [], "values": [[], {}]}]}]}},
    {"net.py": {"sha256": digest_of(TEXT), "classes": [{"name": "", "attributes": {"": TENSOR}}]}},
]  # fmt: skip


@pytest.mark.parametrize("files", HOSTILE)
def test_what_no_run_can_have_shown_does_no_harm(project, files):
    write(project, trace_of(files=files))
    assert {rule for rule, _, _ in findings(project)} == {"MP111"}


def test_what_is_no_regular_file_is_not_read(project):
    (project / DEFAULT_TRACE).mkdir(parents=True)
    assert project_trace(Settings(), str(project)) is None


def test_kept_results_are_of_the_same_trace(project):
    write(project, trace_of())
    assert "MP111" not in {rule for rule, _, _ in findings(project)}
    write(project, trace_of(files={}))
    assert {rule for rule, _, _ in findings(project)} == {"MP111"}
