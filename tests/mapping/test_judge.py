"""Uses are judged: which case, how sure, whether a fix is safe, and why not."""

from __future__ import annotations

import msgspec
import pytest
from snippet import CPU, HEADER, Kind, read_with_runs, target_for, usage_of

from mindport.mapping.index import MappingIndex
from mindport.mapping.judge import judge
from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Applicability, Confidence, Grade, Verdict
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.usage.api_use import ApiUse, Form

SAFE, UNSAFE = Applicability.SAFE, Applicability.UNSAFE
EVIDENCE = "evidence: [{case: 0, oracle: x, torch: 2.13.0, mindspore: 2.10.0, device: CPU, grade: run, samples: 3}]\n"
EVIDENCE_OF_1 = EVIDENCE.replace("case: 0", "case: 1")
GRAPH_EVIDENCE = EVIDENCE.replace("samples: 3", "mode: graph, samples: 3")
GRAPH = target_for("CPU", "graph")


def index_of(*texts: str) -> MappingIndex:
    return MappingIndex.of(map(read_with_runs, texts))


def judged(text: str, source: str, target: Target = CPU, confidence=Confidence.PROVED, **changes):
    """The judgement of the first use in `source`."""
    usage = usage_of(f"{HEADER}{source}\n", {"x": Kind.TENSOR, "z": Kind.TENSOR, "n": Kind.INT}, confidence)
    use = msgspec.structs.replace(usage.uses[0], **changes)
    return judge(use, target, index_of(text), torch_facts(), mindspore_facts(target.version))


CAT = (
    "torch: {function: [torch.cat, torch.concat]}\nsummary: x\n"
    "cases: [{verdict: renamed, call: mindspore.ops.cat, args: {dim: axis}, fix: safe}]\n"
)
SUM = """torch: {function: torch.sum, method: torch.Tensor.sum}
summary: x
cases:
  - {when: {dtype: {passed: true}}, verdict: composed, why: cast first}
  - {when: {dim: 0}, verdict: equivalent, rewrite: "ops.first($input)", fix: unsafe}
  - {when: {dim: {kind: sequence}}, verdict: none, why: no}
  - {verdict: renamed, call: mindspore.ops.sum, fix: unsafe}
"""


@pytest.mark.parametrize(
    ("source", "case", "possible", "depends_on"),
    [
        ("torch.sum(x)", 3, (), ()),
        ("torch.sum(x, 0)", 1, (), ()),
        ("torch.sum(x, dim=0)", 1, (), ()),
        ("torch.sum(x, axis=0)", 1, (), ()),
        ("torch.sum(x, -1)", 3, (), ()),
        ("torch.sum(x, (0, 1))", 2, (), ()),
        ("torch.sum(x, dtype=torch.float32)", 0, (), ()),
        ("torch.sum(x, n)", -1, (1, 3), ("dim",)),
        ("torch.sum(x, d)", -1, (1, 2, 3), ("dim",)),
        ("torch.sum(x, dim=d, dtype=t)", 0, (), ()),
        ("torch.sum(*xs)", -1, (1, 2, 3), ("dim",)),
        ("torch.sum(x, **kw)", -1, (0, 1, 2, 3), ("dtype", "dim")),
        ("x.sum()", 3, (), ()),
        ("x.sum(0)", 1, (), ()),
        ("x.sum(n)", -1, (1, 3), ("dim",)),
        ("f(torch.sum)", -1, (0, 1, 2, 3), ("arguments",)),
    ],
)
def test_the_case_that_applies(source, case, possible, depends_on):
    judgement = judged(SUM, source)
    assert (judgement.case_index, judgement.possible, judgement.depends_on) == (case, possible, depends_on)
    assert (judgement.applicability is None) == (case in (-1, 0, 2))
    if possible:
        assert judgement.case is None
        # Case 2 has no equivalent; as one of several answers it makes the call differ, not go missing.
        worst = (
            Verdict.DIFFERS if 2 in possible else Verdict.COMPOSED if 0 in possible else Verdict.EQUIVALENT
        )
        assert judgement.verdict is worst


@pytest.mark.parametrize(
    ("source", "case"),
    [("f(F.relu)", 1), ("F.relu(x)", 0), ("F.relu(x, True)", 2), ("F.relu(x, n)", 2)],
)
def test_what_is_said_of_names_that_are_handed_on_goes_first(source, case):
    text = """torch: {function: torch.nn.functional.relu}
summary: x
cases:
  - {when: {inplace: {literal: true, equals: false}}, verdict: renamed, call: mindspore.ops.relu, fix: unsafe}
  - {when: {$call: false}, verdict: renamed, call: mindspore.ops.relu, fix: unsafe}
  - {verdict: composed, rewrite: "in_place($input)", fix: unsafe}
"""
    assert judged(text, source).case_index == case


