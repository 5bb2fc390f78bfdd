"""Which kind of finding a judgement leads to: one for each use, the most harmful first, guesses and guards last."""

import pytest

from mindport.checking.engine import Engine
from mindport.checking.findings import findings_about
from mindport.mapping.judgement import Difference, DifferenceKind, Judgement
from mindport.mapping.schema import Case, CatalogueNames, Mapping
from mindport.model.span import Span
from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Confidence, Verdict
from mindport.rules.discover import all_rules
from mindport.rules.outcome import Outcome, outcome_of
from mindport.usage.api_use import ApiUse, Form

TARGET = Target(Version(2, 10), Device.CPU)
SPAN = Span(1, 0, 1, 9)


def use(api="torch.cat", form=Form.CALL, **changes):
    return ApiUse(api, form, SPAN, SPAN, **changes)


def judged(verdict, case=None, **changes):
    return Judgement("torch.cat", TARGET, verdict, case=case, **changes)


def open_between(*cases):
    mapping = Mapping(CatalogueNames(function="torch.cat"), "joins", list(cases))
    return judged(Verdict.DIFFERS, mapping=mapping, possible=tuple(range(len(cases))), depends_on=("dim",))


SAME, NONE = Case("same"), Case("none", why="there is none.")
RENAMED, SILENT = Case("renamed", call="mindspore.ops.cat"), Case("differs", silent="it is smaller")
LOST = Difference(DifferenceKind.MISSING, "out", matters=True)
HARMLESS = Difference(DifferenceKind.RENAMED, "dim", "axis", matters=True)

OUTCOMES = [
    (use(), judged(Verdict.SAME, SAME), Outcome.NOTHING),
    (use(), judged(Verdict.SAME, SAME, differences=(LOST,)), Outcome.ARGUMENT),
    (use(), judged(Verdict.SAME, SAME, silent="it is smaller"), Outcome.SILENT),
    (use(), judged(Verdict.RENAMED, RENAMED), Outcome.RENAMED),
    (use(), judged(Verdict.RENAMED, RENAMED, differences=(HARMLESS,)), Outcome.RENAMED),
    (use(), judged(Verdict.RENAMED, RENAMED, differences=(LOST,)), Outcome.ARGUMENT),
    (use(), judged(Verdict.RENAMED, RENAMED, deprecated="2.9: use other"), Outcome.DEPRECATED),
    (use(), judged(Verdict.EQUIVALENT, RENAMED), Outcome.RENAMED),
    (use(), judged(Verdict.COMPOSED, RENAMED), Outcome.COMPOSED),
    (use(), judged(Verdict.DIFFERS, RENAMED), Outcome.ARGUMENT),
    (use(), judged(Verdict.DIFFERS, SILENT, silent="it is smaller"), Outcome.SILENT),
    (use(), judged(Verdict.NONE, NONE), Outcome.ABSENT),
    (use(), judged(Verdict.NONE, version_reason="since 2.11"), Outcome.TOO_OLD),
    (use(), judged(Verdict.NONE, device_reason="Ascend only"), Outcome.NOT_ON_DEVICE),
    (use(), judged(Verdict.NOT_JUDGED), Outcome.NOT_JUDGED),
    (use("torch.no_such_name"), judged(Verdict.NOT_JUDGED), Outcome.UNKNOWN_NAME),
    (use("torchvision.no_such_name"), judged(Verdict.NOT_JUDGED), Outcome.NOT_JUDGED),
    (use(), open_between(SAME, RENAMED), Outcome.DEPENDS),
    (use(), open_between(SILENT, RENAMED), Outcome.DEPENDS),
    (use(), open_between(SILENT, SILENT), Outcome.SILENT),
    (use(), open_between(NONE, NONE), Outcome.ABSENT),
    (use(guarded=True), judged(Verdict.DIFFERS, SILENT, silent="x"), Outcome.NOTHING),
    (use(confidence=Confidence.GUESSED), judged(Verdict.DIFFERS, SILENT, silent="x"), Outcome.GUESSED),
    (use(confidence=Confidence.GUESSED), judged(Verdict.SAME, SAME), Outcome.NOTHING),
    (use(confidence=Confidence.INFERRED), judged(Verdict.NONE, NONE), Outcome.ABSENT),
    (use(form=Form.IMPORT), judged(Verdict.NONE, NONE), Outcome.NOTHING),
    (use("torch.no_such_name", Form.IMPORT), judged(Verdict.NOT_JUDGED), Outcome.UNKNOWN_NAME),
    (use("timm", Form.IMPORT, library="timm"), judged(Verdict.NONE), Outcome.LIBRARY),
    (use("timm.create_model", library="timm"), judged(Verdict.NONE), Outcome.NOTHING),
    (use(form=Form.CONFIG), judged(Verdict.SAME, SAME), Outcome.CONFIG),
    (use(form=Form.DYNAMIC), judged(Verdict.NOT_JUDGED), Outcome.DYNAMIC),
]


