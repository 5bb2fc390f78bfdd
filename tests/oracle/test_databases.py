"""PyTorch's own samples judge the catalogue: a fixed part of them here, all of them by
`scripts/run_oracles.py --database all`."""

import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.oracle
torch = pytest.importorskip("torch")
sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "scripts")]

from databases import modules, operators, optimizers  # noqa: E402  after the path is set
from databases.call_source import ArgumentWriter, NotWritable, Sample, Unwritten  # noqa: E402
from databases.rewriting import Rewritten, rewritten  # noqa: E402
from databases.run import DATABASES, drawn, judge_samples, make_samples  # noqa: E402
from databases.verdicts import MODEL_RELEVANT, Judged, Verdict, figures, report, verdict_of  # noqa: E402

WRITTEN = [
    (3, "3"),
    (True, "True"),
    (None, "None"),
    (-0.5, "-0.5"),
    (1e-12, "1e-12"),
    (float("inf"), 'float("inf")'),
    (float("nan"), 'float("nan")'),
    (2 + 3j, "(2+3j)"),
    ("mean", "'mean'"),
    ((1,), "(1,)"),
    ((), "()"),
    ([1, (2, 3.0)], "[1, (2, 3.0)]"),
    (torch.Size([2, 3]), "(2, 3)"),
    (torch.float32, "torch.float32"),
    (torch.device("cpu"), "'cpu'"),
    (torch.contiguous_format, "torch.contiguous_format"),
    ({"a": 1}, "{'a': 1}"),
]


@pytest.mark.parametrize(("value", "text"), WRITTEN)
def test_values_are_written_out(value, text):
    assert ArgumentWriter().text(value) == text
    assert repr(eval(text, {"torch": torch})) == repr(value) or isinstance(value, (torch.Size, torch.device))


@pytest.mark.parametrize(
    "value", [lambda x: x, object(), torch.eye(2).to_sparse(), torch.ones(2, dtype=torch.bfloat16)]
)
def test_what_has_no_source_is_said(value):
    with pytest.raises(NotWritable):
        ArgumentWriter().text(value)


def test_tensors_become_variables_each_once():
    writer = ArgumentWriter()
    x, y = torch.ones(2, requires_grad=True), torch.zeros((), dtype=torch.int64)
    assert writer.arguments((x, [y, x]), {"other": y}) == "x0, [x1, x0], other=x1"
    assert writer.parameters() == "x0: torch.Tensor, x1: torch.Tensor"
    assert writer.gradient_of == ["x0"] and writer.arrays["x1"]["shape"] == []


def test_indices_are_written_as_python_has_them():
    writer = ArgumentWriter()
    assert writer.index((slice(None, 2), None, Ellipsis, slice(1, None, 3), 4)) == ":2, None, ..., 1::3, 4"
    assert writer.index(torch.tensor([1])) == "x0"


def test_a_spread_has_both_ends_and_is_always_the_same():
    assert operators.spread(list("abcdefg"), 3) == [(0, "a"), (3, "d"), (6, "g")]
    assert (
        operators.spread(list("abc"), 0) == operators.spread(list("abc"), 5) == [(0, "a"), (1, "b"), (2, "c")]
    )
    assert operators.spread(list("abc"), 1) == [(0, "a")]


SHARE = 0.15  # of at most three samples for each form of an entry: what two cores do in two minutes
SOURCE = "import torch\n\n\ndef call(x0: torch.Tensor):\n    return {}\n"
REWRITTEN = [
    ("torch.abs(x0)", "safe", "ops.abs(x0)"),
    ("x0.abs()", "as it is", "x0.abs()"),
    ("torch.no_such_name(x0)", "refused", "torch.no_such_name(x0)"),
    ("torch.std(x0, 0, out=x0)", "refused", "torch.std(x0, 0, out=x0)"),
]


