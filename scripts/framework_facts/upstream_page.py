"""The page of the defects of MindSpore that docs/upstream reproduces: what is wrong, and with which releases it was
seen."""

from __future__ import annotations

import ast
import json
from pathlib import Path

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


def page() -> str:
    """The whole page."""
    seen: dict[str, dict[str, str]] = json.loads(SEEN.read_text(encoding="utf-8"))
    versions = sorted({version for row in seen.values() for version in row}, key=release)
    lines = [f"| | what | {' | '.join(versions)} |", f"|---|---|{'---|' * len(versions)}"]
    for path in sorted(FOLDER.glob("*.py")):
        what = " ".join((ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split())
        row = seen.get(path.stem, {})
        cells = " | ".join(row.get(version, "not run") for version in versions)
        lines.append(f"| [{path.stem}]({path.name}) | {what} | {cells} |")
    return _HEAD + "\n".join(lines) + "\n"
