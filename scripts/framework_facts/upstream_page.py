"""The page of the defects of MindSpore that docs/upstream reproduces: what is wrong, and with which releases it was
seen."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from framework_facts.versions import release

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "upstream"
SEEN = FOLDER / "seen.json"
_HEAD = """# What is wrong in MindSpore itself

Made by `scripts/build_docs.py` from the reproductions in this folder and from what was seen when they were run with
each release on CPU (`seen.json`, which `scripts/reproduce --keep` writes). All of these are silent: the call returns,
and gives something else than mathematics or its own documentation says. For most of them mindport writes other code.

```
$ scripts/reproduce selu_gradient --interpreter PATH    # a Python with MindSpore and NumPy, nothing else
```

Each file has `EXPECTED` and `got()`. A cell says what was got: wrong, right, or that the call raised.

"""


class Defect(NamedTuple):
    """One reproduction: the name of its file, what is wrong, and what was got with each release that ran it."""

    name: str
    what: str
    seen: dict[str, str]


def defects() -> list[Defect]:
    """The reproductions in the order of their names."""
    seen: dict[str, dict[str, str]] = json.loads(SEEN.read_text(encoding="utf-8"))
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        what = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found.append(Defect(path.stem, " ".join(what.split()), seen.get(path.stem, {})))
    return found


def page() -> str:
    """The whole page."""
    found = defects()
    versions = sorted({version for one in found for version in one.seen}, key=release)
    lines = [f"| | what | {' | '.join(versions)} |", f"|---|---|{'---|' * len(versions)}"]
    for one in found:
        cells = " | ".join(one.seen.get(version, "not run") for version in versions)
        lines.append(f"| [{one.name}]({one.name}.py) | {one.what} | {cells} |")
    return _HEAD + "\n".join(lines) + "\n"


def changed_between(old: str, new: str) -> Iterator[str]:
    """A row for each defect that one of the two releases has and the other has not."""
    for one in defects():
        before, after = one.seen.get(old), one.seen.get(new)
        if before and after and before != after and "wrong" in (before, after):
            yield f"{after} in {new}, {before} in {old}: {one.what} ([{one.name}](upstream/{one.name}.py))"
