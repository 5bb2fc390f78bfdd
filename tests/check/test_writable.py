"""A fix is promised only where it can be written: the replacement needs its argument twice."""

import pytest

from mindport.checking.analysis import analyse
from mindport.checking.engine import Engine
from mindport.checking.file_report import check_file
from mindport.checking.fixing import fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.source.discovery import full_path
from mindport.source.text import SourceText
from mindport.usage.project import Project

TEXT = "import torch\ny = torch.special.erfcx({})\n"
WRITABLE = ["x", "self.x", "x * 2", "-x", "(x + y)", "load(x)", "x[0]", "(z := x)", "x if x is y else y"]
NOT_WRITABLE = ["*pair", "*load(x)", "**options"]


@pytest.mark.parametrize("argument", [*WRITABLE, *NOT_WRITABLE])
def test_promise_and_fix_agree(argument, target):
    text, name = TEXT.format(argument), full_path("a.py")
    project = Project(full_path("."))
    project.add(name, text)
    engine, rules = Engine(target), RuleFilter(Settings())
    report = check_file(analyse("a.py", SourceText("a.py", text), project, target), text, engine, rules)
    promised = {
        fix
        for finding, fix in zip(report.findings, report.fixes, strict=True)
        if finding.api.endswith("erfcx")
    }
    changed = fix_text("a.py", SourceText("a.py", text), project, engine, rules, unsafe=True).text
    is_fixed = "torch.special" not in changed
    assert is_fixed == (argument in WRITABLE)
    assert (promised == {None}) != is_fixed
