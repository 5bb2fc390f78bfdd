"""Lets these tests use the snippet builder of the rewriting tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "rewrite"))
