"""What a mask selects is written with a fixed shape only where that is the same."""

import pytest
from selections import FIXED, HEAD, LEFT, function

from mindport.checking.analysis import Analysed
from mindport.checking.engine import Engine
from mindport.checking.file_report import check_file
from mindport.checking.fixing import fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.target import Device, Mode, Target, Version
from mindport.model.verdict import Applicability
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose
from mindport.rewrite.fixed_shapes import fixed_shapes
from mindport.source.text import SourceText
from mindport.usage.project import Project

PATH = "/project/module.py"


def usage_of(text):
    project = Project("/project")
    project.add(PATH, text)
    assert not project.problems(PATH)
    return project.usage(PATH)


def target(mode):
    return Target(Version.parse("2.10.0"), Device.CPU, mode)


def fixed(text, mode=Mode.GRAPH, unsafe=False, **settings):
    project = Project("/project")
    project.add(PATH, text)
    rules = RuleFilter(Settings(**settings))
    return fix_text(PATH, SourceText(PATH, text), project, Engine(target(mode)), rules, unsafe=unsafe)


@pytest.mark.parametrize(("before", "after", "is_safe"), FIXED, ids=[row[0] for row in FIXED])
def test_a_selection_is_written_with_a_fixed_shape(before, after, is_safe):
    text = function(before)
    usage = usage_of(text)
    (one,) = fixed_shapes(text, usage)
    changed = apply_edits(text, compose(text, [one.rewrite], usage, PATH))
    assert changed.splitlines()[-1] == f"    return {after}"
    assert (one.rewrite.applicability is Applicability.SAFE) is is_safe


@pytest.mark.parametrize(("first", "value"), LEFT, ids=[f"{first} {value}".strip() for first, value in LEFT])
def test_other_selections_have_no_safe_fix(first, value):
    text = function(value, first)
    found = fixed_shapes(text, usage_of(text))
    assert not [one for one in found if one.rewrite.applicability is Applicability.SAFE]


@pytest.mark.parametrize(
    "loop", ["for _ in range(3):\n        {}", "while x.sum() > 1:\n        {}"], ids=["for", "while"]
)
def test_a_loop_may_change_what_a_mask_was_made_of(loop):
    body = "y = y + x[m].sum()\n        x = x[1:]"
    text = f"{HEAD}    m = x > 0\n    {loop.format(body)}\n    return y\n"
    (one,) = fixed_shapes(text, usage_of(text))
    assert one.rewrite.applicability is Applicability.UNSAFE


@pytest.mark.parametrize("mode", Mode)
def test_only_a_graph_is_fixed_unasked(mode):
    text = function("len(x[y > 0])")
    assert ("int((y > 0).sum())" in fixed(text, mode).text) is (mode is Mode.GRAPH)


def test_fixing_twice_changes_nothing():
    text = function("x[x > 0].mean() + torch.masked_select(x, y > 0).sum()")
    once = fixed(text, unsafe=True).text
    assert "torch" not in once and fixed(once, unsafe=True).text == once


def test_a_fix_that_is_suppressed_or_not_selected_is_not_made():
    text = function("len(x[y > 0])  # mindport: ignore[MP302]")
    assert "len(" in fixed(text).text
    assert "len(" in fixed(function("len(x[y > 0])"), ignore=("MP302",)).text


@pytest.mark.parametrize("mode", Mode)
def test_the_report_says_what_can_be_fixed(mode):
    text = function("len(x[y > 0]) + x[y > 0].sum() + x[y > 0].max()")
    file = Analysed("net.py", SourceText("net.py", text), usage_of(text))
    report = check_file(file, text, Engine(target(mode)), RuleFilter(Settings()))
    fixes = [
        fix for finding, fix in zip(report.findings, report.fixes, strict=True) if finding.rule == "MP302"
    ]
    wanted = [Applicability.SAFE, Applicability.UNSAFE, None]
    assert fixes == (wanted if mode is Mode.GRAPH else [None] * 3)


def test_a_fix_counts_once():
    text = "import torch\ndef f(x: torch.Tensor):\n    return len(torch.where(x > 0)[0])\n"
    result = fixed(text, select=("MP301",))
    assert "int((x > 0).sum())" in result.text and result.applied == 1
