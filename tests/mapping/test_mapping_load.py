"""A mapping file is read, or every mistake is named by its key path."""

from __future__ import annotations

import msgspec
import pytest

from mindport.mapping.load import read_mapping, read_mapping_file
from mindport.mapping.schema import Evidence, Mapping, Predicate
from mindport.mapping.validate import check_mapping, unproved_safe_cases

HEAD = "torch: {function: torch.cat}\nsummary: Joins tensors.\n"
CASE = "cases: [{verdict: renamed, call: mindspore.ops.cat, fix: safe%s}]\n"


def problems_of(text: str) -> list[str]:
    read = read_mapping(text, "mappings/torch/cat.yaml")
    found = read if isinstance(read, tuple) else check_mapping(read, "mappings/torch/cat.yaml")
    return [str(problem).removeprefix("mappings/torch/cat.yaml: ") for problem in found]


GOOD = [
    HEAD + CASE % "",
    HEAD + CASE % ', since: "2.10"',
    HEAD + CASE % ", when: {dim: 1}",
    HEAD + CASE % ", when: {dim: null, eps: 1e-5}",
    HEAD + CASE % ", when: {dim: {one_of: [1, [1, 2], null, mean]}}",
    HEAD + CASE % ", when: {out: {passed: false}, $result: discarded}",
    HEAD + CASE % ", args: {dim: axis, out: {report: there is none}}",
    HEAD + CASE % ", args: {reduction: {default: \"'mean'\"}}",
    HEAD + 'cases: [{verdict: composed, rewrite: "$tensors + $dim", fix: unsafe}]\n',
    HEAD + "cases: [{verdict: none, why: Nothing does it., policy: compose}]\n",
    HEAD + "cases: [{verdict: same, when: {dim: 0}}, {verdict: same}]\n",
]


@pytest.mark.parametrize("text", GOOD)
def test_good_files_are_read(text):
    assert isinstance(read_mapping(text, "x"), Mapping)
    assert problems_of(text) == []


BAD = [
    ("- a\n", "a mapping file holds keys: torch, summary, cases, ..."),
    ("torch: [\n", "not YAML"),
    (HEAD, "object missing required field `cases`"),
    (HEAD + CASE % "" + "sumary: x\n", "unknown key 'sumary' (did you mean 'summary'?)"),
    (HEAD + CASE % "" + "summary: x\n", "found duplicate key"),
    (HEAD + CASE % ", since: 2.10", "cases[0].since: a version is text: quote it"),
    (HEAD + CASE % ", since: 2", "cases[0].since: a version is text: quote it"),
    (HEAD + CASE % ', since: "2.x"', "cases[0].since: not a MindSpore version: '2.x'"),
    (HEAD + CASE % ", when: {keepdim: yes}", "cases[0].when.keepdim: 'yes' is text here: write true or false"),
    (HEAD + CASE % ', when: {eps: "1e-5"}', "cases[0].when.eps: '1e-5' is text here: write the number"),
    (HEAD + CASE % ", when: {dim: {equal: 1}}", "cases[0].when.dim: unknown key 'equal' (did you mean 'equals'?)"),
    (HEAD + CASE % ", when: {dim: {}}", "cases[0].when.dim: says nothing"),
    (HEAD + CASE % ", when: {dim: {kind: tensors}}", "unknown kind 'tensors' (did you mean 'tensor'?)"),
    (HEAD + CASE % ", when: {$result: discard}", "unknown value 'discard' (did you mean 'discarded'?)"),
    (HEAD + CASE % ", devices: [Ascent]", "cases[0].devices[0]: unknown value 'Ascent' (did you mean 'Ascend'?)"),
    (HEAD + CASE % ", forms: [method]", "cases[0].forms: the file lists no method"),
    (HEAD + CASE % ", args: {dim: {too: axis}}", "cases[0].args.dim: unknown key 'too' (did you mean 'to'?)"),
    (HEAD + CASE % ", args: {dim: {convert: one_minos}}", "(did you mean 'one_minus'?)"),
    (HEAD + CASE % ", args: {dim: {drop: true, to: axis}}", "`drop` stands alone"),
    (HEAD + CASE % ", args: {mode: {default: 'a b'}}", "is no expression: texts are quoted twice"),
    (HEAD + CASE % ', rewrite: "$dim"', "cases[0]: has both `call` and `rewrite`"),
    (HEAD + CASE % ", policy: compose", "cases[0].policy: only verdict none has a policy"),
    (HEAD + "cases: [{verdict: equivalant}]\n", "cases[0].verdict: unknown value 'equivalant' (did you mean"),
    (HEAD + 'cases: [{verdict: composed, rewrite: "$dim +"}]\n', "cases[0].rewrite: no Python once"),
    (HEAD + "cases: [{verdict: renamed, fix: safe}]\n", "cases[0].fix: fix: safe with nothing to write"),
    (HEAD + "cases: [{verdict: none}]\n", "cases[0].why: verdict none needs `why` or `tried`"),
    (HEAD + "cases: [{verdict: same}, {verdict: same, when: {dim: 0}}]\n", "cases[1]: never reached: cases[0] answers"),
    (HEAD + "cases: [{verdict: same, imports: [ops]}]\n", "'ops' is no import statement"),
    (HEAD + CASE % "" + "examples: [{before: y = (, after: y = 1}]\n", "examples[0].before: no Python"),
    (HEAD + CASE % "" + "examples: [{before: y = 1, after: y = 1, case: 1}]\n", "examples[0].case: there is no case 1"),
    (HEAD + CASE % "" + "examples: [{before: y = 1, after: y = 1, compare: none}]\n", "compare: none needs a reason"),
    ("torch: {function: numpy.cat}\nsummary: x\n" + CASE % "", "torch.function: 'numpy.cat' is no dotted torch name"),
    ("torch: {}\nsummary: x\n" + CASE % "", "torch: lists no name"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BAD)
def test_mistakes_are_named(text, message):
    assert message in "\n".join(problems_of(text))


def test_yaml_1_2_reads_numbers_as_an_author_means_them():
    mapping = read_mapping(HEAD + CASE % ", when: {eps: 1e-5, n: {at_least: 3}}", "x")
    assert isinstance(mapping, Mapping)
    assert mapping.cases[0].when["eps"] == 1e-5
    assert isinstance(mapping.cases[0].when["n"], Predicate)


def test_files_that_cannot_be_read_are_problems(tmp_path):
    (tmp_path / "a.yaml").write_bytes(b"torch: \xff")
    assert "not UTF-8 at byte 7" in str(read_mapping_file(tmp_path / "a.yaml")[0])
    assert "cannot be read" in str(read_mapping_file(tmp_path / "b.yaml")[0])


def test_safe_needs_an_agreeing_run():
    mapping = read_mapping(HEAD + CASE % "", "x")
    run = Evidence("value", "2.13.0", "2.10.0", "CPU", "run", 3, case=0)
    assert unproved_safe_cases(mapping) == (0,)
    for agrees, unproved in ((False, (0,)), (True, ())):
        seen = [msgspec.structs.replace(run, agrees=agrees)]
        assert unproved_safe_cases(msgspec.structs.replace(mapping, evidence=seen)) == unproved


def test_evidence_has_a_place_of_its_own():
    (problem,) = read_mapping(HEAD + CASE % "" + "evidence: []\n", "x")
    assert problem.key_path == "evidence" and "scripts/run_oracles.py" in problem.message
