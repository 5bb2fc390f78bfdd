"""Which places of a file are written with a fixed shape by a fix. Only a graph minds a shape that depends on data, so
elsewhere nothing is changed unasked; an editor offers it all the same."""

from __future__ import annotations

from collections.abc import Mapping

from mindport.checking.engine import Engine
from mindport.model.finding import Finding
from mindport.model.span import Span
from mindport.model.target import Mode
from mindport.model.verdict import Applicability
from mindport.rewrite.fixed_shapes import FixedShape, fixed_shapes
from mindport.usage.api_use import FileUsage
from mindport.usage.places import Topic

_TOPICS = (Topic.MASK, Topic.RESULT)


def shape_fixes(text: str, usage: FileUsage, engine: Engine) -> Mapping[Span, FixedShape]:
    """What a fix may write for the findings at these spans, where the target is a graph."""
    if engine.target.mode is not Mode.GRAPH:
        return {}
    with engine.speaking():
        return {one.place.span: one for one in fixed_shapes(text, usage)}


def shape_fix_of(finding: Finding, fixes: Mapping[Span, FixedShape], engine: Engine) -> Applicability | None:
    """The best that may be done about a finding that is not about a use."""
    if finding.span not in fixes or not is_about_shape(finding, engine):
        return None
    return fixes[finding.span].rewrite.applicability


def is_about_shape(finding: Finding, engine: Engine) -> bool:
    """Whether a finding is of a rule about what is selected by data."""
    rule = engine.rules.get(finding.rule)
    return rule is not None and rule.topic in _TOPICS
