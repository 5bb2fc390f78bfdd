"""`mindport init`: the table that it writes is what a check would take by itself, and nothing else changes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mindport.cli.main import main
from mindport.config.load import load_settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Init = Callable[..., tuple[int, str, str]]


@pytest.fixture
def init(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Init:
    """Run `mindport init` in a repository."""
    monkeypatch.chdir(tmp_path)
    for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    Path(".git").mkdir()

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["init", *arguments])
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


def test_a_project_without_settings(init: Init) -> None:
    Path("requirements.txt").write_text("mindspore==2.9.0\n")
    for name in ("third_party/x", "src/vendor", "src/a/vendor", ".venv/vendor"):
        Path(name).mkdir(parents=True)
    code, out, err = init("--device", "Ascend")
    assert code == 0
    assert out == Path("pyproject.toml").read_text()
    assert out == (
        "[tool.mindport]\n"
        "# version 2.9.0: pinned by requirements.txt:1\n"
        'target-version = "2.9"\n'
        "# device Ascend: set by device\n"
        'device = "Ascend"\n'
        'extend-exclude = ["/third_party", "/src/vendor"]\n'
    )
    assert "mindport baseline write" in err
    settings = load_settings(".").settings
    assert (settings.target_version, settings.device) == ("2.9", "Ascend")


@pytest.mark.parametrize(
    "content",
    [
        "[project]\nname = 'a'\n",
        "[project]\nname = 'a'",
        "[project]\r\nname = '\u6587'\r\n",
        "\ufeff[project]\nname = 'a'\n",
        "[tool.ruff]\nselect = ['E']\n",
        "",
    ],
)
def test_what_is_there_stays(init: Init, content: str) -> None:
    Path("pyproject.toml").write_bytes(content.encode())
    assert init("--device", "CPU", "--mode", "graph")[0] == 0
    text = Path("pyproject.toml").read_bytes().decode()
    assert text.startswith(content)
    assert ("\r\n" in text) == ("\r\n" in content)
    table = tomllib.loads(text.removeprefix("\ufeff"))["tool"]["mindport"]
    assert (table["device"], table["mode"]) == ("CPU", "graph")
    assert init()[0] == 2  # there is a table now
    assert Path("pyproject.toml").read_bytes().decode() == text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[tool.mindport]\n", "has a table [tool.mindport] already"),
        ("tool = {ruff = {}}\n", "the table cannot be put at its end"),
        ("[project\n", "pyproject.toml"),
    ],
)
def test_files_that_are_left_alone(init: Init, content: str, said: str) -> None:
    Path("pyproject.toml").write_text(content)
    code, out, err = init()
    assert (code, out) == (2, "")
    assert said in err
    assert Path("pyproject.toml").read_text() == content


def test_dry_run(init: Init) -> None:
    code, out, err = init("--dry-run", "--target-version", "2.10")
    assert (code, err) == (0, "")
    assert out.startswith("[tool.mindport]\n")
    assert not Path("pyproject.toml").exists()


def test_a_folder_of_a_project(init: Init) -> None:
    Path("src/a").mkdir(parents=True)
    assert init("src/a")[0] == 0
    assert Path("pyproject.toml").exists()
