"""Which rules have something to say of what: the rules by the kind of subject that they speak for."""

from __future__ import annotations

from collections.abc import Iterable

from mindport.mapping.second_order import LinkOutcome
from mindport.rules.outcome import Outcome
from mindport.rules.rule import (
    Check,
    FeatureCheck,
    LinkCheck,
    MindSporeCheck,
    PlaceCheck,
    Rule,
    StepCheck,
)
from mindport.usage.places import Topic


class Speakers:
    """The rules with their checks. `of_uses` by the outcome of a judged use; `of_features` are asked about every use
    besides; `of_links` by the outcome of a second order, `of_places` by topic."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.of_uses: dict[Outcome, list[tuple[Rule, Check]]] = {}
        self.of_features: list[tuple[Rule, FeatureCheck]] = []
        self.of_links: dict[LinkOutcome, tuple[Rule, LinkCheck]] = {}
        self.of_mindspore: list[tuple[Rule, MindSporeCheck]] = []
        self.of_places: dict[Topic, list[tuple[Rule, PlaceCheck]]] = {}
        self.of_steps: list[tuple[Rule, StepCheck]] = []
        for rule in rules:
            if rule.outcome is not None and rule.check is not None:
                self.of_uses.setdefault(rule.outcome, []).append((rule, rule.check))
            if rule.check_feature is not None:
                self.of_features.append((rule, rule.check_feature))
            if rule.link_outcome is not None and rule.check_link is not None:
                self.of_links[rule.link_outcome] = (rule, rule.check_link)
            if rule.check_mindspore is not None:
                self.of_mindspore.append((rule, rule.check_mindspore))
            if rule.topic is not None and rule.check_place is not None:
                self.of_places.setdefault(rule.topic, []).append((rule, rule.check_place))
            if rule.check_step is not None:
                self.of_steps.append((rule, rule.check_step))
