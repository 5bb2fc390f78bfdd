"""Writes the two small tables of mappings/_frameworks: what MindSpore's own pages name for each torch API,
and how often each is used in public code. Both are made from larger measurement files given by path."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from framework_facts.output import write_facts

ROOT = Path(__file__).resolve().parent.parent / "mappings" / "_frameworks"
# What the pages say of a pair, in our words.
LABELS = {"consistent": "consistent", "diff_page": "differs", "free_text": "differs", "blank": "unstated"}


def documented_table(records: list[dict[str, Any]]) -> dict[str, list[list[str]]]:
    """torch name -> [MindSpore name, label, first, last documented version], newest documentation first."""
    table: dict[str, list[list[str]]] = {}
    for record in records:
        if not record.get("ms"):
            continue
        branches = [branch.lstrip("r") for branch in record["branches"]]
        row = [record["ms"], LABELS[record["label"]], branches[0], branches[-1]]
        rows = table.setdefault(record["torch"], [])
        if row not in rows:
            rows.append(row)
    for rows in table.values():
        rows.sort(key=lambda row: (_newest_first(row[3]), row))
    return table


def _newest_first(version: str) -> list[int]:
    return [-1000] if version == "master" else [-int(part) for part in version.split(".")]


def usage_table(rows: list[dict[str, Any]]) -> dict[str, list[int]]:
    """torch name -> [uses, packages]; names whose count is not known are left out."""
    return {row["api"]: [row["count"], row["packages"]] for row in rows if row["count"] is not None}


def main() -> int:
    """Write both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("documented", type=Path, help="JSON with `records` of torch, ms, label and branches")
    parser.add_argument("usage", type=Path, help="JSON list of api, count and packages")
    options = parser.parse_args()
    documented = documented_table(json.loads(options.documented.read_text(encoding="utf-8"))["records"])
    usage = usage_table(json.loads(options.usage.read_text(encoding="utf-8")))
    write_facts(ROOT / "official_tables.json", {"names": documented})
    write_facts(ROOT / "torch_usage.json", {"names": usage})
    print(f"{len(documented)} documented torch names, {len(usage)} used ones")
    return 0


if __name__ == "__main__":
    sys.exit(main())
