"""What the rules about MindSpore code read, and that they say nothing wrong about code that mindport itself wrote."""

from pathlib import Path

import pytest

from mindport.checking.analysis import analyse
from mindport.checking.engine import Engine
from mindport.checking.file_report import check_file
from mindport.checking.findings import findings_about
from mindport.checking.reporter import Reporter
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.mapping.index import load_index
from mindport.model.finding import Finding
from mindport.model.target import Device, Target, Version
from mindport.source.text import SourceText
from mindport.usage.project import Project

REPOSITORY = Path(__file__).resolve().parents[2]
CPU = Target(Version(2, 10, 0), Device.CPU)
PATH = "/project/module.py"
HELPERS = sorted((REPOSITORY / "mappings" / "_helpers").glob("*.py"))


def project_with(text: str) -> Project:
    project = Project("/project")
    project.add(PATH, text)
    return project


def findings_in(text: str, engine: Engine) -> list[Finding]:
    uses = project_with(text).usage(PATH).mindspore
    return [finding for use in uses for finding in findings_about(use, engine)]


def rules_in(text: str) -> list[str]:
    found = findings_in(text, Engine(CPU, load_index()))
    return [finding.rule for finding in found]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import mindspore as ms\nms.nn.ReLU()\n", ["mindspore.nn.ReLU"]),
        ("import mindspore.nn as nn\nnn.ReLU()\n", ["mindspore.nn.ReLU"]),
        ("import mindspore.nn\nmindspore.nn.ReLU()\n", ["mindspore.nn.ReLU"]),
        ("import mindspore as ms\nnn = ms.nn\nnn.ReLU()\n", ["mindspore.nn", "mindspore.nn.ReLU"]),
        (
            "def f(x):\n    from mindspore import ops\n    return ops.relu(x)\n",
            ["mindspore.ops", "mindspore.ops.relu"],
        ),
        (
            "from mindspore import ops\nclass A:\n    def f(self, x):\n        return ops.relu(x)\n",
            ["mindspore.ops"] * 2,
        ),
        ("from mindspore import ops\ndef f(x, ops):\n    return ops.relu(x)\n", ["mindspore.ops"]),
        ("from mindspore import ops\ndef f(x):\n    ops = x\n    return ops.relu(x)\n", ["mindspore.ops"]),
        ("import mindspore.nn as nn\nimport torch.nn as nn\nnn.ReLU()\n", []),
        ("from .mindspore import ops\nops.relu(1)\n", []),
        ("import mindspore_lite as ms\nms.nn.ReLU()\n", []),
        ("mindspore = load()\nmindspore.nn.ReLU()\n", []),
    ],
)
def test_names_follow_imports(text, names):
    found = [use.name for use in project_with(text).usage(PATH).mindspore]
    assert len(found) == len(names)
    assert all(name.startswith(begin) for name, begin in zip(found, names, strict=True))


@pytest.mark.parametrize(
    "edits",
    [
        [("drop = nn.Dropout(0.1)", "drop = nn.Dropout(0.2)")],
        [("# 张", "# 张\n\n")],
        [("from mindspore import nn, ops", "from torch import nn, ops")],
        [
            ("from mindspore import nn, ops", "from torch import nn"),
            ("from torch import nn", "from mindspore import nn"),
        ],
        [("t.add_(1)", "t.add_(1")],
        [("t.add_(1)", "t.add_(1"), ("t.add_(1", "t.add_(2)")],
    ],
)
def test_an_edited_file_equals_a_fresh_one(edits):
    text = (
        "from mindspore import nn, ops\n# 张\nclass A:\n    def f(self, x):\n        s = '张'; drop = nn.Dropout(0.1)\n"
        "        t = ops.zeros((3,))\n        t.add_(1)\n        return drop\n"
    )
    project = project_with(text)
    engine, rules = Engine(CPU, load_index()), RuleFilter(Settings(), "/project")
    live = Reporter(engine, rules, PATH)
    live.report(analyse(PATH, SourceText(PATH, text), project, engine.target), text)
    for before, after in edits:
        assert before in text
        text = text.replace(before, after)
        project.add(PATH, text)
        file = analyse(PATH, SourceText(PATH, text), project, engine.target)
        usage = file.usage
        found = live.report(file, text).findings
        batch = check_file(file, text, engine, rules).findings
        assert [(one.rule, one.span) for one in found] == [(one.rule, one.span) for one in batch]
    if not project.problems(PATH):
        assert usage.mindspore == project_with(text).usage(PATH).mindspore
    else:
        assert usage.mindspore


def test_the_span_is_the_name():
    text = "from mindspore import nn\nx = '张'; y = [nn.Dropout(0.1)]\n"
    (finding,) = findings_in(text, Engine(CPU, load_index()))
    line = text.split("\n")[finding.span.line - 1]
    assert line[finding.span.column : finding.span.end_column] == "nn.Dropout"


def test_a_failing_rule_does_not_hide_the_others(monkeypatch):
    text = "from mindspore import nn\ny = nn.Dropout(0.1)\n"
    engine = Engine(CPU, load_index())
    monkeypatch.setattr(type(engine.mindspore), "deprecation", lambda *_: 1 / 0)
    found = findings_in(text, engine)
    assert {finding.rule for finding in found} >= {"MP501", "MP903"}


@pytest.mark.parametrize("helper", HELPERS, ids=lambda helper: helper.stem)
def test_what_fixes_define_is_not_reported(helper):
    # A name that the target marks as deprecated still does what the helper needs.
    assert set(rules_in(helper.read_text())) <= {"MP508"}


def test_there_are_helpers():
    assert len(HELPERS) > 50
