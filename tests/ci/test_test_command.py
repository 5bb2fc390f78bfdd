"""The one test command can be run in parts, and says what it does not know before it sets anything up."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[2]
COMMAND = str(REPOSITORY / "scripts" / "test")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)


def test_help_names_the_parts_that_the_tests_are_marked_with() -> None:
    settings = (REPOSITORY / "pyproject.toml").read_text("utf-8")
    markers = re.findall(
        r'^  "(\w+): ', settings.partition("\nmarkers = [")[2].partition("\n]")[0], re.MULTILINE
    )
    assert len(markers) > 3
    assert re.findall(r"^  (\w+)  ", run("--help").stdout, re.MULTILINE) == ["fast", *markers]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("oracles",), "no part is called oracles"),
        (("fast", "thorough", "--fast"), "no part is called --fast"),
        (("--from", "nothing"), "no part is called nothing"),
        (("--from",), "usage: "),
        (("--from", "oracle", "editor"), "usage: "),
        (("--fast", "oracle"), "usage: "),
        (("fast oracle",), "no part is called fast oracle"),
    ],
)
def test_what_is_no_part_is_refused(words: tuple[str, ...], said: str) -> None:
    ended = run(*words)
    assert ended.returncode == 2
    assert said in ended.stderr
    assert not ended.stdout


@pytest.fixture
def oracle_order(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend("")  # it adds to the path
    spec = importlib.util.spec_from_file_location("order", REPOSITORY / "tests" / "oracle" / "conftest.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("is_reordered", "wanted"),
    [
        (False, "long1 long2 many1 many2 many3 b1 b2 a"),
        (True, "a b1 long1 many1 b2 many2 long2 many3"),
    ],
)
def test_files_that_take_long_come_first(oracle_order: ModuleType, is_reordered: bool, wanted: str) -> None:
    files = {"l": oracle_order.LONGEST[1], "m": "test_many.py", "b": "test_b.py", "a": "test_a.py"}
    names = ["a", "b1", "long1", "many1", "b2", "many2", "long2", "many3"]
    items: list[Any] = [SimpleNamespace(name=name, path=Path(files[name[0]])) for name in names]
    config: Any = SimpleNamespace(getoption=lambda name, default: is_reordered)
    oracle_order.pytest_collection_modifyitems(config, items)
    assert [item.name for item in items] == wanted.split()


def test_files_that_are_said_to_take_long_are_there(oracle_order: ModuleType) -> None:
    there = {path.name for path in (REPOSITORY / "tests" / "oracle").glob("test_*.py")}
    assert set(oracle_order.LONGEST) <= there
