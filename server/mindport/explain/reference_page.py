"""The whole page of a torch name, for the site and `mindport explain --full`: what `mindport explain` says for a
target, then the arguments, the runs with every version and how to repeat them, and second-order gradients."""

from __future__ import annotations

from mindport.explain.argument_table import argument_table
from mindport.explain.markdown import tidy
from mindport.explain.name_page import api_page, cases_of
from mindport.explain.replacement import case_code
from mindport.explain.target_words import target_words
from mindport.explain.version_table import device_lines, version_table
from mindport.mapping.index import MappingIndex
from mindport.mapping.localised import localised
from mindport.mapping.plan import target_names
from mindport.mapping.schema import Case, Mapping
from mindport.mapping.second_order import second_order_of
from mindport.model.language import say
from mindport.model.target import Target
from mindport.registry.bprops import second_order_facts
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts

_MOST_TABLES = 3
_MOST_SECOND_ORDER = 3


def reference_page(name: str, target: Target, index: MappingIndex) -> str | None:
    """All that is known of a torch name, in Markdown. None if torch has no such public name."""
    page = api_page(name, target, index)
    found = index.find(name)
    if page is None or found is None:
        return page
    mapping = localised(found)
    cases = cases_of(name, mapping, index)
    lines = [page.rstrip(), ""]
    lines += _arguments(name, cases)
    lines += _runs(name, mapping, cases, index)
    lines += _second_order(cases, target)
    return tidy(lines)


def _arguments(name: str, cases: list[tuple[int, Case]]) -> list[str]:
    signatures = torch_facts().signatures(name)
    if not signatures:
        return []
    lines: list[str] = []
    shown: list[list[str]] = []
    for _, case in cases:
        theirs = mindspore_facts().signatures(case.call) if case.call else ()
        rows = argument_table(case, signatures[0], theirs)
        if rows and rows not in shown and len(shown) < _MOST_TABLES:
            shown.append(rows)
            lines += [say("With `{code}`:", code=case_code(case)), "", *rows, ""]
    return [say("## Arguments"), "", *lines] if lines else []


def _runs(name: str, mapping: Mapping, cases: list[tuple[int, Case]], index: MappingIndex) -> list[str]:
    rows = version_table(mapping, cases)
    if not rows:
        return []
    lines = [say("## Versions and devices"), "", *rows, "", *device_lines(cases), ""]
    lines += [
        say(
            "Run it again on your machine with `mindport prove {name}`, or in a checkout with `{command}`.",
            name=name,
            command=f".venv-oracle/bin/python scripts/run_oracles.py mappings/{index.file(name)}",
        ),
        "",
    ]
    return lines


def _second_order(cases: list[tuple[int, Case]], target: Target) -> list[str]:
    facts = second_order_facts(target.version)
    names = list(dict.fromkeys(name for _, case in cases for name in target_names(case)))
    lines: list[str] = []
    for name in names[:_MOST_SECOND_ORDER]:
        if not facts.measured(name) and not facts.chain(name):
            continue
        answer = second_order_of(name, target, target.mode, facts)
        lines += [f"`{name}`, {target_words(target)}:", "", *(f"- {line}" for line in answer.lines()), ""]
    if not lines:
        return []
    return [
        say("## Gradient of a gradient"),
        "",
        *lines,
        say("More with `mindport explain --second-order {name}`.", name=names[0]),
    ]
