"""Arguments that a layer gets by name: MindSpore's layers have other names, in the same order."""

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

WRITTEN = {
    "one": ("nn.Linear(3, 4)", "m(input=x)", "m(x)"),
    "two": ("nn.MSELoss()", "m(input=x, target=t)", "m(x, t)"),
    "behind one by position": ("nn.MSELoss()", "m(x, target=t)", "m(x, t)"),
    "the rest by name": ("nn.LSTM(3, 4)", "m(input=x, hx=h)", "m(x, hx=h)"),
    "of the method": ("nn.MSELoss()", "m.forward(input=x, target=t)", "m.construct(x, t)"),
    "of the method, by position": ("nn.MSELoss()", "m.forward(x, t)", "m.construct(x, t)"),
    "space and comments": (
        "nn.MSELoss()",
        "m(\n    input = x,  # first\n    target=(t),\n)",
        "m(\n    x,  # first\n    (t),\n)",
    ),
    "calls inside": ("nn.ReLU()", "m(input=torch.relu(x))", "m(ops.relu(x))"),
}
KEPT = {
    "another order": ("nn.MSELoss()", "m(target=t, input=x)", "MP106"),
    "stars may hold the first": ("nn.MSELoss()", "m(*xs, target=t)", "MP106"),
    "a mapping may hold more": ("nn.MSELoss()", "m(input=x, **more)", "MP106"),
    "the same name behind one by position": ("nn.ConvTranspose2d(3, 2, 3)", "m(x, output_size=(7, 7))", ""),
    "the same names": ("nn.MultiheadAttention(4, 2)", "m(query=x, key=x, value=x)", ""),
    "the same names, and more": ("nn.MultiheadAttention(4, 2)", "m(query=x, key=x, value=x, **more)", ""),
    "no names": ("nn.MSELoss()", "m(x, t)", ""),
}


def findings_and_text(layer, call, target):
    """The codes of the findings in the line of the call, and what fixing makes of the call."""
    text = f"import torch\nfrom torch import nn\n\nm = {layer}\ny = {call}\n"
    project, path = Project(full_path(".")), full_path("a.py")
    project.add(path, text)
    engine, rules = Engine(target), RuleFilter(Settings())
    report = check_file(analyse("a.py", SourceText("a.py", text), project, target), text, engine, rules)
    fixed = fix_text("a.py", SourceText("a.py", text), project, engine, rules).text
    codes = [finding.rule for finding in report.findings if finding.span.line >= 5]
    return codes, fixed[fixed.rindex("y = ") + 4 : -1]


@pytest.mark.parametrize(("layer", "call", "expected"), WRITTEN.values(), ids=WRITTEN.keys())
def test_they_are_written_by_place(layer, call, expected, target):
    codes, fixed = findings_and_text(layer, call, target)
    assert set(codes) == {"MP110"}
    assert fixed == expected


@pytest.mark.parametrize(("layer", "call", "code"), KEPT.values(), ids=KEPT.keys())
def test_what_has_no_place_is_told_and_stays(layer, call, code, target):
    codes, fixed = findings_and_text(layer, call, target)
    assert codes == [code] * bool(code)
    assert fixed == call
