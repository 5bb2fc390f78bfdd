"""Cards: the first line says what to write; what follows is short, true for the call, and readable unrendered."""

from __future__ import annotations

import re
from types import SimpleNamespace

import msgspec
import pytest
from snippet import CPU, HEADER, Kind, read_with_runs, target_for, usage_of

from mindport.explain.card import api_card, rule_page
from mindport.explain.conditions import in_words
from mindport.explain.evidence_words import evidence_sentence
from mindport.explain.markdown import plain_text
from mindport.explain.name_page import api_page
from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.judge import judge
from mindport.mapping.schema import Evidence
from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Confidence
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.usage.api_use import Form

RUN = (
    "evidence: [{case: 0, oracle: x, torch: 2.13.0, mindspore: 2.10.0, device: CPU, "
    "grade: run, samples: 24, max_abs: 3.0e-8}]\n"
)
CAT = (
    "torch: {function: torch.cat}\nsummary: Joins.\ncases:\n"
    "  - {verdict: renamed, call: mindspore.ops.cat, args: {dim: axis}, fix: safe, why: The same., "
    "differences: [All of one dtype.]}\n"
)
DROPOUT = (
    "torch: {module: torch.nn.Dropout}\nsummary: Drops.\ncases:\n"
    "  - {verdict: differs, call: mindspore.nn.Dropout, args: {p: {to: p, default: '0.5'}, inplace: {drop: true}}, "
    "fix: safe, silent: The first position is keep_prob.}\n"
)
SUM = (
    "torch: {function: torch.sum, method: torch.Tensor.sum}\nsummary: Sums.\ncases:\n"
    "  - {when: {dim: 0}, verdict: equivalent, rewrite: 'ops.first($input, $keepdim)', fix: unsafe}\n"
    "  - {when: {dim: {kind: sequence}}, verdict: none, why: Only one axis., policy: compose, tried: [a fails]}\n"
    "  - {verdict: renamed, call: mindspore.ops.sum, fix: unsafe}\n"
)
SEQUENTIAL = (
    "torch: {module: torch.nn.Sequential}\nsummary: Runs.\ncases:\n"
    "  - {verdict: renamed, call: mindspore.nn.SequentialCell, fix: unsafe}\n"
)
STD = (
    "torch: {function: torch.std}\nsummary: Spread.\ncases:\n"
    "  - {verdict: renamed, call: mindspore.ops.std, args: {dim: {to: axis, convert: tuple_if_list}}, fix: unsafe}\n"
)


def card(text: str, source: str, target=CPU, confidence=Confidence.PROVED, **changes) -> str:
    usage = usage_of(f"{HEADER}{source}\n", {"x": Kind.TENSOR, "n": Kind.INT}, confidence)
    use = msgspec.structs.replace(usage.uses[0], **changes)
    mapping = read_with_runs(text, "x.yaml")
    index = MappingIndex.of([mapping])
    return api_card(judge(use, target, index, torch_facts(), mindspore_facts(target.version)), use, target)


