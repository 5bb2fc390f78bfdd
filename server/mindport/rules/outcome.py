"""Sorts a judged use into the one kind of finding that says most about it; the rules share this so that
none of them speaks where another already does."""

from __future__ import annotations

import enum

from mindport.mapping.judgement import DifferenceKind, Judgement
from mindport.mapping.schema import Case
from mindport.model.verdict import Confidence, Verdict
from mindport.registry.torch import torch_facts
from mindport.usage.api_use import ApiUse, Form


class Outcome(enum.Enum):
    """What there is to say about a use; NOTHING for those that work as they are."""

    NOTHING = "nothing"
    SILENT = "silent"
    ABSENT = "absent"
    TOO_OLD = "too old"
    NOT_ON_DEVICE = "not on device"
    LIBRARY = "library"
    ARGUMENT = "argument"
    COMPOSED = "composed"
    DEPRECATED = "deprecated"
    DEPENDS = "depends"
    RENAMED = "renamed"
    GUESSED = "guessed"
    NOT_JUDGED = "not judged"
    UNKNOWN_NAME = "unknown name"
    CONFIG = "config"
    DYNAMIC = "dynamic"


def outcome_of(use: ApiUse, judgement: Judgement) -> Outcome:
    """The outcome of one use. Code already guarded for two frameworks has none."""
    if use.guarded:
        return Outcome.NOTHING
    if use.form is Form.DYNAMIC:
        return Outcome.DYNAMIC
    if use.form is Form.CONFIG:
        return Outcome.CONFIG
    if use.library:
        # Once for each import is enough to know; the inventory lists the uses.
        return Outcome.LIBRARY if use.form is Form.IMPORT else Outcome.NOTHING
    outcome = _judged(use, judgement)
    if use.form is Form.IMPORT and outcome is not Outcome.UNKNOWN_NAME:
        return Outcome.NOTHING  # the places where the name is used say what to write
    if use.confidence is Confidence.GUESSED and outcome is not Outcome.NOTHING:
        return Outcome.GUESSED
    return outcome


def _judged(use: ApiUse, judgement: Judgement) -> Outcome:
    verdict = judgement.verdict
    if judgement.depends_on:
        return _open(possible_cases(judgement))
    if verdict is Verdict.NOT_JUDGED:
        return Outcome.NOT_JUDGED if is_public(use.api) else Outcome.UNKNOWN_NAME
    if verdict is Verdict.NONE:
        if judgement.version_reason:
            return Outcome.TOO_OLD
        return Outcome.NOT_ON_DEVICE if judgement.device_reason else Outcome.ABSENT
    if judgement.silent:
        return Outcome.SILENT
    if verdict is Verdict.DIFFERS or loses_argument(judgement):
        return Outcome.ARGUMENT
    if judgement.deprecated:
        return Outcome.DEPRECATED
    if verdict is Verdict.COMPOSED:
        return Outcome.COMPOSED
    return Outcome.NOTHING if verdict is Verdict.SAME else Outcome.RENAMED


def is_public(api: str) -> bool:
    """Whether torch has the name. Of torchvision and the like only some names are known, so those pass."""
    if api != "torch" and not api.startswith("torch."):
        return True
    if api == "torch.npu" or api.startswith("torch.npu."):
        return True  # torch_npu puts it there
    return torch_facts().canonical(api) is not None


def possible_cases(judgement: Judgement) -> list[Case]:
    """The cases between which an unknown value decides."""
    mapping = judgement.mapping
    return [] if mapping is None else [mapping.cases[index] for index in judgement.possible]


def loses_argument(judgement: Judgement) -> bool:
    """Whether an argument of this very call has no counterpart."""
    return any(
        difference.matters and difference.kind in (DifferenceKind.MISSING, DifferenceKind.REPORTED)
        for difference in judgement.differences
    )


def _open(cases: list[Case]) -> Outcome:
    """Where all possible answers are of one kind, the unknown value does not matter for the kind."""
    if cases and all(case.verdict == "none" for case in cases):
        return Outcome.ABSENT
    if cases and all(case.silent and case.verdict != "none" for case in cases):
        return Outcome.SILENT
    return Outcome.DEPENDS
