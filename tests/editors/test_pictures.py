"""The pictures of the pages can be taken: every view that they show is there to be seen, in each kind of theme."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PICTURES = REPOSITORY / "docs" / "editors"

pytestmark = pytest.mark.editor


def test_every_picture_of_the_pages_is_taken(tmp_path: Path) -> None:
    script = [sys.executable, str(REPOSITORY / "scripts" / "take_pictures.py"), str(tmp_path)]
    run = subprocess.run(script, capture_output=True, text=True, timeout=600, check=False)
    assert run.returncode == 0, run.stderr
    assert sizes(tmp_path) == sizes(PICTURES)


def sizes(folder: Path) -> dict[str, bytes]:
    """The width and height of each picture. Source: the PNG specification, bytes 16 to 23 are those of its header."""
    return {path.name: path.read_bytes()[16:24] for path in folder.glob("*.png")}
