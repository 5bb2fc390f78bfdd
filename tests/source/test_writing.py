"""Files that appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.source.writing import keep_file, replace_file


def test_a_kept_file_gets_its_folders_and_can_be_read_by_all(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "made.bin"
    keep_file(path, b"one")
    keep_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o644
    assert [entry.name for entry in path.parent.iterdir()] == ["made.bin"]


def test_a_place_that_cannot_be_written_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    keep_file(tmp_path / "file" / "made.bin", b"one")
    (tmp_path / "folder").mkdir()
    keep_file(tmp_path / "folder", b"one")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "folder"]


def test_a_replacement_that_fails_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        replace_file(tmp_path / "folder", b"one")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]
