"""What a new user meets in the real VS Code workbench: the extension, some Python, and nothing else. No network, no
package of ours anywhere, no question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from session import ALL_FIXED, TEXT
from workbench import Workbench, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.editor

SQUIGGLE = ".editor-instance .squiggly-warning"
MESSAGE = ".notification-list-item"
# Whoever asks the network, asks a port that nobody listens to.
NO_NETWORK = dict.fromkeys(
    ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "PIP_PROXY"), "http://127.0.0.1:9"
)


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Workbench]:
    started = Workbench(tmp_path_factory.mktemp("workbench"), chromium, NO_NETWORK)
    started.use_interpreter("")
    yield started
    started.close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "project/model.py").write_text(TEXT, encoding="utf-8")
    return tmp_path / "project"


def test_a_file_is_marked_and_fixed_with_nothing_installed(workbench: Workbench, project: Path) -> None:
    with workbench.window(project, "model.py") as window:
        window.see(SQUIGGLE)
        assert not window.page.locator(MESSAGE).count()
        window.run("mindport: Apply All Safe Fixes")
        window.see(".editor-instance .view-line", "axis=1")
        window.save()
        file = project / "model.py"
        assert eventually(lambda: file.read_text("utf-8"), lambda text: text == ALL_FIXED, 20) == ALL_FIXED
    assert "part of the extension" in workbench.logs()
