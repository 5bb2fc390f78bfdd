"""The configurations that the pages of docs/editors show, so that what users are told is what the tests run."""

from __future__ import annotations

import re
from pathlib import Path

_PAGES = Path(__file__).parents[2] / "docs" / "editors"
_BLOCK = re.compile(r"^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def configuration(page: str, *headings: str) -> str:
    """The first block of code below each of the headings of a page, together."""
    sections = dict(
        part.partition("\n")[::2]
        for part in (_PAGES / f"{page}.md").read_text(encoding="utf-8").split("\n## ")
    )
    blocks = []
    for heading in headings:
        block = _BLOCK.search(sections[heading])
        assert block is not None, f"{page}: no code below {heading!r}"
        blocks.append(block[1])
    return "\n".join(blocks)