def test_cases_that_say_the_same_need_no_answer():
    text = """torch: {function: torch.sum}
summary: x
cases:
  - {when: {dim: 0}, verdict: renamed, call: mindspore.ops.sum, why: one, fix: unsafe}
  - {verdict: renamed, call: mindspore.ops.sum, why: other, fix: unsafe}
"""
    assert judged(text, "torch.sum(x, d)").case_index == 1


@pytest.mark.parametrize(
    ("source", "case", "depends_on"),
    [
        ("torch.nn.ELU()", 0, ()),
        ("torch.nn.ELU(inplace=n)", 1, ()),
        ("torch.nn.ELU(2)", -1, ()),
        ("torch.nn.ELU(n)", -1, ("alpha",)),
        ("torch.nn.ELU(alpha=float(n), inplace=True)", -1, ("alpha",)),
        ("torch.nn.ELU(n, n)", -1, ("alpha",)),
    ],
)
def test_cases_that_say_the_same_may_all_be_for_other_values(source, case, depends_on):
    text = """torch: {module: torch.nn.ELU}
summary: x
cases:
  - when: {alpha: 1, inplace: {literal: true, equals: false}}
    verdict: renamed
    call: mindspore.nn.ELU
    args: {inplace: {drop: true}}
    fix: unsafe
  - {when: {alpha: 1}, verdict: renamed, call: mindspore.nn.ELU, args: {inplace: {drop: true}}, fix: unsafe}
"""
    text = text.replace("alpha: 1", "alpha: {one_of: [1, 1.0]}")
    judgement = judged(text, source)
    assert (judgement.case_index, judgement.depends_on) == (case, depends_on)


@pytest.mark.parametrize(
    ("target", "evidence", "confidence", "expected"),
    [
        (CPU, EVIDENCE, Confidence.PROVED, SAFE),
        (CPU, EVIDENCE, Confidence.INFERRED, SAFE),
        (CPU, EVIDENCE, Confidence.GUESSED, None),
        (CPU, "", Confidence.PROVED, UNSAFE),
        (CPU, EVIDENCE.replace("run,", "documented,"), Confidence.PROVED, UNSAFE),
        (CPU, EVIDENCE.replace("3}", "3, agrees: false}"), Confidence.PROVED, UNSAFE),
        (CPU, EVIDENCE.replace("case: 0", "case: 1"), Confidence.PROVED, UNSAFE),
        (target_for("Ascend"), EVIDENCE, Confidence.PROVED, UNSAFE),
        (target_for("GPU"), EVIDENCE, Confidence.PROVED, UNSAFE),
        (GRAPH, EVIDENCE, Confidence.PROVED, UNSAFE),
        (GRAPH, GRAPH_EVIDENCE, Confidence.PROVED, SAFE),
        (GRAPH, GRAPH_EVIDENCE.replace("3}", "3, agrees: false}"), Confidence.PROVED, UNSAFE),
        (CPU, GRAPH_EVIDENCE, Confidence.PROVED, UNSAFE),
        (Target(Version(2, 9, 0), Device.CPU), EVIDENCE, Confidence.PROVED, UNSAFE),
    ],
)
def test_safe_only_where_it_ran(target, evidence, confidence, expected):
    judgement = judged(CAT + evidence, "torch.cat([x, z], 1)", target, confidence, scope="f")
    assert judgement.applicability is expected
    assert judgement.verdict is Verdict.RENAMED
    assert (judgement.grade is Grade.RUN) == (expected is SAFE or confidence is Confidence.GUESSED)


@pytest.mark.parametrize(
    ("source", "place", "expected"),
    [
        ("torch.cat([x, z], 1)", {"scope": ""}, SAFE),
        ("torch.cat([x, z], 1)", {"scope": "Net.__init__", "in_module": True}, SAFE),
        ("torch.cat([x, z], 1)", {"scope": "Net.__init__", "in_module": False}, UNSAFE),
        ("torch.cat([x, z], 1)", {"scope": "Net.__init__.inner", "in_module": True}, UNSAFE),
        ("torch.cat([x, z], 1)", {"scope": "Net.forward", "in_module": True}, UNSAFE),
        ("torch.cat([x, z], 1)", {"scope": "build", "in_module": False}, UNSAFE),
        ("f = torch.cat", {"scope": ""}, UNSAFE),  # whoever has it may call it in a graph
    ],
)
def test_in_graph_mode_too_python_runs_what_no_graph_calls(source, place, expected):
    text = CAT.replace("args: {dim: axis}, ", "") + EVIDENCE
    assert judged(text, source, GRAPH, **place).applicability is expected
    assert judged(text, source, GRAPH, **place).target == GRAPH


