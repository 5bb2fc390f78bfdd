"""What the layout of the repository promises."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from mindport.source.trees import every_node

TESTS = Path(__file__).parents[1]
PACKAGE = TESTS.parent / "server" / "mindport"


def test_test_files_outside_of_packages_have_names_of_their_own() -> None:
    """pytest imports them by that name alone; of two with one name it runs neither, in tiers that collect both."""
    files = [file for file in TESTS.rglob("test_*.py") if not (file.parent / "__init__.py").exists()]
    assert len(files) > 100
    assert [name for name, count in Counter(file.name for file in files).items() if count > 1] == []


def test_public_classes_have_names_of_their_own() -> None:
    """Who reads a name knows which class is meant, and finds it by searching for it."""
    nodes = (node for file in PACKAGE.rglob("*.py") for node in every_node(ast.parse(file.read_bytes())))
    names = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert len(names) > 500
    assert [name for name, count in names.items() if count > 1 and not name.startswith("_")] == []
