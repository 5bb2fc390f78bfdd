"""What can be counted of the catalogue beside MindSpore's own tables, for the site's comparison and the README. Uses
are those of the public code that was counted for `mappings/_frameworks/torch_usage.json`."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from string import Template

import msgspec

from mindport.explain.markdown import table as markdown_table
from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Case, Mapping
from mindport.model.target import Mode
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.tables import documented_targets, torch_usage

_MOST_SHOWN = 20


class Figures(msgspec.Struct, frozen=True):
    """Sets of torch names, and how much of all counted uses the names of a set have."""

    listed: frozenset[str]  # in MindSpore's tables
    consistent: frozenset[str]  # called so by the newest table that has them
    judged: frozenset[str]
    run: frozenset[str]  # with a run by the newest MindSpore in PyNative that agreed
    silent: dict[str, str]  # -> what goes wrong without a message for some of their calls

    def share(self, names: Set[str]) -> float:
        """The share of the counted uses, from 0 to 1."""
        counts = torch_usage()
        return sum(counts[name].uses for name in names if name in counts) / uses()

    @property
    def wrongly_consistent(self) -> list[str]:
        """Names that the tables call consistent and that are silently different for some calls, commonest first."""
        counts = torch_usage()
        found = self.consistent & self.silent.keys()
        return sorted(found, key=lambda name: (-counts[name].uses if name in counts else 0, name))


def uses() -> int:
    """How many uses were counted."""
    return sum(count.uses for count in torch_usage().values())


def figures(index: MappingIndex | None = None) -> Figures:
    """Count everything."""
    judged: set[str] = set()
    run: set[str] = set()
    silent: dict[str, str] = {}
    for _, mapping in (index or load_index()).mappings():
        for name, form in listed_names(mapping.torch):
            cases = {
                number: case
                for number, case in enumerate(mapping.cases)
                if not case.forms or form in case.forms
            }
            judged.add(name)
            if _is_run(mapping, cases):
                run.add(name)
            if said := next((case.silent for case in cases.values() if case.silent), None):
                silent[name] = said
    counted = (*judged, *torch_usage())
    tables = {name: rows[0] for name in counted if (rows := documented_targets(name))}
    consistent = frozenset(name for name, row in tables.items() if row.label == "consistent")
    return Figures(frozenset(tables), consistent, frozenset(judged), frozenset(run), silent)


def _is_run(mapping: Mapping, cases: dict[int, Case]) -> bool:
    newest = str(mindspore_facts().collected_version)
    return any(
        one.is_proof and one.case in cases and (one.mindspore, one.mode) == (newest, Mode.PYNATIVE.value)
        for one in mapping.evidence
    )


def table(found: Figures) -> str:
    """The figures as a table in Markdown."""
    version = mindspore_facts().collected_version
    rows = [
        ("in MindSpore's own tables", found.listed),
        ("called consistent there", found.consistent),
        ("judged by mindport", found.judged),
        (f"of these, run with MindSpore {version} on CPU, and torch agreed", found.run),
    ]
    lines = [f"| names of torch | how many | share of {uses():,} uses |", "|---|--:|--:|"]
    lines += [f"| {words} | {len(names):,} | {found.share(names):.1%} |" for words, names in rows]
    return "\n".join(lines) + "\n"


def comparison_page() -> str:
    """The page that sets mindport beside what else there is."""
    found = figures()
    wrong = found.wrongly_consistent
    shown = wrong[:_MOST_SHOWN]
    values = {
        "uses": f"{uses():,}",
        "table": table(found),
        "consistent": str(len(found.consistent)),
        "wrong": str(len(wrong)),
        "share": f"{found.share(set(wrong)):.1%}",
        "shown": str(len(shown)),
        "rows": "\n".join(
            markdown_table(["name", "what goes wrong"], [(f"`{name}`", found.silent[name]) for name in shown])
        ),
    }
    return Template((Path(__file__).parent / "comparison.md").read_text("utf-8")).substitute(values)
