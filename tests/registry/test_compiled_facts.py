"""Compiled copies: made when missing, made again when the source or the copy changed, harmless when unwritable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindport.registry import compiled
from mindport.registry.compiled import load_compiled


class Source:
    """A source file with a counter of how often it was compiled."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "facts-1.json"
        self.path.write_text("one")
        self.compiled = 0

    def load(self) -> list[str]:
        return load_compiled(self.path, "part", list[str], self._compile)

    def _compile(self) -> dict[str, object]:
        self.compiled += 1
        return {"part": [self.path.read_text()], "other": 1}


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Source]:
    monkeypatch.setattr(compiled, "compiled_folder", lambda: tmp_path / "_compiled")
    yield Source(tmp_path)


def test_compiled_once(source: Source) -> None:
    assert source.load() == source.load() == ["one"]
    assert source.compiled == 1


def test_compiled_again_when_the_source_changed(source: Source) -> None:
    source.load()
    source.path.write_text("another")
    assert source.load() == ["another"]
    assert source.compiled == 2


def test_compiled_again_when_a_file_beside_it_changed(source: Source) -> None:
    beside = source.path.with_name("other-1.json")
    for text, times in (("one", 1), ("another", 2)):
        beside.write_text(text)
        for _ in range(2):
            load_compiled(source.path, "part", list[str], source._compile, [beside])
        assert source.compiled == times


@pytest.mark.parametrize("content", [b"", b"not msgpack", b"\x94\x63\x00\x00\xa1x"])
def test_a_broken_copy_is_replaced(source: Source, content: bytes) -> None:
    source.load()
    (copy,) = source.path.parent.glob("_compiled/facts-1.part.msgpack")
    copy.write_bytes(content)
    assert source.load() == ["one"]
    assert source.compiled == 2


def test_a_folder_that_cannot_be_written_is_no_error(source: Source) -> None:
    (source.path.parent / "_compiled").write_text("a file in its place")
    assert source.load() == source.load() == ["one"]
    assert source.compiled == 2
    assert not list(source.path.parent.glob("_compiled/*"))


def test_an_installed_copy_is_trusted(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    source.load()
    monkeypatch.setattr(compiled, "is_installed", lambda: True)
    source.path.write_text("unpacked with another time and size")
    assert source.load() == ["one"]
    assert source.compiled == 1
