"""What can really be written at a place: a judgement knows the call, but not the text around and inside it."""

from __future__ import annotations

import functools

import msgspec

from mindport.checking.engine import Assessment, Engine
from mindport.mapping.named_class import names_several
from mindport.mapping.template import read_template
from mindport.model.language import say
from mindport.rewrite.propose import propose
from mindport.source.lines import LineIndex
from mindport.usage.api_use import ApiUse


def as_writable(use: ApiUse, assessment: Assessment, lines: LineIndex, engine: Engine) -> Assessment:
    """The assessment with the fix that the text at the place allows, and why not more."""
    if assessment.fix is None:
        return assessment
    rewrites = propose(use, assessment.judgement, lines, engine.torch, engine.mindspore)
    if not rewrites:
        with engine.speaking():
            reason = say("cannot be written at this place; see the card")
        return msgspec.structs.replace(assessment, fix=None, reason=reason)
    if rewrites[0].loses_comment:
        with engine.speaking():
            reason = say("a comment inside the call would be lost")
        return msgspec.structs.replace(assessment, fix=rewrites[0].applicability, reason=reason)
    return assessment


def depends_on_text(assessment: Assessment) -> bool:
    """Whether the fix is one of those that often cannot be written: its template has an argument twice, or within
    names of its own, or names several classes. To ask for every fix would double the time of a check, and 199 of 200
    can be written."""
    case = assessment.judgement.case
    return (
        assessment.fix is not None
        and case is not None
        and case.rewrite is not None
        and (_asks_much(case.rewrite) or names_several(case))
    )


@functools.lru_cache(maxsize=1024)
def _asks_much(template: str) -> bool:
    holes = read_template(template).holes
    return len({hole.name for hole in holes}) < len(holes) or any(hole.hidden for hole in holes)
