#!/usr/bin/env python3
"""Writes the pages of docs/ that are generated; `--check` only says whether they are fresh (exit 1 if
not)."""

from __future__ import annotations

import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "server"))

from mindport.config.schema import settings_page  # noqa: E402

PAGES = {"docs/configuration.md": settings_page}


def main(arguments: list[str]) -> int:
    """Write every page that is not fresh, or with `--check` only name them."""
    stale = 0
    for name, render in PAGES.items():
        path = REPOSITORY / name
        text = render()
        if path.is_file() and path.read_text("utf-8") == text:
            continue
        stale += 1
        if "--check" in arguments:
            print(f"{name} is not fresh: run scripts/build_docs.py")
        else:
            path.write_text(text, "utf-8")
            print(f"wrote {name}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
