"""What a run of torch and MindSpore showed, as a sentence."""

from __future__ import annotations

import re

from mindport.mapping.schema import Evidence
from mindport.model.language import listing, say, translated
from mindport.model.target import Mode, Version
from mindport.registry.mindspore import collected_versions

_SLOW = 3  # times as long as torch: worth saying
_REFUSED = re.compile(r"raises for (\w+) input")
_DIFFERING = re.compile(r"(\w+) input differs")
_OTHER_DTYPE = re.compile(r"(\w+) where torch gives (\w+)")


def evidence_sentence(evidence: Evidence) -> str:
    """What a run saw, in one sentence."""
    names = {"torch": evidence.torch, "mindspore": evidence.mindspore, "device": evidence.device}
    versions = (
        say("torch {torch} and MindSpore {mindspore} on {device} in graph mode", **names)
        if evidence.mode == Mode.GRAPH.value
        else say("torch {torch} and MindSpore {mindspore} on {device}", **names)
    )
    if evidence.grade != "run":
        return say(
            "Evidence: {grade} for {versions}{note}.",
            grade=translated(evidence.grade),
            versions=versions,
            note=say("; {note}", note=translated(evidence.note)) if evidence.note else "",
        )
    if not evidence.agrees:
        return say(
            "Evidence: a run of {versions} disagreed. {note}",
            versions=versions,
            note=translated(evidence.note),
        ).strip()
    largest = (
        ""
        if evidence.max_abs is None
        else say(", largest difference {max_abs:.1g}", max_abs=evidence.max_abs)
    )
    samples = say("1 sample") if evidence.samples == 1 else say("{samples} samples", samples=evidence.samples)
    return say(
        "Evidence: {versions} agreed on {samples}{largest}.{slowness}",
        versions=versions,
        samples=samples,
        largest=largest,
        slowness=_slowness(evidence) + _other_inputs(evidence.note),
    )


def only_newer(version: Version) -> str:
    """What to think of answers for a release that was never run."""
    return say(
        "Nothing was run with MindSpore {version}: what is said here was seen with {oldest} and newer.",
        version=version,
        oldest=collected_versions()[0],
    )


def _other_inputs(note: str) -> str:
    """What a run saw with inputs of other types than the example's, which its note tells in set phrases."""
    found = []
    if refused := _REFUSED.findall(note):
        found.append(say(" It refuses {dtypes}.", dtypes=listing([*dict.fromkeys(refused)])))
    if differing := _DIFFERING.findall(note):
        found.append(say(" The values differ for {dtypes}.", dtypes=listing([*dict.fromkeys(differing)])))
    for given, wanted in dict.fromkeys(_OTHER_DTYPE.findall(note)):
        found.append(say(" It gives {given} where torch gives {wanted}.", given=given, wanted=wanted))
    return "".join(found)


def _slowness(evidence: Evidence) -> str:
    """What to know of the speed; empty where it is about torch's, or was not measured."""
    if evidence.time_ratio is None or evidence.time_ratio <= _SLOW:
        return ""
    return say(
        " It took {time_ratio:g} times as long as torch's call, measured on {time_elements:,} numbers.",
        time_ratio=evidence.time_ratio,
        time_elements=evidence.time_elements,
    )
