"""What is known of a torch name, or of a rule, as typed rows for programs: `mindport explain --json`. Keys are only
ever added."""

from __future__ import annotations

import msgspec

from mindport.explain.card import RulePage, rule_page
from mindport.explain.conditions import in_words
from mindport.explain.name_page import api_page, cases_of, evidence_of
from mindport.explain.replacement import case_code
from mindport.mapping.index import MappingIndex
from mindport.mapping.names import listed_names
from mindport.mapping.plan import target_names
from mindport.mapping.registered import has_registered_kernels, names_with_kernels
from mindport.mapping.schema import Case, Mapping
from mindport.mapping.versions import absence
from mindport.model.target import Target
from mindport.registry.torch import torch_facts


class EvidenceFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a run of both frameworks saw. `grade` is run, compiled or documented; only a run can agree."""

    torch: str
    mindspore: str
    device: str
    mode: str
    grade: str
    agrees: bool
    samples: int
    max_abs: float | None
    note: str


class CaseFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One answer, for calls to which no earlier one applies and its own condition does; `condition` is empty where it
    applies to all. `fix` is the most that may be done about it, `silent` what goes wrong without a message where only
    the name is changed, `absent` why it is not to be had with the target, `registered` whether MindSpore registers all
    kernels that it needs for the target's device (none where that is not known), `policy` and `tried` the way out where
    there is no equivalent."""

    condition: str
    verdict: str
    code: str
    fix: str
    silent: str
    why: str
    differences: tuple[str, ...]
    policy: str
    tried: tuple[str, ...]
    devices: tuple[str, ...]
    modes: tuple[str, ...]
    forms: tuple[str, ...]
    since: str
    until: str
    absent: str
    registered: bool | None
    evidence: tuple[EvidenceFacts, ...]


class ExampleFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Statements in torch and what becomes of them."""

    before: str
    after: str


class NameFacts(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="name"):
    """All that is known of a torch name; no cases where it was not judged. `page` is the page for people."""

    name: str
    target: str
    is_judged: bool
    summary: str
    also: tuple[str, ...]
    cases: tuple[CaseFacts, ...]
    examples: tuple[ExampleFacts, ...]
    page: str


class RuleFacts(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="rule"):
    """A rule. `page` is its page in Markdown."""

    code: str
    name: str
    page: str


def rule_facts(rule: RulePage) -> RuleFacts:
    """A rule as a row."""
    return RuleFacts(code=rule.code, name=rule.name, page=rule_page(rule))


def name_facts(name: str, target: Target, index: MappingIndex) -> NameFacts | None:
    """Everything known of a torch name. None if torch has no such public name."""
    mapping = index.find(name)
    page = api_page(name, target, index)
    if page is None or (mapping is None and torch_facts().kind(name) is None):
        return None
    return NameFacts(
        name=name,
        target=str(target),
        is_judged=mapping is not None,
        summary="" if mapping is None else mapping.summary,
        also=()
        if mapping is None
        else tuple(other for other, _ in listed_names(mapping.torch) if other != name),
        cases=()
        if mapping is None
        else tuple(
            _case(name, case, number, mapping, target) for number, case in cases_of(name, mapping, index)
        ),
        examples=()
        if mapping is None
        else tuple(ExampleFacts(before=one.before, after=one.after) for one in mapping.examples),
        page=page,
    )


def _case(api: str, case: Case, number: int, mapping: Mapping, target: Target) -> CaseFacts:
    return CaseFacts(
        condition=in_words(case),
        verdict=case.verdict,
        code=case_code(case),
        fix=case.fix,
        silent=case.silent or "",
        why=case.why,
        differences=tuple(case.differences),
        policy=case.policy or "",
        tried=tuple(case.tried),
        devices=tuple(case.devices),
        modes=tuple(case.modes),
        forms=tuple(case.forms),
        since=case.since or "",
        until=case.until or "",
        absent=absence(target_names(case), target.version) or "",
        registered=has_registered_kernels(case, names_with_kernels(api, case, target_names(case)), target),
        evidence=tuple(
            EvidenceFacts(
                torch=one.torch,
                mindspore=one.mindspore,
                device=one.device,
                mode=one.mode,
                grade=one.grade,
                agrees=one.is_proof,
                samples=one.samples,
                max_abs=one.max_abs,
                note=one.note,
            )
            for one in evidence_of(mapping.evidence, number, target)
        ),
    )
