"""The reproductions of MindSpore's defects stand alone, and what was seen of them is of those that there are."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "upstream"
FILES = sorted(FOLDER.glob("*.py"))
ALLOWED = {"copy", "math", "mindspore", "numpy"}
STATES = {"right", "wrong", "raises"}


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_a_reproduction_needs_mindspore_alone(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    imported = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= ALLOWED
    assert "got" in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assigned = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    assert "EXPECTED" in {target.id for target in assigned if isinstance(target, ast.Name)}


def test_what_was_seen_is_of_reproductions_that_there_are() -> None:
    seen = json.loads((FOLDER / "seen.json").read_text(encoding="utf-8"))
    assert seen.keys() == {file.stem for file in FILES}
    for row in seen.values():
        assert set(row.values()) <= STATES
        assert "wrong" in row.values()  # what no release shows is no finding


@pytest.mark.parametrize(
    ("old", "new", "row"),
    [
        ("2.7.0", "2.8.0", "wrong in 2.8.0, right in 2.7.0: `copy.deepcopy` of a tensor"),
        ("2.7.0", "2.8.0", "right in 2.8.0, wrong in 2.7.0: `Parameter.requires_grad`"),
    ],
)
def test_the_page_of_releases_says_what_a_release_broke_or_mended(old: str, new: str, row: str) -> None:
    section = (FOLDER.parent / "releases.md").read_text(encoding="utf-8").partition(f"## {old} to {new}\n")[2]
    assert f"\n- {row}" in section.partition("\n## ")[0]


def test_the_page_of_releases_does_not_repeat_what_all_releases_have() -> None:
    assert "upstream/selu_gradient.py" not in (FOLDER.parent / "releases.md").read_text(encoding="utf-8")
