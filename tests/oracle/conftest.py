"""The oracle tier: collected only by a Python that has both frameworks."""

import importlib.util
import sys
from collections import Counter
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "scripts"), str(REPOSITORY / "server")]

collect_ignore_glob = [] if importlib.util.find_spec("mindspore") else ["test_*.py"]

# A file is run by one process: a long one that came last would keep one core busy while the other has nothing to do.
LONGEST = (
    "test_databases.py",
    "test_catalogue.py",
    "test_second_order_fixes.py",
)


@pytest.hookimpl(trylast=True)  # when it is known which tests are chosen
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where whole files are given out as they come, those that take longest come first, and of the others those with
    most tests."""
    if config.getoption("loadscopereorder", True):
        return
    tests = Counter(item.path for item in items)
    rank = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: (rank.get(item.path.name, len(rank)), -tests[item.path], item.path))