def test_layers_are_called_in_graphs_wherever_they_are_built():
    text = "torch: {module: torch.nn.ReLU}\nsummary: x\n"
    text += "cases: [{verdict: renamed, call: mindspore.nn.ReLU, fix: safe}]\n"
    place = {"scope": "Net.__init__", "in_module": True}
    assert judged(text + EVIDENCE, "torch.nn.ReLU()", GRAPH, **place).applicability is UNSAFE
    assert judged(text + GRAPH_EVIDENCE, "torch.nn.ReLU()", GRAPH, **place).applicability is SAFE


@pytest.mark.parametrize(("evidence", "verdict"), [(", agrees: false", Verdict.DIFFERS), ("", Verdict.SAME)])
def test_what_fails_in_a_graph_does_not_work_as_it_is(evidence, verdict):
    text = "torch: {method: torch.Tensor.sum}\nsummary: x\ncases: [{verdict: same}]\n"
    rows = GRAPH_EVIDENCE.replace("samples: 3", f"samples: 3{evidence}, note: no kernel")
    found = judged(text + rows, "x.sum()", GRAPH, scope="f")
    assert found.verdict is verdict
    assert ("no kernel" in found.no_fix_reason) is (verdict is Verdict.DIFFERS)
    assert judged(text + rows, "x.sum()", CPU, scope="f").verdict is Verdict.SAME


@pytest.mark.parametrize(
    ("fix", "expected"), [("safe", SAFE), ("unsafe", UNSAFE), ("display", Applicability.DISPLAY)]
)
def test_a_fix_is_at_most_what_its_case_says(fix, expected):
    text = CAT.replace("fix: safe", f"fix: {fix}") + EVIDENCE
    assert judged(text, "torch.cat([x, z], 1)").applicability is expected


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("torch.cat([x], out=z)", "`out` has no counterpart in mindspore.ops.cat"),
        ("torch.cat(*xs)", ""),  # in the same places, `dim` as `axis`
        ("torch.cat(*xs, **z)", "starred arguments hide what is passed"),
        ("torch.cat(*xs, dim=1)", ""),
        ("torch.cat(*xs, out=z)", "starred arguments hide what is passed"),
        ("torch.cat(x, 1, 2, 3)", "the arguments do not fit torch's signature as far as it is known"),
        ("torch.cat([x], 1)", ""),
    ],
)
def test_why_there_is_no_fix(source, reason):
    judgement = judged(CAT + EVIDENCE, source)
    assert judgement.no_fix_reason == reason
    assert (judgement.applicability is None) == bool(reason)


@pytest.mark.parametrize(
    ("source", "reason", "verdict"),
    [
        ("torch.cat([x], out=None)", "", Verdict.RENAMED),
        ("torch.cat([x])", "", Verdict.RENAMED),
        ("torch.cat([x], out=z)", "`out` has no counterpart: assign it", Verdict.DIFFERS),
        ("torch.cat([x], out=n)", "`out` has no counterpart: assign it", Verdict.DIFFERS),
    ],
)
def test_a_value_that_is_not_dropped_is_reported(source, reason, verdict):
    text = CAT.replace("args: {dim: axis}", "args: {dim: axis, out: {drop_when: [null], report: assign it}}")
    judgement = judged(text, source)
    assert (judgement.no_fix_reason, judgement.verdict) == (reason, verdict)
    assert (judgement.applicability is None) == bool(reason)


MATMUL = """torch: {function: torch.matmul}
summary: x
cases:
  - {verdict: renamed, call: mindspore.ops.matmul, args: {out: {report: no}}, fix: safe}
"""
SOFTMAX = """torch: {function: torch.nn.functional.softmax}
summary: x
cases:
  - {verdict: renamed, call: mindspore.ops.softmax, fix: safe}
"""


@pytest.mark.parametrize(
    ("text", "source", "is_written"),
    [
        (MATMUL, "torch.matmul(*z)", True),
        (MATMUL, "torch.matmul(x, *z)", True),
        (MATMUL, "torch.matmul(*reversed(z))", True),
        (MATMUL, "torch.matmul(*z, **z)", False),  # `out` may be among them
        (MATMUL, "torch.matmul(*z, out=x)", False),
        (SOFTMAX, "torch.nn.functional.softmax(*z)", False),  # an axis in the place of another parameter
    ],
)
def test_starred_values_that_reach_the_same_places(text, source, is_written):
    assert (judged(text, source).no_fix_reason == "") is is_written


LINEAR = """torch: {module: torch.nn.Linear}
summary: x
cases:
  - verdict: renamed
    call: mindspore.nn.Dense
    args: {in_features: in_channels, out_features: out_channels, bias: has_bias, device: {drop: true}}
    fix: safe
"""


