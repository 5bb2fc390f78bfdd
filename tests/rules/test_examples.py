"""Every rule has a page and examples, and its examples are reported, or not, as they say."""

import itertools

import pytest

from mindport.checking.analysis import analyse
from mindport.checking.engine import Engine
from mindport.checking.reporter import Reporter
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.finding import Severity
from mindport.model.target import Device, Mode, Target, Version
from mindport.rules.discover import all_rules
from mindport.source.text import SourceText
from mindport.usage.project import Project

HEADINGS = ("What it does", "Why it matters", "Example", "Use instead", "Fix safety", "References")
OPTIONAL = {"Fix safety"}
EXAMPLES = [
    pytest.param(rule.code, example, id=f"{rule.code}-{index}")
    for rule in all_rules().values()
    for index, example in enumerate(rule.examples)
]
STABLE = """
    MP101 silent-difference error            MP102 no-equivalent warning
    MP103 target-version-too-old warning     MP104 device-unsupported warning
    MP105 library-built-on-torch warning     MP106 argument-differs warning
    MP107 needs-composition warning          MP108 deprecated-target warning
    MP109 depends-on-unknown-value information
    MP110 plain-rename hint                  MP111 guessed-receiver hint
    MP112 name-not-judged information        MP113 unknown-torch-name warning
    MP114 torch-name-in-config information   MP115 dynamic-torch-name information
    MP116 training-step-too-free warning
    MP201 second-order-bprop-missing error   MP202 second-order-wrong error
    MP203 second-order-view-hazard error     MP204 second-order-refused error
    MP205 second-order-unknown information
    MP301 dynamic-result hint                MP302 dynamic-mask hint
    MP303 dynamic-slice hint                 MP304 dynamic-count hint
    MP305 dynamic-index hint                 MP306 dynamic-segments hint
    MP307 dynamic-axis hint                  MP308 value-as-size hint
    MP309 branches-differ-in-shape hint      MP310 varying-batch hint
    MP311 smaller-last-batch hint
    MP320 sparse-tensor information
    MP401 graph-refused warning              MP402 graph-effect-lost error
    MP403 graph-value-frozen error           MP404 graph-result-differs error
    MP405 graph-gradient-lost error
    MP501 mindspore-dropout-keep-prob error  MP502 mindspore-no-kernel warning
    MP503 mindspore-in-place-lost error      MP504 mindspore-convolution-defaults warning
    MP505 mindspore-batch-norm-momentum error
    MP506 mindspore-name-missing warning     MP508 mindspore-name-deprecated information
    MP509 mindspore-compile-option warning   MP510 mindspore-whole-graph information
    MP601 torch-in-data-code information
    MP701 mixed-precision hint               MP702 gradient-accumulation hint
    MP703 activation-checkpointing hint      MP704 distributed-training hint
    MP705 training-log hint                  MP706 profiling hint
    MP707 automatic-augmentation hint        MP708 model-compression hint
    MP709 debugging hint                     MP710 static-graph hint
    MP901 syntax-error error                 MP902 unreadable-file error
    MP903 internal-error warning             MP904 unused-suppression warning
    MP905 file-too-large warning
"""


def test_codes_names_and_severities_are_stable():
    found = [word for rule in all_rules().values() for word in (rule.code, rule.name, rule.severity.label)]
    assert found == STABLE.split()


@pytest.mark.parametrize("code", all_rules())
def test_a_page_has_its_headings_in_order(code):
    page = all_rules()[code].page
    lines = page.split("\n")
    assert lines[0].endswith(".") and len(lines[0]) <= 110
    found = [line for line, below in itertools.pairwise(lines) if set(below) == {"-"}]
    assert found == [heading for heading in HEADINGS if heading in found]
    assert set(HEADINGS) - set(found) <= OPTIONAL
    assert all(len(below) == len(line) for line, below in itertools.pairwise(lines) if set(below) == {"-"})


@pytest.mark.parametrize(
    "code",
    [
        code
        for code in all_rules()
        if code.startswith(("MP1", "MP2", "MP3", "MP4", "MP5", "MP6")) and code != "MP114"
    ],
)
def test_a_rule_has_a_negative_example(code):
    assert any(not example.reports for example in all_rules()[code].examples)


@pytest.mark.parametrize(("code", "example"), EXAMPLES)
def test_examples_are_reported_as_they_say(code, example):
    project = Project("/project")
    project.add("/project/module.py", example.code)
    assert not project.problems("/project/module.py")
    engine = Engine(Target(Version.parse(example.version), Device(example.device), Mode(example.mode)))
    path = "/project/module.py"
    file = analyse(path, SourceText(path, example.code), project, engine.target)
    everything = RuleFilter(Settings(select=("ALL",)))
    findings = Reporter(engine, everything, path).report(file, example.code).findings
    assert (code in {finding.rule for finding in findings}) is example.reports
    for finding in findings:
        assert finding.severity is all_rules()[finding.rule].severity_in(engine.target.mode)
        assert str(engine.target.version) in finding.message or finding.severity is Severity.HINT
        assert "\n" not in finding.message and len(finding.message) < 400
