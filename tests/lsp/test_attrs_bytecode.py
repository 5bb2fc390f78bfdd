"""What attrs compiles for the classes of a module is compiled once, and nothing depends on its being kept."""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mindport.lsp.attrs_bytecode import kept_bytecode

MODULE = "module_of_attrs"
SOURCE = "import attrs\n\n@attrs.define\nclass Point:\n    x: int = 0  # 点 🙂\n"
Load = Callable[[], tuple[ModuleType, int]]


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / f"{MODULE}.py"
    path.write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    return path


@pytest.fixture
def load(source: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Imports the module as a new process would; and how many texts of attrs were compiled for it."""

    def loaded() -> tuple[ModuleType, int]:
        compiled: list[str] = []
        compile_really = builtins.compile

        def counting(text: str, name: str, *others: Any, **named: Any) -> object:
            compiled.append(name)
            return compile_really(text, name, *others, **named)

        sys.modules.pop(MODULE, None)
        importlib.invalidate_caches()
        with monkeypatch.context() as patched, kept_bytecode(MODULE):
            patched.setattr(builtins, "compile", counting)
            module = importlib.import_module(MODULE)
        return module, sum(name.startswith("<attrs") for name in compiled)

    return loaded


def kept(source: Path) -> list[Path]:
    return list((source.parent / "__pycache__").glob("*.attrs"))


def test_second_import_compiles_nothing(source: Path, load: Load) -> None:
    first, compiled = load()
    assert compiled > 0
    (file,) = kept(source)
    assert file.name.startswith(f"{MODULE}.cpython-" if sys.implementation.name == "cpython" else MODULE)
    again, compiled = load()
    assert compiled == 0
    for module in (first, again):
        assert module.Point(2) == module.Point(x=2) != module.Point()
        assert repr(module.Point(2)) == "Point(x=2)"


def test_changed_class_has_new_methods(source: Path, load: Load) -> None:
    load()
    source.write_text(SOURCE + "    y: int = 0\n", encoding="utf-8")
    changed, compiled = load()
    assert compiled > 0
    assert repr(changed.Point(1, 2)) == "Point(x=1, y=2)"
    assert load()[1] == 0


@pytest.mark.parametrize("content", [b"", b"\x00", b"not marshal", b"i\x01\x00\x00\x00"])
def test_damaged_file_is_replaced(source: Path, load: Load, content: bytes) -> None:
    load()
    (file,) = kept(source)
    file.write_bytes(content)
    module, compiled = load()
    assert compiled > 0
    assert module.Point(3).x == 3
    assert load()[1] == 0


def test_nothing_is_written_where_python_writes_nothing(
    source: Path, load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert load()[0].Point(1).x == 1
    assert not kept(source)


def test_place_that_cannot_be_written(source: Path, load: Load) -> None:
    (source.parent / "__pycache__").write_text("a file, no folder")
    assert load()[0].Point(1).x == 1
    assert load()[1] > 0


def test_attrs_that_works_in_another_way(source: Path, load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mindport.lsp.attrs_bytecode._COMPILER", "attr.of_another_version")
    assert load()[0].Point(1).x == 1
    assert not kept(source)


def test_import_that_fails_leaves_attrs_as_it_was(source: Path, load: Load) -> None:
    source.write_text("raise ValueError('broken')\n", encoding="utf-8")
    with pytest.raises(ValueError, match="broken"):
        load()
    assert "compile" not in vars(sys.modules["attr._make"])


def test_module_that_is_not_there() -> None:
    with pytest.raises(ModuleNotFoundError), kept_bytecode("no_such_module"):
        importlib.import_module("no_such_module")
