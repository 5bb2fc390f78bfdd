"""How often each rule was broken: `mindport check --statistics`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from mindport.model.language import say
from mindport.report.json_text import json_text
from mindport.report.rows import RuleCount


def statistics_lines(rows: Sequence[RuleCount], names: Mapping[str, str]) -> Iterator[str]:
    """`1088  MP107  needs-composition  (814 [*], 200 [-])`, one line for each rule; `names` are those of the rules by
    their codes. `[*]` counts the findings that `mindport fix` removes, `[-]` those that it removes with
    --unsafe-fixes."""
    width = len(str(rows[0].count)) if rows else 0
    longest = max((len(names.get(row.code, "")) for row in rows), default=0)
    for row in rows:
        fixable = [f"{count} {mark}" for count, mark in ((row.safe, "[*]"), (row.unsafe, "[-]")) if count]
        behind = f"  ({say(', ').join(fixable)})" if fixable else ""
        name = names.get(row.code, "")
        yield f"{row.count:>{width}}  {row.code}  {name:<{longest}}{behind}".rstrip()


def statistics_json(rows: Sequence[RuleCount], names: Mapping[str, str]) -> str:
    """A list with one object for each rule."""
    found = [{**msgspec.structs.asdict(row), "name": names.get(row.code, "")} for row in rows]
    return json_text(found)