@pytest.mark.parametrize(
    ("source", "applicability"),
    [
        ("torch.nn.Linear(2, 3, bias=True, **z)", UNSAFE),
        ("torch.nn.Linear(2, 3, True, device=None, **z)", UNSAFE),
        ("torch.nn.Linear(2, 3, **z)", None),  # it may hold `bias`, which has another name
        ("torch.nn.Linear(*z)", None),
        ("torch.nn.Linear(*x, bias=True, **z)", None),
        ("torch.nn.Linear(2, 3, True)", SAFE),
    ],
)
def test_keywords_from_a_mapping_are_for_a_person_to_look_at(source, applicability):
    judgement = judged(LINEAR + EVIDENCE, source)
    assert judgement.applicability is applicability
    assert judgement.no_fix_reason == ("" if applicability else "starred arguments hide what is passed")


def test_an_argument_without_counterpart_is_a_difference():
    assert judged(CAT, "torch.cat([x], out=z)").verdict is Verdict.DIFFERS
    matters = [d.argument for d in judged(CAT, "torch.cat([x], out=z)").differences if d.matters]
    assert "out" in matters
    assert "out" not in [d.argument for d in judged(CAT, "torch.cat([x])").differences if d.matters]


FOR_DEVICES = """torch: {function: torch.cat}
summary: x
cases:
  - {verdict: renamed, devices: [Ascend], since: "2.6.0", call: mindspore.mint.cat, fix: unsafe}
  - {verdict: renamed, modes: [graph], call: mindspore.ops.concat, fix: unsafe}
  - {verdict: renamed, devices: [CPU, Ascend], until: "2.9.0", call: mindspore.ops.cat, fix: unsafe}
"""


@pytest.mark.parametrize(
    ("target", "case", "version_reason", "device_reason"),
    [
        (target_for("Ascend"), 0, "", ""),
        (target_for("CPU", "graph"), 1, "", ""),
        (target_for("Ascend", "graph"), 0, "", ""),
        (CPU, -1, "`mindspore.ops.cat` is gone after MindSpore 2.9.0", "`mindspore.mint.cat` is for Ascend"),
        (target_for("GPU"), -1, "", "`mindspore.mint.cat` is for Ascend"),
        (Target(Version(2, 9, 0), Device.CPU), 2, "", ""),
        (Target(Version(2, 5, 0), Device.ASCEND), 2, "", ""),
    ],
)
def test_the_target_chooses(target, case, version_reason, device_reason):
    judgement = judged(FOR_DEVICES, "torch.cat([x])", target, scope="f")
    assert judgement.case_index == case
    if case < 0:
        assert judgement.verdict is Verdict.NONE
        assert (judgement.version_reason, judgement.device_reason) == (version_reason, device_reason)


ONLY_ON_ASCEND = """torch: {function: torch.narrow}
summary: x
cases: [{verdict: renamed, call: mindspore.mint.narrow, fix: safe}]
"""


def test_documented_devices_count_until_a_run_shows_otherwise():
    judgement = judged(ONLY_ON_ASCEND, "torch.narrow(x, 1, 0, 2)")
    assert judgement.verdict is Verdict.NONE
    assert judgement.device_reason == "`mindspore.mint.narrow` is documented for Ascend only"
    assert judged(ONLY_ON_ASCEND, "torch.narrow(x, 1, 0, 2)", target_for("Ascend")).applicability is UNSAFE
    assert judged(ONLY_ON_ASCEND + EVIDENCE, "torch.narrow(x, 1, 0, 2)").applicability is SAFE


def test_what_has_no_kernel_serves_only_elsewhere():
    assert mindspore_facts().devices("mindspore.ops.fmin") is None  # nothing is said
    text = (
        "torch: {function: torch.fmin}\nsummary: x\ncases: [{verdict: renamed, call: mindspore.ops.fmin}]\n"
    )
    judgement = judged(text, "torch.fmin(x, z)")
    assert (judgement.verdict, judgement.device_reason) == (
        Verdict.NONE,
        "`mindspore.ops.fmin` has no kernel on CPU",
    )
    assert judged(text, "torch.fmin(x, z)", target_for("Ascend")).verdict is Verdict.RENAMED
    assert judged(text + EVIDENCE, "torch.fmin(x, z)").verdict is Verdict.RENAMED