FIRST_LINES = [
    (CAT + RUN, "torch.cat([x, y], dim=1)", "`ops.cat(tensors, axis=1)` replaces `torch.cat`"),
    (CAT, "torch.cat([x, y], -1)", "`ops.cat(tensors, -1)` replaces `torch.cat`"),
    (CAT, "torch.cat([x], out=x)", "`ops.cat(...)` comes closest to `torch.cat`"),
    (DROPOUT, "nn.Dropout()", "`mindspore.nn.Dropout(p=0.5)` replaces `torch.nn.Dropout`"),
    (DROPOUT, "nn.Dropout(0.1, True)", "`mindspore.nn.Dropout(p=0.1)` replaces `torch.nn.Dropout`"),
    (SUM, "torch.sum(x, 0)", "`ops.first(x, False)` replaces `torch.sum`"),
    (SUM, "torch.sum(x, (0, 1))", "Nothing in MindSpore replaces `torch.sum`."),
    (SUM, "torch.sum(x, n)", "It depends on `dim` what replaces `torch.sum`:"),
    (SUM, "f(torch.sum)", "It depends on its arguments, which are not seen here, what replaces `torch.sum`:"),
    (SUM, "x.sum(1)", "`ops.sum(x, 1)` replaces `torch.Tensor.sum`"),
    (SUM, "torch.lobpcg(x)", "`torch.lobpcg` has not been judged yet."),
    (SEQUENTIAL, "nn.Sequential(f, g, *h)", "`mindspore.nn.SequentialCell(*args, *...)` replaces"),
    (SEQUENTIAL, "nn.Sequential(f, g)", "`mindspore.nn.SequentialCell(*args)` replaces `torch.nn.Sequential`"),
    (SEQUENTIAL, "nn.Sequential(f)", "`mindspore.nn.SequentialCell(args)` replaces `torch.nn.Sequential`"),
    (SEQUENTIAL, "nn.Sequential(2, 2)", "`mindspore.nn.SequentialCell(2, 2)` replaces `torch.nn.Sequential`"),
    (STD, "torch.std(x, dim=torch.long)", "`ops.std(input, axis=dim)` replaces `torch.std`"),
    (CAT.replace("dim: axis", "dim: axis").replace("renamed, call: mindspore.ops.cat, args: {dim: axis}, fix: safe",
                                                    "same"), "torch.cat([x])", "`torch.cat` stays as it is written."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "source", "first"), FIRST_LINES)
def test_the_first_line_says_what_to_write(text, source, first):
    found = card(text, source)
    assert found.splitlines()[0].startswith(first)
    assert not re.search(r"<[a-z]|^\|", found, re.MULTILINE), "no HTML, no tables"
    assert max(map(len, found.split("\n\n"))) < 700


@pytest.mark.parametrize(
    ("source", "is_told"),
    [
        ("x, dim=[0, 1]", True),
        ("x, dim=(0, 1)", True),
        ("x, dim=1", False),
        ("x, dim=n", False),
        ("x", False),
    ],
)
def test_a_conversion_is_told_where_the_value_may_change(source, is_told):
    assert ("converted: a list" in card(STD, f"torch.std({source})")) is is_told


def test_silent_traps_come_first_then_what_differs_then_the_proof():
    found = card(DROPOUT + RUN, "nn.Dropout(0.1)")
    places = [
        found.index(part)
        for part in (
            "`mindspore.nn.Dropout(p=0.1)`",
            "**Silently different:** The first",
            "Target: MindSpore 2.10.0",
        )
    ]
    assert places == sorted(places)
    assert "agreed on 24 samples, largest difference 3e-08." in found


@pytest.mark.parametrize(
    ("ratio", "shown"), [(12.0, True), (3.1, True), (3.0, False), (0.4, False), (None, False)]
)
def test_a_slow_replacement_says_so_and_on_what_it_was_measured(ratio, shown):
    seen = Evidence(
        "value",
        "2.13.0",
        "2.10.0",
        "CPU",
        "run",
        7,
        time_ratio=ratio,
        time_elements=ratio and 1572864,
        case=0,
    )
    sentence = (
        f"It took {ratio:g} times as long as torch's call, measured on 1,572,864 numbers."
        if ratio
        else "took"
    )
    assert (sentence in evidence_sentence(seen)) is shown


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("", ""),
        ("raises for bfloat16 input", " It refuses bfloat16."),
        ("raises for float64 input; raises for int64 input", " It refuses float64 and int64."),
        (
            "int64 input differs: y: 4 of 6 values differ, first at [0, 1]: 8 became 7",
            " The values differ for int64.",
        ),
        (
            "float32 where torch gives float64; raises for bfloat16 input",
            " It refuses bfloat16. It gives float32 where torch gives float64.",
        ),
    ],
)
def test_what_other_types_of_input_gave_is_told(note, told):
    seen = Evidence("value", "2.13.0", "2.10.0", "CPU", "run", 7, note=note, case=0)
    assert (
        evidence_sentence(seen)
        == f"Evidence: torch 2.13.0 and MindSpore 2.10.0 on CPU agreed on 7 samples.{told}"
    )


