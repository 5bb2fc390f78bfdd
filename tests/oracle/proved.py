"""What the oracle's long tests proved once, and which part of it they run again today.

A run that agreed is kept by its content: what ran, against what, in which versions. What is not kept, because something
of that has changed, runs every time; of the rest a tenth does each day, so that ten days cover all.
`MINDPORT_PROVE=all` runs everything and keeps what agreed; a number from 0 to 9 chooses the part."""

from __future__ import annotations

import datetime
import hashlib
import importlib.metadata
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

FOLDER = Path(__file__).parent / "proved"
PARTS = 10
ASKED = "MINDPORT_PROVE"


def todays_part() -> int | None:
    """Which of the ten parts runs; None for all. Raises ValueError where something else is asked for."""
    asked = os.environ.get(ASKED)
    if asked == "all":
        return None
    return (int(asked) if asked else datetime.datetime.now(datetime.timezone.utc).toordinal()) % PARTS


class Proved:
    """The cases of one test. `cases` has the content of each by its name: all that its outcome depends on, but for the
    versions of the frameworks."""

    def __init__(self, test: str, cases: Mapping[str, str], folder: Path = FOLDER) -> None:
        self._file = folder / f"{test}.json"
        versions = " ".join(
            importlib.metadata.version(name).partition("+")[0] for name in ("torch", "mindspore")
        )
        self._digests = {
            name: hashlib.sha256(f"{versions}\n{name}\n{content}".encode()).hexdigest()[:20]
            for name, content in cases.items()
        }
        kept = json.loads(self._file.read_text()) if self._file.exists() else []
        self._kept = frozenset(kept)

    def to_run(self, part: int | None) -> list[str]:
        """The names of the cases that run in a part: those that are not kept are in each."""
        return [
            name
            for name, digest in self._digests.items()
            if part is None or digest not in self._kept or int(digest, 16) % PARTS == part
        ]

    def keep(self, names: Iterable[str]) -> None:
        """Write down that these agreed, and nothing else did."""
        digests = sorted(self._digests[name] for name in names)
        self._file.parent.mkdir(exist_ok=True)
        self._file.write_text(json.dumps(digests, indent=0) + "\n")