VERSIONS = [
    # only 2.10.0 has it
    ("mint.vdot", Version(2, 10, 0), ""),
    ("mint.vdot", Version(2, 11, 0), ""),
    ("mint.vdot", Version(2, 9, 1), "`mindspore.mint.vdot` exists since MindSpore 2.10.0"),
    ("mint.vdot", Version(2, 7, 0), "`mindspore.mint.vdot` exists since MindSpore 2.10.0"),
    ("mint.vdot", Version(2, 5, 0), "MindSpore 2.5.0.dev20250202 has no `mindspore.mint.vdot`"),
    # Nothing was run with them: a build that is near, and what was documented then, tell what there was.
    ("Tensor.sigmoid_", Version(2, 4, 0), "MindSpore 2.5.0.dev20250202 has no `mindspore.Tensor.sigmoid_`"),
    ("mint.add", Version(2, 4, 0), "no documentation of MindSpore 2.4 names `mindspore.mint.add`"),
    ("mint.add", Version(2, 5, 0), ""),
    ("ops.add", Version(2, 4, 0), ""),
    ("ops.not_collected", Version(2, 4, 0), ""),
    # only 2.7.0 has it
    ("check_checkpoint", Version(2, 7, 0), ""),
    ("check_checkpoint", Version(2, 7, 9), ""),
    ("check_checkpoint", Version(2, 8, 0), "`mindspore.check_checkpoint` is gone after MindSpore 2.7.0"),
    ("check_checkpoint", Version(2, 10, 0), "`mindspore.check_checkpoint` is gone after MindSpore 2.7.0"),
    # nobody knows it: the case is trusted
    ("ops.not_collected", Version(2, 10, 0), ""),
    ("ops.not_collected", Version(2, 7, 0), ""),
]


@pytest.mark.parametrize("key", ["call: mindspore.%s", "rewrite: 'mindspore.%s($input)'"])
@pytest.mark.parametrize(("name", "version", "reason"), VERSIONS)
def test_a_name_that_the_version_lacks(key, name, version, reason):
    text = f"torch: {{function: torch.abs}}\nsummary: x\ncases: [{{verdict: renamed, {key % name}}}]\n"
    judgement = judged(text, "torch.abs(x)", Target(version, Device.ASCEND))
    assert judgement.version_reason == reason
    assert judgement.verdict is (Verdict.NONE if reason else Verdict.RENAMED)


def test_a_later_case_serves_older_versions():
    text = """torch: {function: torch.vdot}
summary: x
cases:
  - {verdict: renamed, call: mindspore.mint.vdot}
  - {verdict: composed, rewrite: "mindspore.ops.sum($input * $other)"}
"""
    for version, case in ((Version(2, 10), 0), (Version(2, 9), 1), (Version(2, 4), 1)):
        judgement = judged(text, "torch.vdot(x, z)", Target(version, Device.ASCEND))
        assert (judgement.case_index, judgement.version_reason) == (case, "")


SOFTPLUS = (
    "torch: {function: torch.nn.functional.softplus}\nsummary: x\n"
    "cases: [{verdict: renamed, call: mindspore.mint.nn.functional.softplus, devices: [CPU], fix: safe}]\n"
)


@pytest.mark.parametrize(
    ("text", "version", "grade"),
    [
        (CAT, Version(2, 10, 0), Grade.RUN),
        (CAT, Version(2, 9, 0), Grade.COMPILED),
        (CAT, Version(2, 7, 0), Grade.COMPILED),
        (CAT, Version(2, 7, 2), Grade.COMPILED),  # the nearest that is not newer
        (CAT, Version(2, 6, 0), Grade.DOCUMENTED),  # no facts
        (SOFTPLUS, Version(2, 10, 0), Grade.RUN),
        (SOFTPLUS, Version(2, 9, 0), Grade.DOCUMENTED),  # another kernel
    ],
)
def test_what_a_run_tells_of_other_versions(text, version, grade):
    source = "torch.cat([x, z])" if text is CAT else "F.softplus(x)"
    judgement = judged(text + EVIDENCE, source, Target(version, Device.CPU))
    assert (judgement.verdict, judgement.grade) == (Verdict.RENAMED, grade)
    assert judgement.applicability is (SAFE if grade is Grade.RUN else UNSAFE)


@pytest.mark.parametrize(
    "evidence",
    [
        "",
        EVIDENCE.replace("3}", "3, agrees: false}"),
        EVIDENCE.replace("device: CPU", "device: Ascend"),
        EVIDENCE.replace("mindspore: 2.10.0", "mindspore: 2.6.0"),  # there are no facts to compare
        EVIDENCE.replace("run,", "compiled,"),
    ],
)
def test_no_run_tells_of_other_versions(evidence):
    judgement = judged(CAT + evidence, "torch.cat([x, z])", Target(Version(2, 9), Device.CPU))
    assert judgement.grade is Grade.DOCUMENTED and judgement.evidence is None


