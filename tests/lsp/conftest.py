"""Servers for the tests of a connection."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from language_client import InnerClient

# As the command line does: generated code nests deeply.
sys.setrecursionlimit(10_000)


@pytest.fixture
def client() -> Iterator[InnerClient]:
    """A client that has not yet introduced itself."""
    client = InnerClient()
    yield client
    client.close()