@pytest.mark.parametrize(("one", "judgement", "outcome"), OUTCOMES)
def test_each_use_has_one_outcome(one, judgement, outcome):
    assert outcome_of(one, judgement) is outcome


def test_every_outcome_but_nothing_has_its_rule():
    spoken_for = [rule.outcome for rule in all_rules().values() if rule.outcome is not None]
    assert sorted(spoken_for, key=lambda one: one.value) == sorted(
        set(Outcome) - {Outcome.NOTHING}, key=lambda one: one.value
    )


def test_every_message_is_short_and_names_the_target():
    speakers = {rule.outcome: rule for rule in all_rules().values() if rule.check is not None}
    for one, judgement, outcome in OUTCOMES:
        if outcome is Outcome.NOTHING:
            continue
        message = speakers[outcome].check(one, judgement)
        assert message and "\n" not in message and not message.endswith(".")
        target = (
            "CPU with MindSpore 2.10.0" if outcome is Outcome.NOT_ON_DEVICE else "MindSpore 2.10.0 on CPU"
        )
        assert target in message or one.library or outcome is Outcome.CONFIG


@pytest.mark.parametrize(
    ("version", "written", "message"),
    [
        ("2.10", "ops.cat", "torch.cat is `mindspore.ops.cat` on MindSpore 2.10.0 on CPU"),
        ("2.7", "ops.cat", "torch.cat is `mindspore.ops.cat` on MindSpore 2.7.0 on CPU"),
        (
            "2.4",
            "ops.cat",
            "torch.cat is listed as `mindspore.ops.cat` on MindSpore 2.4.0 on CPU (not run there)",
        ),
        (
            "2.6",
            "ops.cat",
            "torch.cat would be `mindspore.ops.cat` on MindSpore 2.6.0 on CPU (not run there)",
        ),
        (
            "2.6",
            "mint.cat",
            "torch.cat is listed as `mindspore.mint.cat` on MindSpore 2.6.0 on CPU (not run there)",
        ),
    ],
)
def test_what_is_said_of_a_release_that_was_never_run_is_hedged(version, written, message):
    name = f"mindspore.{written}"
    target = Target(Version.parse(version), Device.CPU)
    case = Case("renamed", call=name)
    judgement = Judgement("torch.cat", target, Verdict.RENAMED, case=case, mindspore_name=name)
    assert all_rules()["MP110"].check(use(), judgement) == message


def test_a_failing_rule_is_reported_and_the_others_go_on():
    import msgspec

    def fail(use, judgement):
        raise RuntimeError("broken")

    rules = dict(all_rules())
    first = rules["MP113"]
    rules["MP199"] = msgspec.structs.replace(first, code="MP199", check=fail)
    engine = Engine(TARGET, rules=rules)
    findings = findings_about(use("torch.no_such_name"), engine)
    assert {finding.rule for finding in findings} == {"MP113", "MP903"}
    (internal,) = (finding for finding in findings if finding.rule == "MP903")
    assert "MP199" in internal.message and "broken" in internal.message


def test_a_failing_judgement_is_reported_and_the_next_use_judged():
    class BrokenIndex:
        def __init__(self):
            self.plans = {}

        def find(self, api):
            if api == "torch.cat":
                raise ValueError("damaged")
            return None

        def form(self, api):
            return None

    engine = Engine(TARGET, index=BrokenIndex())
    findings = [*findings_about(use(), engine), *findings_about(use("torch.no_such_name"), engine)]
    assert [finding.rule for finding in findings] == ["MP903", "MP113"]
    assert "torch.cat" in findings[0].message and "damaged" in findings[0].message
