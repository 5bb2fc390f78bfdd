#!/usr/bin/env python3
"""Puts the entries of changes/ into CHANGELOG.md, each under the heading of its kind.

    scripts/build_changelog.py            # prints what the next release will say
    scripts/build_changelog.py 0.2.0      # writes it, as that version and of today, and removes the entries

Ends with 1 where an entry cannot be placed, or the version is another than that of the package."""

from __future__ import annotations

import argparse
import datetime
import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "server"))

from mindport import __version__  # noqa: E402

CHANGES = REPOSITORY / "changes"
CHANGELOG = REPOSITORY / "CHANGELOG.md"
KINDS = {"use": "You can now", "written": "What is written, and when:", "run": "What is run, and when:"}
_UNRELEASED = "## Unreleased\n"
_WIDTH = 120


def main(arguments: Sequence[str]) -> int:
    """Print or write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("version", nargs="?")
    version = parser.parse_args(arguments).version
    files = sorted(path for path in CHANGES.glob("*.md") if path.name != "README.md")
    if wrong := [path.name for path in files if kind_of(path.name) is None]:
        print(f"changes/: the name says no kind ({', '.join(KINDS)}): {', '.join(wrong)}", file=sys.stderr)
        return 1
    entries = [(kind_of(path.name) or "", path.read_text("utf-8")) for path in files]
    text = gathered(CHANGELOG.read_text("utf-8"), entries)
    if version is None:
        print(text[text.index(_UNRELEASED) :].partition("\n## ")[0])
        return 0
    if version != __version__:
        print(f"the package is of version {__version__}: mindport/__init__.py has it", file=sys.stderr)
        return 1
    CHANGELOG.write_text(released(text, version, datetime.date.today()), "utf-8")
    for path in files:
        path.unlink()
    return 0


def kind_of(name: str) -> str | None:
    """The kind that the name of a file says, `streams.written.md`; None where it says none."""
    parts = name.split(".")
    return parts[1] if len(parts) == 3 and parts[1] in KINDS else None


def gathered(changelog: str, entries: Iterable[tuple[str, str]]) -> str:
    """The changelog with entries, `(kind, text)`, at the ends of the lists of what is not released."""
    head, _, rest = changelog.partition(_UNRELEASED)
    unreleased, mark, older = rest.partition("\n## ")
    for kind, text in entries:
        unreleased = _with_entry(unreleased.rstrip("\n") + "\n", KINDS[kind], _item(text))
    return f"{head}{_UNRELEASED}{unreleased}{mark}{older}"


def released(changelog: str, version: str, day: datetime.date) -> str:
    """The changelog with what was not released as a version, below an empty list."""
    return changelog.replace(_UNRELEASED, f"{_UNRELEASED}\n## {version} ({day.isoformat()})\n", 1)


def _with_entry(text: str, heading: str, item: str) -> str:
    """The text with the item at the end of the list below a heading, which is added where it is not there."""
    found = re.search(rf"^.*{re.escape(heading)}$", text, re.MULTILINE)
    if found is None:
        return f"{text}\n{heading}\n\n{item}"
    following = re.search(r"\n\n(?![-\s])", text[found.end() :])
    end = len(text) if following is None else found.end() + following.start() + 1
    return text[:end] + item + text[end:]


def _item(text: str) -> str:
    """An entry of the list, its lines no longer than the others."""
    words = " ".join(text.split())
    filled = textwrap.fill(
        words,
        _WIDTH,
        initial_indent="- ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return f"{filled}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
