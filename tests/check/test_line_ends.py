"""Files get the same fixes whatever their lines end with, and keep their line ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.cli.main import main

PROGRAM = Path(__file__).parent.parent / "programs" / "own" / "dcgan"
ENDS = {"windows": b"\r\n", "old mac": b"\r"}
CPU = ("--device", "CPU", "--target-version", "2.10.0", "--jobs", "1")


def fixed(folder: Path, line_end: bytes) -> dict[str, bytes]:
    folder.mkdir()
    for path in PROGRAM.rglob("*.py"):
        (folder / path.name).write_bytes(path.read_bytes().replace(b"\n", line_end))
    main(["fix", str(folder), "--unsafe-fixes", *CPU])
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ENDS)
def test_all_line_ends_are_equal(kind: str, tmp_path: Path) -> None:
    usual = fixed(tmp_path / "usual", b"\n")
    other = fixed(tmp_path / "other", ENDS[kind])
    assert other.keys() == usual.keys()
    for name, content in usual.items():
        if name != "torch_equivalents.py":  # a new file
            assert other[name] == content.replace(b"\n", ENDS[kind]), name