@pytest.mark.parametrize(("call", "grade", "text"), REWRITTEN)
def test_sources_are_rewritten_as_fix_does(call, grade, text):
    found = rewritten(SOURCE.format(call))
    assert (found.grade, bool(found.reason)) == (grade, grade == "refused") and text in found.text


def test_every_outcome_has_a_class():
    outcomes = {
        Verdict.EQUAL: {"status": "agree"},
        Verdict.VALUE: {"status": "differ", "kind": "value"},
        Verdict.GRADIENT: {"status": "differ", "kind": "gradient"},
        Verdict.STRUCTURE: {"status": "differ", "kind": "structure"},
        Verdict.RAISES: {"status": "failed", "kind": ""},
        Verdict.GRADIENT_RAISES: {"status": "failed", "kind": "gradient"},
        Verdict.TORCH: {"status": "illegal"},
        Verdict.CRASH: {"status": "crashed"},
    }
    assert [verdict_of(outcome) for outcome in outcomes.values()] == list(outcomes)


def row(verdict, grade="safe", form="function", label="abs"):
    return Judged("opinfo", label, form, 0, verdict, grade)


def test_figures_count_what_torch_can_run():
    rows = [row(Verdict.EQUAL), row(Verdict.EQUAL, "unsafe"), row(Verdict.VALUE, "unsafe", "in-place")]
    rows += [row(Verdict.REFUSED, "refused"), row(Verdict.TORCH), row(Verdict.UNWRITTEN, "")]
    found = figures(rows)
    assert (found.samples, found.equal, found.equal_by_safe_fixes) == (4, 0.5, 0.25)
    assert (found.silently_wrong, found.silently_wrong_by_safe_fixes) == (0.25, 0.0)
    assert (found.silently_wrong_in_place, found.refused, found.raises) == (1, 0.25, 0.0)
    text = report(rows)
    assert "all samples: 4 samples, 50.0% fully equal" in text and "## wrong value: 1 samples" in text


def test_the_databases_are_whole():
    assert (len(operators.entries()), len(modules.entries()), len(optimizers.entries())) == (702, 114, 15)
    labels = {database.label_of(one) for database in DATABASES.values() for one in database.entries()}
    assert len(MODEL_RELEVANT) >= 159 and labels >= MODEL_RELEVANT


WRONG = "import mindspore\nfrom mindspore import ops\n\n\ndef call(x0):\n    return {}\n"


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        ("ops.tanh(x0)", Verdict.EQUAL),
        ("ops.sigmoid(x0)", Verdict.VALUE),
        ("ops.stop_gradient(ops.tanh(x0))", Verdict.GRADIENT),
        ("ops.tanh(x0).sum()", Verdict.STRUCTURE),
        ("ops.no_such_name(x0)", Verdict.RAISES),
    ],
)
def test_wrong_replacements_are_told_apart(monkeypatch, after, verdict):
    from databases import run

    [sample] = [
        one
        for one in make_samples(["opinfo"], lambda label: label == "tanh", 1)
        if isinstance(one, Sample) and one.form == "function"
    ]
    monkeypatch.setattr(run, "rewritten", lambda source: Rewritten(WRONG.format(after), "safe"))
    assert [one.verdict for one in judge_samples([sample], 1)] == [verdict]


def test_a_fixed_part_of_the_samples_meets_the_floors():
    """The floors leave room for the draw; docs/architecture.md has the figures of a larger part."""
    samples = drawn(make_samples(DATABASES, lambda label: True, 3), SHARE)
    assert not all(isinstance(one, Unwritten) for one in samples)
    rows = judge_samples(samples, 2)
    everything = figures(rows)
    relevant = figures([one for one in rows if one.label in MODEL_RELEVANT])
    print(report(rows))
    assert everything.samples > 300 and relevant.samples > 50
    assert everything.equal >= 0.70 and relevant.equal >= 0.80
    assert everything.silently_wrong_by_safe_fixes < 0.01 and relevant.silently_wrong_by_safe_fixes < 0.01
    assert everything.silently_wrong_in_place == 0
