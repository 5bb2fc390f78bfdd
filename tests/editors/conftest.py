"""What the files that drive the workbench share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from workbench import browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser; not for longer than a file of tests, since it keeps an event loop that others would trip over."""
    with browser() as started:
        yield started


@pytest.fixture(autouse=True)
def picture_of_failure(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """Of what fails in a window there is a picture to look at."""
    failed = request.session.testsfailed
    yield
    if request.session.testsfailed > failed and "window" in request.fixturenames:
        request.getfixturevalue("window").picture(tmp_path / "failure.png")
