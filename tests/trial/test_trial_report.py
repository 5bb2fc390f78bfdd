"""What is counted, what is said, and what goes into a bundle."""

import json

import pytest

from mindport.prove.trial import original_of
from mindport.prove.trial_outcome import (
    Attempt,
    FileLine,
    StageCount,
    Status,
    TracebackCall,
    TrialOutcome,
    TrialStage,
)
from mindport.report.rows import FindingRow, TargetRow
from mindport.report.text import Painter
from mindport.report.trial import trial_lines, trial_output
from mindport.report.trial_bundle import bundle_of

TARGET = TargetRow(
    root="/home/u/project", version="2.10.0", device="CPU", mode="pynative", reasons=("asked",)
)
ALL = (TrialStage.BUILD, TrialStage.FORWARD, TrialStage.TRAIN)


def entry(name="train.py", status=Status.RUNS, **values):
    return Attempt(name=name, file=name, is_entry=True, status=status, **values)


def module(name="net.py", status=Status.RUNS, reached=(TrialStage.IMPORT,), **values):
    return Attempt(name=name, file=name, is_entry=False, status=status, reached=reached, **values)


def finding(file, line):
    return FindingRow(
        file=file, cell=None, line=line, column=1, end_line=line, end_column=9, code="MP101", severity="error",
        message="there is none", api="torch.qr", confidence="proved", fix=None, depends_on="", related=(),
    )  # fmt: skip


FAILED = entry(
    status=Status.FAILS, stage=TrialStage.FORWARD, reached=(TrialStage.BUILD,), error="TypeError: no",
    port=FileLine("net.py", 12), original=FileLine("net.py", 9),
    calls=(TracebackCall("net.py", 12, "f"),
           TracebackCall("/home/u/.venv/lib/python3/site-packages/mindspore/a.py", 3, "g")),
    printed="a secret",
)  # fmt: skip


@pytest.mark.parametrize(
    ("attempts", "counts"),
    [
        ([], (0, 0, 0, 0)),
        ([module(), module("b.py")], ((2, 2), 0, 0, 0)),
        ([module(), module("b.py", Status.FAILS, (), stage=TrialStage.IMPORT)], ((1, 2), 0, 0, 0)),
        ([module(), module("b.py", Status.NEEDS, (), stage=TrialStage.IMPORT)], ((1, 1), 0, 0, 0)),
        ([entry(reached=ALL)], (0, (1, 1), (1, 1), (1, 1))),
        # Runs to its end without training: nothing of training is known.
        ([entry(reached=ALL[:2])], (0, (1, 1), (1, 1), 0)),
        # A failure is one of all stages from there on.
        ([FAILED], (0, (1, 1), (0, 1), (0, 1))),
        ([entry(status=Status.FAILS, stage=TrialStage.BUILD)], (0, (0, 1), (0, 1), (0, 1))),
        # Failing behind its first step.
        ([entry(status=Status.FAILS, stage=TrialStage.TRAIN, reached=ALL)], (0, (1, 1), (1, 1), (0, 1))),
        # What needs data counts as far as it came.
        ([entry(status=Status.NEEDS, stage=TrialStage.FORWARD, reached=ALL[:1])], (0, (1, 1), 0, 0)),
    ],
)
def test_counts(attempts, counts):
    outcome = TrialOutcome(attempts=tuple(attempts))
    wanted = [StageCount(*(count or (0, 0))) for count in counts]
    assert [outcome.count(stage) for stage in TrialStage] == wanted


@pytest.mark.parametrize(
    ("attempts", "is_known"),
    [
        ([], False),
        ([module()], True),
        ([module(), entry()], True),
        ([module(), entry(status=Status.NEEDS)], False),
        ([entry(), entry(status=Status.NEEDS)], True),
        ([module(status=Status.NEEDS)], False),
    ],
)
def test_whether_anything_is_known(attempts, is_known):
    assert TrialOutcome(attempts=tuple(attempts)).is_known is is_known


def said(*attempts, findings=None, has_original=True):
    lines = trial_lines(TrialOutcome(attempts=attempts), findings or {}, Painter(False), has_original)
    return list(lines)


def test_a_failure_is_said_by_place_of_the_original():
    assert said(FAILED) == [
        "imports 0/0, builds 1/1, forward 0/1, trains 0/1",
        "fails in the forward pass train.py: net.py:9: TypeError: no",
        "  in the port: net.py:12",
        "  no finding: please report (--bundle FILE writes what an issue needs)",
    ]


def test_a_finding_of_that_line_is_said():
    place = FileLine("net.py", 9)
    assert said(FAILED, findings={place: finding("net.py", 9)})[-1] == "  MP101: there is none"
    assert "MP101" not in "".join(said(FAILED, findings={FileLine("net.py", 8): finding("net.py", 8)}))