@pytest.mark.parametrize(
    ("version", "documented"),
    [
        (Version(2, 10, 0), ""),
        (Version(2, 7, 0), ""),
        (
            Version(2, 6, 0),
            "the documentation of MindSpore 2.6 lists `mindspore.mint.cat` as consistent; not verified",
        ),
        (
            Version(2, 4, 1),
            "the documentation of MindSpore 2.4 lists `mindspore.ops.cat` with differences; not verified",
        ),
        (
            Version(1, 10, 0),
            "the documentation of MindSpore 1.10 lists `mindspore.ops.Concat` with differences; not verified",
        ),
        (Version(1, 5, 0), ""),
    ],
)
def test_only_the_documentation_speaks_of_old_versions(version, documented):
    assert judged(CAT, "torch.cat([x])", Target(version, Device.CPU)).documented == documented


@pytest.mark.parametrize(
    ("version", "note"),
    [
        (Version(2, 10, 0), ""),
        (Version(2, 5, 0), ""),
        (Version(2, 2, 0), "`mindspore.ops.hsplit` is known from the documentation of MindSpore 2.3 on"),
    ],
)
def test_what_is_documented_later_is_said(version, note):
    text = "torch: {function: torch.hsplit}\nsummary: x\ncases: [{verdict: renamed, call: mindspore.ops.hsplit}]\n"
    judgement = judged(text, "torch.hsplit(x, 2)", Target(version, Device.ASCEND))
    assert (judgement.verdict, judgement.version_reason) == (Verdict.RENAMED, note)


VALUES = [
    # MindSpore's takes nothing else, so who passes `out` hears of it: the name alone can be replaced.
    ("torch: {function: torch.abs}\nsummary: x\ncases: [{verdict: renamed, call: mindspore.ops.abs, fix: safe}]\n",
     "map(torch.abs, xs)", SAFE, ()),
    # Several signatures, and options that are passed by name: calls by position mean the same.
    ("torch: {function: torch.gt}\nsummary: x\ncases: [{verdict: renamed, call: mindspore.ops.gt, "
     "args: {out: {report: none}}, fix: safe}]\n",
     "f(torch.gt)", UNSAFE, ()),
    ("torch: {function: torch.randn_like}\nsummary: x\ncases: [{when: {generator: {passed: true}}, "
     "verdict: differs}, "
     "{verdict: renamed, call: mindspore.ops.randn_like, args: {generator: {drop: true}}, fix: safe}]\n"
     + EVIDENCE_OF_1,
     "f(noise=torch.randn_like)", UNSAFE, ()),
    # One argument more is another function; or another default, which whoever calls it does not pass.
    ("torch: {function: torch.where}\nsummary: x\ncases: [{when: {input: {passed: false}}, verdict: composed, "
     "rewrite: ops.nonzero($condition), imports: [from mindspore import ops]}, "
     "{verdict: same, call: mindspore.ops.where, fix: safe}]\n" + EVIDENCE_OF_1,
     "f(torch.where)", None, ("arguments",)),
    ("torch: {function: torch.topk}\nsummary: x\ncases: [{verdict: differs, call: mindspore.ops.topk, "
     "args: {dim: {default: '-2'}}, fix: safe}]\n",
     "f(torch.topk)", None, ("arguments",)),
    # A function that is put into the file takes what torch's takes, option and default alike, and stands for its name.
    ("torch: {function: torch.atan2}\nsummary: x\n"
     "cases: [{verdict: composed, rewrite: 'torch_atan2($input, $other)', fix: safe}]\n",
     "map(torch.atan2, ys, xs)", SAFE, ()),
    ("torch: {function: torch.cumprod}\nsummary: x\ncases: [{verdict: composed, "
     "rewrite: 'torch_cumprod($input, $dim, dtype=$dtype)', fix: safe}]\n",
     "f(torch.cumprod)", SAFE, ()),
    # Not where it takes them in another order, or has no place or another default for one of them.
    ("torch: {function: torch.atan2}\nsummary: x\n"
     "cases: [{verdict: composed, rewrite: 'torch_atan2($other, $input)', fix: safe}]\n",
     "map(torch.atan2, ys, xs)", None, ("arguments",)),
    ("torch: {function: torch.nn.functional.one_hot}\nsummary: x\n"
     "cases: [{verdict: composed, rewrite: 'torch_atan2($tensor, $num_classes)', fix: safe}]\n",
     "f(F.one_hot)", None, ("arguments",)),
    ("torch: {function: torch.histc}\nsummary: x\n"
     "cases: [{verdict: composed, rewrite: 'torch_histc($input, $bins, $min)', fix: safe}]\n",
     "f(torch.histc)", None, ("arguments",)),
    # What torch calls `self` is the only place that there is.
    ("torch: {function: torch.numel}\nsummary: x\n"
     "cases: [{verdict: renamed, call: mindspore.ops.numel, fix: safe}]\n",
     "map(torch.numel, xs)", UNSAFE, ()),
    # A class that is handed on is built with what it has: `act(inplace=True)`.
    ("torch: {module: torch.nn.ReLU}\nsummary: x\ncases: [{verdict: renamed, call: mindspore.nn.ReLU, "
     "args: {inplace: {drop: true}}, fix: safe}]\n",
     "f(act=nn.ReLU)", UNSAFE, ()),
    # torch's class takes no arguments, and neither does MindSpore's.
    ("torch: {module: torch.nn.Sigmoid}\nsummary: x\n"
     "cases: [{verdict: renamed, call: mindspore.nn.Sigmoid, fix: safe}]\n",
     "f(gate=nn.Sigmoid)", SAFE, ()),
    # One that takes what torch's would not.
    ("torch: {module: torch.nn.Softsign}\nsummary: x\n"
     "cases: [{verdict: renamed, call: mindspore.nn.GELU, fix: safe}]\n",
     "f(gate=nn.Softsign)", UNSAFE, ()),
    # Another default: what the name stands for depends on the call nobody sees.
    ("torch: {module: torch.nn.BatchNorm2d}\nsummary: x\n"
     "cases: [{verdict: differs, call: mindspore.nn.BatchNorm2d, args: {momentum: {convert: one_minus}}, fix: safe}]\n",
     "f(norm=nn.BatchNorm2d)", None, ("arguments",)),
    ("torch: {module: torch.nn.Linear}\nsummary: x\n"
     "cases: [{verdict: renamed, call: mindspore.nn.Dense, args: {bias: has_bias}, fix: safe}]\n",
     "isinstance(m, nn.Linear)", None, ("arguments",)),
    ("torch: {value: torch.float32}\nsummary: x\ncases: [{verdict: renamed, call: mindspore.float32, fix: safe}]\n",
     "f(torch.float32)", SAFE, ()),
    ("torch: {class: torch.nn.Module}\nsummary: x\ncases: [{verdict: renamed, call: mindspore.nn.Cell, fix: safe}]\n",
     "class Net(nn.Module): pass", SAFE, ()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "source", "applicability", "depends_on"), VALUES)