def test_only_what_matters_for_the_call():
    assert "- `dim` is called `axis`." in card(CAT, "torch.cat([x], dim=1)")
    assert "is called" not in card(CAT, "torch.cat([x], 1)")
    assert "- `out` has no counterpart." in card(CAT, "torch.cat([x], out=x)")
    assert "out" not in card(CAT, "torch.cat([x])").split("Target:")[0]
    assert "- All of one dtype." in card(CAT, "torch.cat([x])")


def test_evidence_is_not_claimed_elsewhere():
    assert "not run on this target" in card(CAT, "torch.cat([x])")
    assert "not run on this target" in card(CAT + RUN, "torch.cat([x])", target_for("Ascend"))
    assert "on Ascend" in card(CAT + RUN, "torch.cat([x])", target_for("Ascend"))
    assert "Evidence: registered" in card(CAT + RUN, "torch.cat([x])", target_for("Ascend"))
    assert "disagreed" in card(CAT + RUN.replace("24,", "24, agrees: false,"), "torch.cat([x])")


def test_alternatives_are_listed_with_their_conditions():
    found = card(SUM, "torch.sum(x, d)")
    assert "- if `dim` is 0: `ops.first(x, keepdim)`" in found
    assert "- if `dim` is a sequence: nothing" in found
    assert "- otherwise: `ops.sum(...)`" in found
    assert "No fix: it depends on values that are not known here." in found


def test_no_equivalent_names_the_way_out():
    found = card(SUM, "torch.sum(x, (0, 1))")
    assert "Compose it from other operators." in found and "- a fails" in found


def test_guesses_and_libraries_say_so():
    assert "The type of the value is guessed." in card(SUM, "x.sum(1)", confidence=Confidence.GUESSED)
    assert "No fix: the type of the value is a guess." in card(SUM, "x.sum(1)", confidence=Confidence.GUESSED)
    assert card(CAT, "torch.cat([x])", library="timm", api="timm.x").startswith("`timm` is built on torch")
    dynamic = card(CAT, "torch.cat([x])", form=Form.DYNAMIC, api="torch.optim", detail="cfg.name")
    assert dynamic.startswith("Which torch name this is depends on cfg.name.")


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ("{dim: 0}", "`dim` is 0"),
        ("{dim: null}", "`dim` is None"),
        ("{p: {one_of: [zeros, [1, 1]]}}", "`p` is 'zeros' or (1, 1)"),
        ("{out: {passed: false}, d: {passed: true}}", "`out` is left out and `d` is passed"),
        ("{n: {at_least: 2, at_most: 4}}", "`n` is at least 2 and `n` is at most 4"),
        ("{$result: unpacked}", "the result is unpacked"),
        ("{$result: {not_in: [discarded]}}", "not: the result is not used"),
        ("{dtype: {equals: torch.float32}}", "`dtype` is torch.float32"),
        ("{d: {kind: [int, none], literal: true, length: 2}}",
         "`d` is an int or None and `d` is written as a literal and `d` has 2 elements"),
        ("{$call: false}", "it is not called"),
        ("{p: {one_of: [1, 2, 3, 4, 5, 6]}}", "`p` is 1 or 2 or 3 or 4 or one of 2 more"),
    ],
)  # fmt: skip
def test_conditions_in_words(when, words):
    mapping = read_with_runs(
        f"torch: {{function: torch.cat}}\nsummary: x\ncases: [{{verdict: same, when: {when}}}]\n", "x"
    )
    assert in_words(mapping.cases[0]) == words


def test_plain_text_has_no_marks():
    text = plain_text(card(DROPOUT + RUN, "nn.Dropout(0.1)"))
    assert text.splitlines()[0] == "mindspore.nn.Dropout(p=0.1) replaces torch.nn.Dropout"
    assert not set("`*[]") & set(text)
    assert "torch.nn.Dropout: https://" in text


def test_the_page_of_a_name():
    page = api_page("torch.nn.Dropout", CPU)
    assert page is not None and page.startswith("# torch.nn.Dropout\n")
    assert "## Examples" in page and "In torch:" in page
    assert "Not judged yet" in api_page("torch.lobpcg", CPU, MappingIndex.of([]))
    assert api_page("torch.no_such_name", CPU) is None


