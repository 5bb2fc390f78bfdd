"""The pages of the rooms: every layer with its modules and what each says it is for, made from the code, and a drawing
of the layers that import-linter checks."""

from __future__ import annotations

import ast
import html
import sys
from collections.abc import Iterator
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = REPOSITORY / "server" / "mindport"
_HEIGHT, _GAP, _WIDTH = 30, 6, 560


def layers() -> list[list[str]]:
    """The layers of the contract, the highest first; those in one list do not know each other."""
    contracts = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (contract,) = (one for one in contracts if one["type"] == "layers" and one["containers"] == ["mindport"])
    return [[name.strip() for name in line.split("|")] for line in contract["layers"]]


def drawing() -> str:
    """The layers as an SVG: each stands on those that it may import."""
    rows = layers()
    height = len(rows) * (_HEIGHT + _GAP) + _GAP
    title = html.escape("Layers of mindport, the highest first: " + ", ".join("|".join(row) for row in rows))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{title}" '
        'font-family="sans-serif" font-size="15" text-anchor="middle">'
    ]
    for number, row in enumerate(rows):
        width = (_WIDTH - _GAP) / len(row)
        top = _GAP + number * (_HEIGHT + _GAP)
        for place, name in enumerate(row):
            left = _GAP + place * width
            parts.append(
                f'<rect x="{left:.0f}" y="{top}" width="{width - _GAP:.0f}" height="{_HEIGHT}" rx="4" '
                'fill="#dce8f7" stroke="#2b5f9e"/>'
                f'<text x="{left + (width - _GAP) / 2:.0f}" y="{top + 20}" fill="#12263f">{html.escape(name)}</text>'
            )
    return "".join([*parts, "</svg>"]) + "\n"


def rooms_pages(picture: str) -> dict[str, str]:
    """The page with the drawing, which is the file `picture`, and one for each layer with its modules: file -> text."""
    names = [*(name for row in layers() for name in row), "probes"]
    lines = ["# Rooms", "", "Made from the code. [Architecture](/architecture.md) has the ideas.", ""]
    lines += [f"![The layers, each above those that it may import]({picture})", ""]
    lines += [f"- [{name}](/rooms/{name}.md)" for name in names]
    return {"rooms.md": "\n".join(lines) + "\n", **{f"rooms/{name}.md": _room_page(name) for name in names}}


def _room_page(name: str) -> str:
    folder = PACKAGE / name
    files = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    lines = ["---", "orphan: true", "---", f"# Modules of {name}", ""]
    lines += [f"- `{path.relative_to(PACKAGE)}`: {purpose}" for path, purpose in _purposes(files)]
    return "\n".join(lines) + "\n"


def _purposes(files: list[Path]) -> Iterator[tuple[Path, str]]:
    """Each file with the first sentence of its docstring."""
    for path in files:
        said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        first = " ".join(said.partition("\n\n")[0].split())
        sentence = first.partition(". ")[0]
        if path.name != "__init__.py" and sentence:
            yield path, sentence.rstrip(".") + "."