def test_names_used_as_values(text, source, applicability, depends_on):
    judgement = judged(text if "evidence:" in text else text + EVIDENCE, source)
    assert (judgement.applicability, judgement.depends_on) == (applicability, depends_on)
    assert judgement.applicability is not SAFE or "args" not in text


LISTS = (
    "torch: {module: torch.nn.ModuleList}\nsummary: x\ncases:\n"
    "  - {when: {modules: {kind: sequence}}, verdict: renamed, call: mindspore.nn.CellList, fix: safe}\n"
    "  - {verdict: renamed, rewrite: mindspore.nn.CellList(list($modules)), fix: safe%s}\n"
)


@pytest.mark.parametrize(
    ("covers", "source", "case", "depends_on"),
    [
        (", covers: true", "nn.ModuleList(f())", 1, ()),
        (", covers: true", "nn.ModuleList([])", 0, ()),
        ("", "nn.ModuleList(f())", -1, ("modules",)),
        ("", "nn.ModuleList([])", 0, ()),
    ],
)
def test_a_case_that_covers_the_others_is_written_where_they_may_hold(covers, source, case, depends_on):
    judgement = judged(LISTS % covers, source)
    assert (judgement.case_index, judgement.depends_on) == (case, depends_on)


def test_an_import_of_what_only_has_a_helper_is_judged():
    text = (
        "torch: {class: torch.utils.data.Dataset}\nsummary: x\n"
        "cases: [{verdict: composed, helper: TorchDataset, fix: safe}]\n"
    )
    assert judged(text, "torch.utils.data.Dataset", form=Form.IMPORT).verdict is Verdict.COMPOSED


def test_same_needs_nothing_written():
    text = "torch: {method: torch.Tensor.sum}\nsummary: x\ncases: [{verdict: same%s}]\n"
    assert judged(text % "", "x.sum()").verdict is Verdict.SAME
    assert judged(text % "", "x.sum()").applicability is None
    assert judged(text % ", call: mindspore.Tensor.sum", "x.sum()").verdict is Verdict.SAME
    max_text = "torch: {method: torch.Tensor.max}\nsummary: x\ncases: [{verdict: same, call: mindspore.Tensor.max}]\n"
    assert judged(max_text, "x.max(0, True)").verdict is Verdict.SAME
    assert judged(max_text, "x.max(0, 1)").verdict is Verdict.RENAMED  # a truth value is asked for
    assert judged(text % ", call: mindspore.ops.sum", "x.sum()").verdict is Verdict.RENAMED


