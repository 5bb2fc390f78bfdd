#!/usr/bin/env python3
"""Writes the table of figures into README.md, with the day of the newest run that they rest on. Run it before a
release; the figures change with every run, so no test compares them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "server"))

from mindport.registry.data_version import data_version  # noqa: E402
from mindport.rules.discover import all_rules  # noqa: E402
from website.figures import figures, table  # noqa: E402

_TABLE = re.compile(
    r"(<!-- figures: scripts/update_readme.py -->\n).*?(<!-- end of figures -->\n)", re.DOTALL
)


def updated(text: str) -> str:
    """The README with today's figures. Raises ValueError where it has no place for them."""
    found = figures()
    wrong = found.wrongly_consistent
    lines = [
        table(found),
        f"Of the {len(found.consistent)} names called consistent, {len(wrong)} are silently different for some calls;",
        f"they have {found.share(set(wrong)):.1%} of all uses. mindport has {len(all_rules())} kinds of finding.",
        f"Data: {data_version()}.",
        "",
    ]
    new, count = _TABLE.subn(lambda match: match[1] + "\n".join(lines) + match[2], text)
    if count != 1:
        raise ValueError("README.md has no place for the figures")
    return new


if __name__ == "__main__":
    README = REPOSITORY / "README.md"
    README.write_text(updated(README.read_text("utf-8")), "utf-8")
