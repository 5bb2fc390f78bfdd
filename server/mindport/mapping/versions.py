"""What is known of the target's version, in words: which versions have a name, and what the documentation of versions
without facts says."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.model.language import later, say, translated
from mindport.model.target import Version
from mindport.registry.mindspore import availability, collected_versions
from mindport.registry.tables import documented_at, documented_since, documented_targets

_SAID = {"consistent": later(" as consistent"), "differs": later(" with differences")}


def absence(names: Sequence[str], version: Version) -> str:
    """Which versions have the first of the MindSpore names that this one lacks; empty where none is known to."""
    for name in names:
        found = availability(name, version)
        if found is not None and found.since is not None:
            return say("`{name}` exists since MindSpore {since}", name=name, since=found.since)
        if found is not None:
            return say("`{name}` is gone after MindSpore {until}", name=name, until=found.until)
    return ""


def is_only_documented(version: Version) -> bool:
    """Whether the version is older than those whose facts were collected, so that only its documentation speaks."""
    return version < collected_versions()[0]


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