def test_a_failure_of_many_is_said_once():
    failed = [module(f"{name}.py", Status.FAILS, (), stage=TrialStage.IMPORT, error="E", port=FileLine("a.py", 1))
              for name in "abc"]  # fmt: skip
    lines = said(
        *failed, entry(status=Status.FAILS, stage=TrialStage.BUILD, error="E", port=FileLine("a.py", 1))
    )
    assert [line for line in lines if "a.py:1" in line] == ["does not import a.py: a.py:1: E"]
    assert "  and 3 more at the same place" in lines


def test_failures_without_a_place_stay_apart():
    killed = [
        entry(f"{name}.py", Status.FAILS, stage=TrialStage.BUILD, reason="killed", error="killed")
        for name in "ab"
    ]
    assert said(*killed)[1:] == ["does not build a.py: killed", "does not build b.py: killed"]


@pytest.mark.parametrize(
    ("attempt", "line"),
    [
        (
            entry(status=Status.NEEDS, stage=TrialStage.BUILD, reason="needs data: a\nb"),
            "? train.py: needs data: a b",
        ),
        (entry(), "  train.py: ran to its end; it built no network"),
        (
            entry(reached=ALL[:1]),
            "  train.py: ran to its end; no network was called (give --input with an expression)",
        ),
        (entry(reached=ALL[:2]), "  train.py: ran to its end; no step of an optimizer was seen"),
    ],
)
def test_what_stays_open_is_said(attempt, line):
    assert said(attempt)[1:] == [line]


def test_one_thing_that_many_need_is_said_once():
    many = [entry(f"{name}.py", Status.NEEDS, stage=TrialStage.BUILD, reason="needs a") for name in "abcd"]
    other = entry("e.py", Status.NEEDS, stage=TrialStage.BUILD, reason="needs b")
    module_too = module("a.py", Status.NEEDS, (), stage=TrialStage.IMPORT, reason="needs a")
    assert said(module_too, *many[:3], other)[1:] == ["? a.py, b.py, c.py: needs a", "? e.py: needs b"]
    assert said(*many)[1:] == ["? a.py, b.py, c.py and 1 more: needs a"]


def test_a_port_without_scripts():
    assert said(module())[1:] == ["no script to run was found: name one with --entry"]
    assert said(entry(reached=ALL))[1:] == []


def test_a_bundle_has_no_code_and_no_paths(tmp_path):
    port, original = tmp_path / "port", tmp_path / "original"
    for folder in (port, original):
        folder.mkdir()
        (folder / "net.py").write_text("".join(f"line {number}\n" for number in range(1, 30)))
    attempt = entry(
        status=Status.FAILS, stage=TrialStage.BUILD, error=f"OSError: {port}/x", port=FAILED.port,
        original=FAILED.original, calls=FAILED.calls, printed=f"a secret in {port}",
    )  # fmt: skip
    findings = {FileLine("net.py", 9): finding(f"{original}/net.py", 9)}
    outcome = TrialOutcome(attempts=(attempt, entry("good.py")), python="3.11.0", mindspore="2.10.0")
    document = trial_output(outcome, findings, TARGET, "1.0")
    bundle = bundle_of(document, port, original, False)
    assert str(tmp_path).encode() not in bundle and b"secret" not in bundle and b"/home/u" not in bundle
    content = json.loads(bundle)
    (row,) = content["trial"]["attempts"]
    assert row["error"] == "OSError: PORT/x" and row["finding"]["file"] == "ORIGINAL/net.py"
    assert [call["file"] for call in row["calls"]] == ["net.py", "mindspore/a.py"]
    assert content["trial"]["mindspore"] == "2.10.0" and content["code"] == []
    code = json.loads(bundle_of(document, port, original, True))
    assert "secret in PORT" in code["trial"]["attempts"][0]["printed"]
    assert [(one["side"], one["first"], len(one["lines"])) for one in code["code"]] == [
        ("port", 7, 11), ("original", 4, 11)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("manifest", "found"),
    [
        ({"format": 1, "source": "../original", "files": {}}, True),
        ({"format": 1, "source": "ABSOLUTE", "files": {"a.py": {"source": "1a"}}, "more": 1}, True),
        ({"format": 1, "source": "../nowhere"}, False),
        ({"source": 3}, False),
        ([], False),
        (None, False),
    ],
)
def test_the_original_of_a_manifest(tmp_path, manifest, found):
    (tmp_path / "original").mkdir()
    (tmp_path / "port" / ".mindport").mkdir(parents=True)
    if manifest is not None:
        text = json.dumps(manifest).replace("ABSOLUTE", str(tmp_path / "original"))
        (tmp_path / "port" / ".mindport" / "port.json").write_text(text)
    source = original_of(tmp_path / "port", None)
    assert (source is not None and source.samefile(tmp_path / "original")) is found
