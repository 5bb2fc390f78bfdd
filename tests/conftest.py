"""What holds for all tests."""

import functools
import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from mindport.registry.probe_process import FASTER

for name, value in FASTER.items():  # before MindSpore is imported
    os.environ.setdefault(name, value)

# In the background of a shell processes are born deaf to an interruption; those that the tests start must not be.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What a server of continuous integration says of itself would change what the command writes.
for name in ("GITHUB_ACTIONS", "MINDPORT_OUTPUT_FORMAT", "MINDPORT_OUTPUT_FILE"):
    os.environ.pop(name, None)

# A machine that is busy, or loads a module for the first time, makes no test wrong.
settings.register_profile("without a deadline", deadline=None)
settings.load_profile("without a deadline")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Shares that run beside each other take less time than workers, which report each test to another process."""
    parser.addoption(
        "--share", metavar="I/N", help="run only every N-th file of tests, beginning with the I-th"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """True for the files of other shares."""
    share = config.getoption("--share")
    if share is None or not collection_path.name.startswith("test_") or collection_path.suffix != ".py":
        return None
    place, count = map(int, share.split("/"))
    return _places()[collection_path] % count != place - 1 or None


@functools.cache
def _places() -> dict[Path, int]:
    """Which of the files of tests each one is."""
    return {path: place for place, path in enumerate(sorted(Path(__file__).parent.rglob("test_*.py")))}


def pytest_collection_finish() -> None:
    """Ten thousand tests are objects that stay: the collector need not go through them again and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """What is left at the end is looked through once; pytest does so ten times."""
    gc.collect()
    gc.freeze()
