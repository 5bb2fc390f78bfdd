"""What is generated in docs/ is what the code says now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def test_generated_pages_are_fresh() -> None:
    command = [sys.executable, str(REPOSITORY / "scripts" / "build_docs.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stdout) == (0, "")
