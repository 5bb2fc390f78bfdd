"""The findings of a document while it is typed in. Uses of parts that did not change are the same objects as before,
so what was found for them is looked up by identity; only the rest is judged."""

from __future__ import annotations

from collections.abc import Iterable

from mindport.check.engine import Engine, findings_of
from mindport.check.file_report import problem_finding, reported
from mindport.check.suppression import apply_suppressions, find_suppressions
from mindport.config.rule_filter import RuleFilter
from mindport.model.finding import Finding
from mindport.source.problem import Problem
from mindport.usage.api_use import ApiUse, FileUsage
from mindport.usage.mindspore_uses import MindSporeUse
from mindport.usage.places import CalledPlace, CodePlace
from mindport.usage.regions.link import Link


class LiveReport:
    """The findings of one document from version to version. The same as `check_usage` gives, but for `use_index`,
    which would make equal findings differ when a use is added above them."""

    def __init__(self, engine: Engine, rules: RuleFilter, path: str) -> None:
        self._engine = engine
        self._rules = rules
        self._path = path
        # The use is kept with its findings: an identity is good only while the object lives.
        self._known: dict[int, tuple[ApiUse, list[Finding]]] = {}
        self._links: tuple[tuple[Link, ...], list[Finding]] = ((), [])
        self._known_mindspore: dict[int, tuple[MindSporeUse, list[Finding]]] = {}
        self._known_places: dict[int, tuple[CodePlace, list[Finding]]] = {}

    def update(
        self,
        usage: FileUsage,
        text: str,
        problems: Iterable[Problem],
        links: tuple[Link, ...] = (),
        called: tuple[CalledPlace, ...] = (),
    ) -> tuple[Finding, ...]:
        """The findings of a version, in the order of their places."""
        present: dict[int, tuple[ApiUse, list[Finding]]] = {}
        raw: list[Finding] = []
        known = self._known
        for use in usage.uses:
            key = id(use)
            entry = known.get(key)
            if entry is None:
                entry = (use, findings_of(use, self._engine.assess(use), -1))
            present[key] = entry
            if entry[1]:
                raw += entry[1]
        self._known = present
        if links is not self._links[0]:
            self._links = (links, self._engine.link_findings(links))
        raw += self._links[1]
        raw += self._mindspore_findings(usage.mindspore)
        raw += self._place_findings(usage.places)
        raw += self._engine.called_findings(called)
        with self._engine.speaking():
            raw += [problem_finding(problem) for problem in problems]
        raw.sort(key=_place)
        left = apply_suppressions(raw, find_suppressions(text))
        return reported(left.findings, self._rules, self._path)

    def _mindspore_findings(self, uses: tuple[MindSporeUse, ...]) -> list[Finding]:
        known = self._known_mindspore
        self._known_mindspore = {
            id(use): known.get(id(use)) or (use, self._engine.mindspore_findings([use])) for use in uses
        }
        return [finding for _, findings in self._known_mindspore.values() for finding in findings]

    def _place_findings(self, places: tuple[CodePlace, ...]) -> list[Finding]:
        known = self._known_places
        self._known_places = {
            id(place): known.get(id(place)) or (place, self._engine.place_findings([place]))
            for place in places
        }
        return [finding for _, findings in self._known_places.values() for finding in findings]


def _place(finding: Finding) -> tuple[object, str]:
    return finding.span, finding.rule
