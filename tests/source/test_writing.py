"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mindport.source.writing import keep_file, lies_below, remove_left_over, replace_file, write_output


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


def test_mode_and_owner_of_a_replaced_file_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"one")
    path.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(path, 1234, 4321)
    before = path.stat()
    replace_file(path, b"two")
    after = path.stat()
    assert path.read_bytes() == b"two"
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    replace_file(path, b"three", 0o755)
    assert path.stat().st_mode & 0o777 == 0o755


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    left = tmp_path / f".{gone.pid}.0123abcd.mindport"
    others = [
        tmp_path / f".{os.getpid()}.0123abcd.mindport",  # being written by another thread
        tmp_path / f".{gone.pid}.mindport",
        tmp_path / f"{gone.pid}.0123abcd.mindport",
        tmp_path / f".a.{gone.pid}.0123abcd.mindport",
        tmp_path / ".mindport",
    ]
    for path in (left, *others):
        path.write_bytes(b"")
    remove_left_over.cache_clear()
    replace_file(tmp_path / "a.py", b"x")
    assert set(tmp_path.iterdir()) == {*others, tmp_path / "a.py"}


KILLED = """
import os, signal, sys
from pathlib import Path
from mindport.source.writing import replace_by
def make(place):
    place.write_bytes(b"new")
    os.kill(os.getpid(), signal.SIGTERM)
replace_by(Path(sys.argv[1]), make)
"""


def test_who_is_told_to_end_while_writing_finishes_that(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False, timeout=60)
    assert ended.returncode == -signal.SIGTERM
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.py"]
    assert path.read_bytes() == b"new"


def test_output_goes_to_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"one")
    (tmp_path / "link").symlink_to("file")
    write_output(tmp_path / "link", b"two")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"two"
    (tmp_path / "nowhere").symlink_to("/dev/null")
    write_output(tmp_path / "nowhere", b"three")
    assert (tmp_path / "nowhere").is_char_device()
    with pytest.raises(OSError):
        write_output(tmp_path / "none" / "file", b"")
    with pytest.raises(OSError):
        write_output(Path("/dev/full"), b"x")


def test_where_a_path_really_leads(tmp_path: Path) -> None:
    (tmp_path / "project" / "deep").mkdir(parents=True)
    (tmp_path / "project-2").mkdir()
    (tmp_path / "project" / "out").symlink_to("../project-2")
    (tmp_path / "project" / "in").symlink_to("deep")
    (tmp_path / "other").symlink_to("project")
    project = tmp_path / "project"
    for inside in (".", "deep/a.py", "in/a.py", "none/a.py", "deep/.."):
        assert lies_below(project / inside, project), inside
        assert lies_below(project / inside, tmp_path / "other"), inside
    for outside in ("..", "out", "out/a.py", "../project-2", "../project-2/a.py"):
        assert not lies_below(project / outside, project), outside