def test_each_example_is_a_block_of_its_own() -> None:
    """In Markdown blocks without words between them are one, so that one framework's code ran into the other's."""
    _, _, examples = (api_page("torch.erfc", CPU) or "").partition("## Examples\n\n")
    paragraphs = examples.split("\n\n")
    blocks = [number for number, text in enumerate(paragraphs) if text.startswith("    ")]
    assert len(blocks) > 3
    assert {paragraphs[number - 1] for number in blocks} == {"In torch:", "In MindSpore:", "In both:"}


VDOT = (
    "torch: {function: torch.vdot}\nsummary: x\ncases:\n"
    "  - {verdict: renamed, call: mindspore.mint.vdot}\n"
    '  - {verdict: composed, rewrite: "ops.sum($input * $other)"}\n'
)


def test_the_page_names_what_the_version_lacks():
    index = MappingIndex.of([read_with_runs(VDOT, "x.yaml")])
    old = Target(Version(2, 9), Device.CPU)
    reason = "Not with MindSpore 2.9.0: `mindspore.mint.vdot` exists since MindSpore 2.10.0."
    assert api_page("torch.vdot", old, index).count(reason) == 1
    assert "Not with" not in api_page("torch.vdot", CPU, index)


def test_a_version_without_facts_has_what_its_documentation_says():
    words = "The documentation of MindSpore 2.4 lists `mindspore.ops.cat` with differences; not verified."
    old = Target(Version(2, 4), Device.CPU)
    assert words in api_page("torch.cat", old, MappingIndex.of([read_with_runs(CAT, "x.yaml")]))
    assert words in card(CAT, "torch.cat([x])", old)
    assert words in card(SUM, "torch.cat([x])", old)  # not judged
    assert "not verified" not in card(CAT, "torch.cat([x])", CPU)


def test_nothing_that_was_run_is_said_of_a_version_that_was_not():
    newer = "Nothing was run with MindSpore 2.4.0: what is said here was seen with 2.7.0 and newer."
    old = Target(Version(2, 4), Device.CPU)
    page = api_page("torch.cat", old, MappingIndex.of([read_with_runs(CAT + RUN, "x.yaml")]))
    assert newer in page
    unlisted = (
        "torch: {function: torch.special.erfcx}\nsummary: x\n"
        "cases: [{verdict: composed, rewrite: ops.erfc($input)}]\n"
    )
    assert newer in card(unlisted, "torch.special.erfcx(x)", old)
    for later in (CPU, Target(Version(2, 7), Device.CPU)):
        assert "Nothing was run" not in card(unlisted, "torch.special.erfcx(x)", later)


def test_a_run_with_another_version_is_named():
    older = Target(Version(2, 9), Device.CPU)
    assert (
        "Evidence: compiled for torch 2.13.0 and MindSpore 2.9.0 on CPU; a run with 2.10.0 agreed; "
        "signatures and kernels are the same." in card(CAT + RUN, "torch.cat([x])", older)
    )


def test_names_that_torch_took_out():
    text = (
        "torch: {function: [torch.rfft, torch.is_deterministic]}\nsummary: x\ncases: [{verdict: composed}]\n"
    )
    assert "torch has had no `torch.rfft` since 1.8.0." in card(text, "torch.rfft(x, 1)")
    assert "torch has no `torch.is_deterministic` any more." in card(text, "torch.is_deterministic()")
    assert "torch has" not in card(CAT, "torch.cat([x])")


def test_every_name_of_the_catalogue_has_a_page():
    for name in load_index().names():
        assert api_page(name, CPU).startswith(f"# {name}\n")


def test_the_page_of_a_rule():
    rule = SimpleNamespace(
        code="MP110", name="plain-rename", page="Says it.\n\nWhat it does\n------------\nReports.\n"
    )
    assert rule_page(rule) == "# MP110 plain-rename\n\nSays it.\n\n## What it does\nReports.\n"
