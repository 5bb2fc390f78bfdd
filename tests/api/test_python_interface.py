"""The Python interface: what it gives, that it says the same as the command line, and that it writes and prints
nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import mindport
from mindport import api
from mindport.api import ConfigurationError, check, fix

DOCS = Path(__file__).resolve().parents[2] / "docs"
NET = """\
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text(NET, "utf-8")
    (tmp_path / "plain.py").write_text("x = 1\n", "utf-8")
    return tmp_path


def test_finds_what_the_command_finds(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    checked = check("net.py", target_version="2.10", device="CPU")
    assert [(one.code, one.line, one.column) for one in checked.findings] == [
        ("MP110", 3, 11),
        ("MP101", 6, 21),
    ]
    assert (checked.targets[0].version, checked.targets[0].device) == ("2.10.0", "CPU")
    assert checked.problems == ()
    assert capfd.readouterr() == ("", "")
    assert sorted(path.name for path in project.iterdir()) == ["net.py", "plain.py"]


def test_the_current_folder_is_checked_where_no_path_is_given(project: Path) -> None:
    assert {one.file for one in check(settings={"select": ["MP101"]}).findings} == {"net.py"}


def test_fixes_are_given_and_not_written(project: Path) -> None:
    fixes = fix(project, target_version="2.10", device="CPU")
    after = {Path(file.path).name: file for file in fixes.files}
    assert "class Net(nn.Cell)" in after["net.py"].after
    assert after["net.py"].before == NET == (project / "net.py").read_text("utf-8")
    assert (after["plain.py"].applied, after["plain.py"].diff) == (0, "")
    assert "-class Net(nn.Module):\n" in fixes.diff
    assert after["net.py"].findings == ()


def test_target_decides(project: Path) -> None:
    (project / "net.py").write_text("import torch\ny = torch.cat([x], dim=1)\n", "utf-8")
    assert "ops.cat" in fix("net.py", target_version="2.10", device="CPU").diff
    assert fix("net.py", target_version="2.10", device="Ascend").diff == ""  # not run there
    assert "ops.cat" in fix("net.py", target_version="2.10", device="Ascend", unsafe=True).diff


@pytest.mark.parametrize(
    ("content", "code"), [(b"import torch\ndef f(:\n", "MP901"), (b"\xff\xfe\x00", "MP9")]
)
def test_files_that_cannot_be_read_are_told(project: Path, content: bytes, code: str) -> None:
    (project / "net.py").write_bytes(content)
    checked = check("net.py")
    assert any(one.code.startswith(code) for one in checked.findings) or checked.problems
    assert all(file.before == file.after for file in fix("net.py").files)


def test_wrong_requests_raise(project: Path) -> None:
    with pytest.raises(ConfigurationError, match="device"):
        check("net.py", settings={"device": "TPU"})
    with pytest.raises(ConfigurationError, match="devise"):
        fix("net.py", settings={"devise": "CPU"})
    with pytest.raises(FileNotFoundError, match="gone"):
        check("gone.py")


def test_messages_speak_the_language_of_the_settings(project: Path) -> None:
    english, chinese = (check("net.py", settings={"locale": locale}).findings for locale in ("en", "zh-cn"))
    assert english[1].message.isascii()
    assert not chinese[1].message.isascii()


def test_the_package_hands_the_interface_on() -> None:
    assert mindport.__all__ == api.__all__
    assert all(getattr(mindport, name) is getattr(api, name) for name in api.__all__)
    with pytest.raises(AttributeError, match="no attribute 'chekc'"):
        mindport.chekc  # type: ignore[attr-defined] # noqa: B018


def test_no_part_of_the_package_has_the_name_of_a_function() -> None:
    package = Path(api.__file__).parent
    assert not {path.stem for path in package.iterdir()} & set(api.__all__)


def test_the_package_alone_loads_nothing_else() -> None:
    code = "import sys, mindport; print([name for name in sys.modules if name.startswith('mindport.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_documented_names_are_there() -> None:
    page = (DOCS / "python.md").read_text("utf-8")
    assert all(hasattr(api, name) for name in api.__all__)
    for structure in (api.Checked, api.Fixes, api.FixedFile):
        fields = {field.name for field in msgspec.structs.fields(structure)}
        assert fields - {"summary"} <= set(re.findall(r"`(\w+)`", page)), structure
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    compile(code, "docs/python.md", "exec")


def test_example_of_the_page_runs(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (DOCS / "python.md").read_text("utf-8"), re.DOTALL)
    (project / "my_project").mkdir()
    (project / "net.py").rename(project / "my_project" / "net.py")
    exec(compile(code, "docs/python.md", "exec"), {})
    said = capsys.readouterr().out
    assert "MP101" in said
    assert "class Net(nn.Cell)" in said
