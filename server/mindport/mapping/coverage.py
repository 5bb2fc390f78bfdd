"""What the catalogue leaves open: core names without a verdict, and advice that is too general to help."""

from __future__ import annotations

from collections.abc import Iterable

from mindport.mapping.draft import is_draft
from mindport.mapping.index import MappingIndex
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Case, Mapping

MOST_NAMES_OF_ONE_ADVICE = 10


def not_judged(index: MappingIndex, names: Iterable[str]) -> tuple[str, ...]:
    """Those of `names` that no mapping lists, or only a draft."""
    drafts = {
        name
        for _, mapping in index.mappings()
        if is_draft(mapping)
        for name, _ in listed_names(mapping.torch)
    }
    return tuple(name for name in names if name in drafts or index.find(name) is None)


def shared_advice(index: MappingIndex) -> dict[str, tuple[str, ...]]:
    """Advice (`why`, each line of `tried`) of `none` cases that serves more than ten names -> those names, over all
    files together. What is said of that many names says nothing about each."""
    served: dict[str, dict[str, None]] = {}
    for _, mapping in index.mappings():
        for case in mapping.cases:
            if case.verdict == "none":
                for text in filter(None, (case.why, *case.tried)):
                    served.setdefault(" ".join(text.split()), {}).update(
                        dict.fromkeys(_names_of(mapping, case))
                    )
    return {text: tuple(names) for text, names in served.items() if len(names) > MOST_NAMES_OF_ONE_ADVICE}


def _names_of(mapping: Mapping, case: Case) -> Iterable[str]:
    return (name for name, form in listed_names(mapping.torch) if not case.forms or form in case.forms)
