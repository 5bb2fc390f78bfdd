"""What the installed MindSpore itself says of its bprops, in place of the data that ship: it knows best what it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from mindport.model.target import Version
from mindport.registry.bprops import (
    Chain,
    ChainState,
    CompiledVariant,
    Link,
    Measurement,
    Result,
    SecondOrderFacts,
)
from mindport.registry.probe import ProbeAnswer, ProbeFailure, run_probe

PROBE = "bprops"
SECONDS = 120.0


class LiveFacts:
    """The facts of a version with the registry of the installed MindSpore. Measurements stay those that ship, but for
    those that the installed registry contradicts."""

    def __init__(self, facts: SecondOrderFacts, version: Version, has: Mapping[str, bool]) -> None:
        self._facts = facts
        self._has = {name: installed for name, installed in has.items() if facts.needs_bprop(name)}
        self.collected_version = version
        self.measured_version = facts.measured_version

    def measured(self, api: str) -> tuple[Measurement, ...]:
        """What was measured of an API alone."""
        return self._still_true(api, self._facts.measured(api))

    def measured_together(self, api: str) -> tuple[Measurement, ...]:
        """What was measured of an API with others."""
        return self._still_true(api, self._facts.measured_together(api))

    def _still_true(self, api: str, rows: tuple[Measurement, ...]) -> tuple[Measurement, ...]:
        """The measurements without those that raised for a bprop that is there now, and without those that ran on ones
        that are gone."""
        lost = any(self._has.get(name) is False and shipped for name, shipped in self._operators(api))
        return tuple(
            row
            for row in rows
            if not self._has.get(row.missing) and not (lost and row.result in (Result.RIGHT, Result.WRONG))
        )

    def chain(self, api: str) -> tuple[Chain, ...]:
        """The operators of each variant, with the bprops that are installed."""
        return tuple(
            msgspec.structs.replace(chain, links=tuple(map(self._link, chain.links)))
            for chain in self._facts.chain(api)
        )

    def compiled(self, api: str) -> tuple[CompiledVariant, ...]:
        """What compiling said: of the version whose data ship, where it did not miss a bprop that is there now."""
        return tuple(
            msgspec.structs.replace(one, state=ChainState.UNKNOWN, missing="")
            if self._has.get(one.missing)
            else one
            for one in self._facts.compiled(api)
        )

    def emitters(self, operator: str) -> tuple[str, ...]:
        """The operators whose bprop may emit this one."""
        return self._facts.emitters(operator)

    def disagreements(self, api: str) -> tuple[str, ...]:
        """The operators of an API of which the data that ship say something else, in words."""
        found: dict[str, str] = {}
        for operator, shipped in self._operators(api):
            installed = self._has.get(operator)
            if installed is not None and shipped is not None and installed is not shipped:
                found[operator] = (
                    f"{operator} {'has a' if installed else 'has no'} bprop in the installed MindSpore, "
                    f"{'has one' if shipped else 'has none'} in the data of {self._facts.collected_version}"
                )
        return tuple(found.values())

    def _operators(self, api: str) -> list[tuple[str, bool | None]]:
        """The operators of an API with what the data that ship say of each."""
        return [pair for chain in self._facts.chain(api) for pair in _operators(chain.links)]

    def _link(self, link: Link) -> Link:
        return msgspec.structs.replace(
            link,
            has_bprop=self._has.get(link.operator, link.has_bprop),
            emits=tuple(map(self._link, link.emits)),
        )


def live_facts(facts: SecondOrderFacts, interpreter: Path, apis: Iterable[str]) -> LiveFacts | ProbeFailure:
    """Ask the MindSpore of an interpreter about the operators of some APIs; why not, where it does not answer."""
    operators = {name for api in apis for chain in facts.chain(api) for name, _ in _operators(chain.links)}
    return facts_of_answer(facts, run_probe(interpreter, PROBE, {"operators": sorted(operators)}, SECONDS))


def facts_of_answer(facts: SecondOrderFacts, answer: ProbeAnswer | ProbeFailure) -> LiveFacts | ProbeFailure:
    """The facts with what the probe answered; why not, where that says nothing."""
    if isinstance(answer, ProbeFailure):
        return answer
    has = answer.content.get("has")
    if not isinstance(has, dict) or not answer.content.get("source"):
        return ProbeFailure("its registries of bprops cannot be asked")
    try:
        version = Version.parse(str(answer.content.get("version")))
    except ValueError as error:
        return ProbeFailure(str(error))
    return LiveFacts(facts, version, {str(name): bool(value) for name, value in has.items()})


def _operators(links: tuple[Link, ...]) -> list[tuple[str, bool | None]]:
    found = []
    for link in links:
        found += [(link.operator, link.has_bprop), *_operators(link.emits)]
    return found