def test_what_nobody_wrote_down():
    judgement = judged(CAT, "torch.lobpcg(x)")
    assert judgement.verdict is Verdict.NOT_JUDGED and judgement.mapping is None
    listed = judged(CAT, "torch.abs(x)")
    assert "mindspore.mint.abs" in listed.documented and "not verified" in listed.documented


def test_no_case_covers_the_arguments():
    text = CAT.replace("args:", "when: {dim: 0}, args:")
    judgement = judged(text, "torch.cat([x], 1)")
    assert judgement.verdict is Verdict.NOT_JUDGED
    assert judgement.no_fix_reason == "no case covers these arguments"


def test_other_libraries_guards_and_dynamic_names_have_no_fix():
    library = judged(CAT, "torch.cat([x])", library="timm", api="timm.create_model")
    assert library.verdict is Verdict.NONE and library.library == "timm" and "mindcv" in library.advice
    dynamic = judged(CAT, "torch.cat([x])", form=Form.DYNAMIC, api="torch.optim", detail="cfg.name")
    assert dynamic.depends_on == ("cfg.name",) and dynamic.applicability is None
    assert judged(CAT, "torch.cat([x])", guarded=True).applicability is None
    assert judged(CAT, "torch.cat([x])", form=Form.CONFIG).applicability is None


def test_equal_calls_share_their_answer():
    index = index_of(CAT.replace(", args: {dim: axis}", ""))
    usage = usage_of(f"{HEADER}torch.cat([x])\ntorch.cat([z, x])\ntorch.cat([x], 1)\n")
    facts = torch_facts(), mindspore_facts(CPU.version)
    first, second, third = (judge(use, CPU, index, *facts) for use in usage.uses)
    assert first is second
    assert isinstance(usage.uses[0], ApiUse) and first is not third


def with_target(written: str, **keys: str) -> str:
    more = "".join(f", {key}: {value}" for key, value in keys.items())
    return f"torch: {{function: torch.abs}}\nsummary: x\ncases: [{{verdict: composed, {written}, fix: safe{more}}}]\n"


@pytest.mark.parametrize(
    ("written", "device", "grade"),
    [
        ("call: mindspore.ops.abs", "Ascend", Grade.REGISTERED),
        ("call: mindspore.ops.abs", "GPU", Grade.REGISTERED),
        ('rewrite: "ops.abs($input)"', "Ascend", Grade.REGISTERED),
        (
            'rewrite: "ops.abs($input) + ops.interpolate($input)"',
            "Ascend",
            Grade.DOCUMENTED,
        ),  # some modes only
        ('rewrite: "ops.abs($input).astype(mindspore.float32)"', "Ascend", Grade.REGISTERED),
        ('rewrite: "$input.dtype"', "Ascend", Grade.DOCUMENTED),  # nothing that is registered
        ("helper: TorchConv2d", "Ascend", Grade.REGISTERED),  # all that its definition names
        ("call: mindspore.mint.acos", "GPU", None),
        ('rewrite: "ops.abs($input) + ops.NMSWithMask()($input)"', "Ascend", None),  # the weakest of them
    ],
)
def test_registered_kernels_are_less_than_a_run(written, device, grade):
    judgement = judged(with_target(written), "torch.abs(x)", target_for(device))
    assert judgement.grade is grade
    assert judgement.applicability is (None if grade is None else UNSAFE)
    assert judgement.device_reason.endswith(f"is registered for {device}") is (grade is None)


@pytest.mark.parametrize(("method", "grade"), [("reshape", Grade.REGISTERED), ("view", Grade.DOCUMENTED)])
def test_a_method_that_stays_has_the_kernels_of_the_method(method, grade):
    text = f"torch: {{method: torch.Tensor.{method}}}\nsummary: x\ncases: [{{verdict: same}}]\n"
    assert judged(text, f"x.{method}(2, 3)", target_for("Ascend")).grade is grade


def test_a_run_on_the_device_says_more_than_what_is_registered():
    evidence = EVIDENCE.replace("device: CPU", "device: GPU")
    judgement = judged(with_target("call: mindspore.mint.acos") + evidence, "torch.abs(x)", target_for("GPU"))
    assert (judgement.grade, judgement.applicability) == (Grade.RUN, SAFE)


def test_nothing_is_registered_that_was_not_read():
    code = with_target("call: mindspore.ops.abs")
    assert judged(code, "torch.abs(x)", Target(Version(2, 7), Device.ASCEND)).grade is Grade.REGISTERED
    assert judged(code, "torch.abs(x)", Target(Version(2, 6), Device.ASCEND)).grade is Grade.DOCUMENTED
