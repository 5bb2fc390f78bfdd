"""Everything about one torch name on one target that does not depend on the call: which cases fit the
target, what proves them, and what keeps the others out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from mindport.mapping.localised import localised
from mindport.mapping.registered import (
    has_registered_kernels,
    named_by_helpers,
    names_with_kernels,
    without_kernel,
)
from mindport.mapping.schema import Case, Evidence, Forms, Mapping
from mindport.mapping.template import read_template
from mindport.mapping.versions import absence, documented_later, documented_words, is_only_documented
from mindport.model.language import say, translated
from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Applicability, Grade
from mindport.registry.mindspore import Deprecation, mindspore_facts
from mindport.registry.signature import Signature

_CALLED = ("function", "class", "cell_class", "optimizer_class")


class TorchSide(Protocol):
    """The part of the torch facts that judging reads."""

    def signatures(self, name: str, /) -> tuple[Signature, ...]: ...


class MindSporeSide(Protocol):
    """The part of the MindSpore facts that judging reads."""

    def has(self, name: str, /) -> bool: ...
    def signatures(self, name: str, /) -> tuple[Signature, ...]: ...
    def devices(self, name: str, /) -> frozenset[Device] | None: ...
    def has_kernel(self, name: str, device: Device, /) -> bool | None: ...
    def deprecation(self, name: str, /) -> Deprecation | None: ...


class CasePlan(msgspec.Struct, frozen=True):
    """One case on one target."""

    index: int
    applicability: Applicability | None
    grade: Grade | None
    evidence: Evidence | None
    signatures: tuple[Signature, ...]  # of the MindSpore name
    deprecated: str
    version_note: str  # that the target is older than what the documentation tells of


class Plan(msgspec.Struct, frozen=True):
    """One torch name on one target."""

    mapping: Mapping
    form: Forms
    cases: dict[int, CasePlan]  # the cases that fit the target, in order
    signatures: tuple[Signature, ...]  # torch's
    version_reason: str
    device_reason: str
    documented: str = ""  # what the tables of a version say that there are no facts of

    @property
    def helper(self) -> CasePlan | None:
        """The case that serves where nothing else can be written."""
        return next((one for index, one in self.cases.items() if self.mapping.cases[index].helper), None)


def make_plan(
    api: str, mapping: Mapping, form: Forms, target: Target, torch: TorchSide, mindspore: MindSporeSide
) -> Plan:
    """Sort the cases of a mapping by whether they fit the target."""
    cases: dict[int, CasePlan] = {}
    version_reason = device_reason = ""
    seen = mapping.evidence
    for index, case in enumerate(mapping.cases):
        if case.forms and form not in case.forms:
            continue
        if case.modes and target.mode.value not in case.modes:
            continue
        if case.devices and target.device.value not in case.devices:
            if case.verdict != "none":
                device_reason = device_reason or say(
                    "{written} is for {names}", written=_written(case), names=_listed(case.devices)
                )
            continue
        reason = _version_reason(case, target.version)
        if reason:
            version_reason = version_reason or reason
            continue
        names = target_names(case)
        evidence = find_evidence(seen, index, target)
        if evidence is None:
            evidence = _of_another_version(seen, index, names, target, mindspore)
        runs = evidence is not None and evidence.agrees and evidence.grade != "documented"
        reason = "" if runs else absence(names, target.version) or _absence_in_helpers(case, target.version)
        if reason:
            version_reason = version_reason or reason
            continue
        unsupported = None if case.devices or runs else _unsupported(names, target, mindspore)
        if unsupported is not None:
            device_reason = device_reason or unsupported
            continue
        cases[index] = CasePlan(
            index,
            _applicability(case, evidence),
            _grade(evidence, case, names_with_kernels(api, case, names), target),
            evidence,
            mindspore.signatures(case.call) if case.call else (),
            translated(case.deprecated or "") or _deprecation(names, mindspore),
            "" if case.since else documented_later(names, target.version),
        )
    documented = documented_words(api, target.version) if is_only_documented(target.version) else ""
    return Plan(
        localised(mapping), form, cases, torch.signatures(api), version_reason, device_reason, documented
    )


def target_names(case: Case) -> tuple[str, ...]:
    """The full MindSpore names that the replacement of a case refers to."""
    if case.call is not None:
        return (case.call,)
    if case.rewrite is None:
        return ()
    full = []
    for name in read_template(case.rewrite).names:
        root, dot, rest = name.partition(".")
        if root in ("ops", "mint", "nn") and dot:
            full.append(f"mindspore.{root}.{rest}")
        elif root == "mindspore" and dot:
            full.append(name)
    return tuple(full)


def _absence_in_helpers(case: Case, version: Version) -> str:
    """For a version that nothing was run with: what it lacks of the functions that the helpers of a case call. Methods
    are left out: helpers look whether there is one."""
    if not is_only_documented(version):
        return ""
    newest = mindspore_facts()
    return absence([one for one in sorted(named_by_helpers(case)) if newest.kind(one) in _CALLED], version)


def find_evidence(evidence: Sequence[Evidence], case: int, target: Target) -> Evidence | None:
    """What was seen of a case on exactly this version, device and mode; a run that disagrees counts before
    one that agrees."""
    fitting = [
        one
        for one in evidence
        if one.case == case
        and (one.device, one.mode) == _place(target)
        and _release(one.mindspore) == target.version
    ]
    ranks = {"run": 0, "compiled": 1, "documented": 2}
    return min(fitting, key=lambda one: (one.agrees, ranks[one.grade]), default=None)


def _of_another_version(
    evidence: Sequence[Evidence], case: int, names: Sequence[str], target: Target, mindspore: MindSporeSide
) -> Evidence | None:
    """What a run with another version tells of the target's: where all MindSpore names have the same signatures and
    kernels in both, the replacement compiles there too, which is less than a proof."""
    if not names or is_only_documented(target.version):
        return None
    for row in sorted(evidence, key=lambda one: _release(one.mindspore), reverse=True):
        if row.case != case or not row.is_proof or (row.device, row.mode) != _place(target):
            continue
        there = mindspore_facts(_release(row.mindspore))
        if there.collected_version == _release(row.mindspore) and all(
            _looks_alike(name, target.device, mindspore, there) for name in names
        ):
            return msgspec.structs.replace(
                row,
                grade="compiled",
                mindspore=str(target.version),
                note=say(
                    "a run with {mindspore} agreed; signatures and kernels are the same",
                    mindspore=row.mindspore,
                ),
            )
    return None


def _looks_alike(name: str, device: Device, here: MindSporeSide, there: MindSporeSide) -> bool:
    return (
        here.has(name)
        and there.has(name)
        and here.signatures(name) == there.signatures(name)
        and here.has_kernel(name, device) == there.has_kernel(name, device)
    )


def _place(target: Target) -> tuple[str, str]:
    return target.device.value, target.mode.value


def _release(text: str) -> Version:
    try:
        return Version.parse(text)
    except ValueError:
        return Version(0, 0)


def _version_reason(case: Case, version: Version) -> str:
    if case.since is not None and version < Version.parse(case.since):
        return say(
            "{written} needs MindSpore {version}", written=_written(case), version=Version.parse(case.since)
        )
    if case.until is not None and version > Version.parse(case.until):
        return say(
            "{written} is gone after MindSpore {version}",
            written=_written(case),
            version=Version.parse(case.until),
        )
    return ""


def _written(case: Case) -> str:
    written = case.call or case.rewrite or case.helper
    return f"`{written}`" if written else say("what would serve")


def _listed(devices: Sequence[str]) -> str:
    return " and ".join(sorted(devices))


def _unsupported(names: Sequence[str], target: Target, mindspore: MindSporeSide) -> str | None:
    device = target.device
    for name in names:
        if mindspore.has_kernel(name, device) is False:
            return say("`{name}` has no kernel on {device}", name=name, device=device.value)
        devices = mindspore.devices(name)
        if devices is not None and device not in devices:
            return say(
                "`{name}` is documented for {names} only",
                name=name,
                names=_listed([one.value for one in devices]),
            )
    if device is not Device.CPU and (lacking := without_kernel(names, target)):  # on CPU calls have shown it
        return say("no kernel of `{name}` is registered for {device}", name=lacking, device=device.value)
    return None


def _deprecation(names: Sequence[str], mindspore: MindSporeSide) -> str:
    for name in names:
        found = mindspore.deprecation(name)
        if found is not None:
            since = (
                say("deprecated since MindSpore {since}", since=found.since)
                if found.since
                else say("deprecated")
            )
            return say("`{name}` is {since}", name=name, since=since) + (
                say("; use {instead}", instead=found.instead) if found.instead else ""
            )
    return ""


def _applicability(case: Case, evidence: Evidence | None) -> Applicability | None:
    if case.call is None and case.rewrite is None and case.helper is None:
        return None
    if case.fix == "display":
        return Applicability.DISPLAY
    is_proved = evidence is not None and evidence.is_proof
    return Applicability.SAFE if case.fix == "safe" and is_proved else Applicability.UNSAFE


def _grade(evidence: Evidence | None, case: Case, names: Sequence[str], target: Target) -> Grade | None:
    if evidence is not None and evidence.agrees:
        return Grade(evidence.grade)
    if case.verdict == "none":
        return None
    if evidence is not None or target.device is Device.CPU:  # on CPU calls have shown which kernels there are
        return Grade.DOCUMENTED
    is_registered = has_registered_kernels(case, names, target)
    return Grade.REGISTERED if is_registered else Grade.DOCUMENTED
