"""Editor and command line say the same of real files: those of torchvision and of parts of torch itself."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from lsprotocol import types
from test_typing import session

from mindport.checking.analysis import read_sources
from mindport.checking.components import components
from mindport.checking.project import check_paths
from mindport.config.settings import Settings
from mindport.model.finding import Finding
from mindport.model.target import Device, Target, Version
from mindport.source.text import SourceText

pytestmark = pytest.mark.oracle
FOLDERS = ("torchvision", "torch/optim", "torch/distributions", "torch/nn", "torch/utils")
FILES = 300


def real_files() -> Iterator[Path]:
    """Files of the installed packages, with their folder's folder."""
    for folder in FOLDERS:
        spec = importlib.util.find_spec(folder.partition("/")[0])
        assert spec is not None and spec.origin is not None
        yield from sorted((Path(spec.origin).parent.parent / folder).rglob("*.py"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """300 files in their folders, under other names: as the user's own, not as the packages."""
    root = tmp_path_factory.mktemp("project")
    (root / "pyproject.toml").write_text("[tool.mindport]\n")
    for file in list(real_files())[:FILES]:
        package, *rest = file.parts[file.parts.index("site-packages") + 1 :]
        place = root.joinpath(f"own_{package}", *rest)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.read_bytes())
    return root


def plain(findings: tuple[Finding, ...]) -> bytes:
    """All that a finding says, without the number of its use."""
    return msgspec.json.format(
        msgspec.json.encode([msgspec.structs.replace(one, use_index=-1) for one in findings])
    )


def test_the_editor_says_what_the_command_line_says(project: Path) -> None:
    files = sorted(map(str, project.rglob("*.py")))
    assert len(files) == FILES
    settings = Settings(device="CPU", target_version="2.10.0")
    target = Target(Version(2, 10, 0), Device.CPU)
    reports = {one.path: one for one in check_paths(files, settings, target, str(project), use_cache=False)}
    assert sum(len(report.findings) for report in reports.values()) > 1000
    for part in components(read_sources(files, settings, str(project), {})):
        editor = session()
        for path, source in part.files:
            assert isinstance(source, SourceText)
            editor.open(types.TextDocumentItem(Path(path).as_uri(), "python", 1, source.text))
        for document in editor.documents.values():
            editor.folder_of(document).project.add(document.path, document.text)
        for document in editor.documents.values():
            found = editor.analyse(document).findings
            assert plain(found) == plain(reports[document.path].findings), document.path
