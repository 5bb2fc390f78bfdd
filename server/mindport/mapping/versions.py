"""What is known of the target's version, in words: which versions have a name, and what the documentation of versions
without facts says."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.model.language import later, say, translated
from mindport.model.target import Version
from mindport.registry.mindspore import availability, collected_versions, mindspore_facts
from mindport.registry.tables import documented_at, documented_since, documented_targets

_GROWING = "mindspore.mint."  # each release had more of it; most else is older than 2.3
_SAID = {"consistent": later(" as consistent"), "differs": later(" with differences")}


def absence(names: Sequence[str], version: Version) -> str:
    """Which versions have the first of the MindSpore names that this one lacks; empty where none is known to."""
    if is_only_documented(version):
        return next((reason for name in names if (reason := _old_absence(name, version))), "")
    for name in names:
        found = availability(name, version)
        if found is not None and found.since is not None:
            return say("`{name}` exists since MindSpore {since}", name=name, since=found.since)
        if found is not None:
            return say("`{name}` is gone after MindSpore {until}", name=name, until=found.until)
    return ""


def _old_absence(name: str, version: Version) -> str:
    """Why a name is not written for a version that nothing was run with: the nearest build that could be looked into
    lacks it, or is newer and no documentation of the version's time names it, of a package that grew with each."""
    since = documented_since(name)
    if since is not None and since <= version:
        return ""
    facts = mindspore_facts(version)
    if not facts.has(name) and availability(name, version) is not None:
        return say("MindSpore {build} has no `{name}`", build=facts.build, name=name)
    if facts.collected_version > version and name.startswith(_GROWING):
        return say(
            "no documentation of MindSpore {major}.{minor} names `{name}`",
            major=version.major,
            minor=version.minor,
            name=name,
        )
    return ""


def is_only_documented(version: Version) -> bool:
    """Whether the version is older than those whose facts were collected, so that only its documentation speaks."""
    return version < collected_versions()[0]


def is_listed(torch_name: str, mindspore_name: str, version: Version) -> bool:
    """Whether the tables of a version name this one for a torch name."""
    row = documented_at(torch_name, version)
    return row is not None and row.mindspore == mindspore_name


def documented_later(names: Sequence[str], version: Version) -> str:
    """For versions without facts: that one of the MindSpore names is known from a later documentation only."""
    if not is_only_documented(version):
        return ""
    for name in names:
        since = documented_since(name)
        if since is not None and version < since:
            return say(
                "`{name}` is known from the documentation of MindSpore {major}.{minor} on",
                name=name,
                major=since.major,
                minor=since.minor,
            )
    return ""


def documented_words(torch_name: str, version: Version) -> str:
    """The row of the tables for a torch name, without its full stop: the version's own where it has no facts, else
    the newest; empty where there is none."""
    if is_only_documented(version):
        row, where = (
            documented_at(torch_name, version),
            say(" of MindSpore {major}.{minor}", major=version.major, minor=version.minor),
        )
    else:
        row, where = next(iter(documented_targets(torch_name)), None), ""
    if row is None:
        return ""
    return say(
        "the documentation{where} lists `{mindspore}`{how}; not verified",
        where=where,
        mindspore=row.mindspore,
        how=translated(_SAID.get(row.label, "")),
    )
