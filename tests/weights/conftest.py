"""The oracle tier: collected only by a Python that has both frameworks."""

import importlib.util
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "server"), str(REPOSITORY / "server" / "mindport" / "probes")]

collect_ignore_glob = [] if importlib.util.find_spec("mindspore") else ["test_*.py"]
