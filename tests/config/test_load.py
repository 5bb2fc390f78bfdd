"""Settings from pyproject.toml and overrides: what is found, what wins, and what a wrong value is told."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest

from mindport.config.load import load_settings, project_root
from mindport.config.problem import ConfigurationError
from mindport.config.schema import settings_page, settings_schema
from mindport.config.settings import Settings
from mindport.model.finding import Severity

# text of [tool.mindport] -> what the messages must say, in order
WRONG = {
    "devce = 'CPU'": ["tool.mindport.devce: unknown setting (did you mean 'device'?)"],
    "target_version = '2.1'": [
        "tool.mindport.target_version: unknown setting (did you mean 'target-version'?)"
    ],
    "wholly-unknown = 1": ["tool.mindport.wholly-unknown: unknown setting"],
    "device = 'ascend'": [
        "unknown value 'ascend'; expected one of 'auto', 'Ascend', 'GPU', 'CPU' (did you mean 'Ascend'?)"
    ],
    "device = 3": ["unknown value 3; expected one of"],
    "target-version = 2.10": ['target-version: expected a version in quotes, such as "2.10", got 2.1'],
    "target-version = 'two'": [
        "target-version: not a MindSpore version: 'two' (expected for example '2.10')"
    ],
    "mode = 'grpah'": ["(did you mean 'graph'?)"],
    "select = 'MP101'": ["select: expected a list, got text"],
    "select = ['MP101', 'E501']": [
        "select[1]: 'E501' is not a rule code (expected 'ALL' or for example 'MP1' or 'MP101')"
    ],
    "ignore = [1]": ["ignore[0]: expected text, got a whole number"],
    "severity = {MP108 = 'warn'}": ["severity.MP108: unknown value 'warn'", "(did you mean 'warning'?)"],
    "severity = {X = 'hint'}": ["severity: 'X' is not a rule code"],
    "per-file-ignores = {'a.py' = 'MP1'}": ["per-file-ignores.a.py: expected a list, got text"],
    "per-file-ignores = ['a.py']": ["per-file-ignores: expected a table, got a list"],
    "exclude = [true]": ["exclude[0]: expected text, got true or false"],
    "jobs = -1": ["jobs: expected"],
    "jobs = 1.5": ["jobs: expected a whole number, got a number"],
    "max-file-size = 0": ["max-file-size: expected a number above 0.0, got 0"],
    "unsafe-fixes = 'yes'": ["unsafe-fixes: expected true or false, got text"],
    "cache-dir = ''": ["cache-dir: '' is no folder inside of the project"],
    **{
        f"cache-dir = '{folder}'": ["is no folder inside of the project (expected for example"]
        for folder in (
            ".",
            "./",
            "././",
            "..",
            "../x",
            "a/../../x",
            "a/..",
            "/tmp/x",
            "C:/x",
            "\\\\host\\x",
            "a\\..",
        )
    },
    "helper-module = '../evil'": [
        "helper-module: '../evil' is not the name of a module (expected for example"
    ],
    "helper-module = 'a.b'": ["is not the name of a module"],
    "helper-module = 'class'": ["is not the name of a module"],
    'helper-module = "a\\n"': ["helper-module: 'a\\n' holds a control character"],
    'evidence = ["x\\u0000"]': ["evidence[0]: 'x\\x00' holds a control character"],
    'exclude = ["a", "\\u001b[31m"]': ["exclude[1]: '\\x1b[31m' holds a control character"],
    'per-file-ignores = {"x\\u0000" = ["MP1"]}': ["per-file-ignores: 'x\\x00' holds a control character"],
    "devce = 1\nmoed = 'graph'": ["devce: unknown setting", "moed: unknown setting (did you mean 'mode'?)"],
}

RIGHT = {
    "": Settings(),
    "device = 'Ascend'\ntarget-version = '2.10'": Settings(device="Ascend", target_version="2.10"),
    "select = ['MP1', 'ALL']": Settings(select=("MP1", "ALL")),
    "severity = {MP108 = 'information', MP1 = 'hint'}": Settings(
        severity={"MP108": "information", "MP1": "hint"}
    ),
    "per-file-ignores = {'tests/**' = ['MP1']}": Settings(per_file_ignores={"tests/**": ("MP1",)}),
    "max-file-size = 2": Settings(max_file_size=2),
    "exclude = []": Settings(exclude=()),
    **{
        f"cache-dir = '{folder}'": Settings(cache_dir=folder)
        for folder in (".cache", "a/b", "./a", ".../a", "..a", "a..", "缓存", "a/..b/c")
    },
    "helper-module = ''": Settings(helper_module=""),
    "helper-module = 'h2_等价'": Settings(helper_module="h2_等价"),
    "max-file-size = inf": Settings(max_file_size=math.inf),
}


def project(root: Path, table: str) -> Path:
    (root / "pyproject.toml").write_text(f"[project]\nname = 'x'\n[tool.mindport]\n{table}\n", "utf-8")
    return root


@pytest.mark.parametrize("table", WRONG)
def test_wrong_settings_are_named(table: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as raised:
        load_settings(project(tmp_path, table))
    message = str(raised.value)
    assert message.startswith(f"{tmp_path / 'pyproject.toml'}: tool.mindport.")
    for words in WRONG[table]:
        assert words in message


@pytest.mark.parametrize("table", RIGHT)
def test_right_settings(table: str, tmp_path: Path) -> None:
    loaded = load_settings(project(tmp_path, table))
    assert loaded.settings == RIGHT[table]
    assert (loaded.root, loaded.source) == (str(tmp_path), str(tmp_path / "pyproject.toml"))


def test_overrides_replace_and_are_named(tmp_path: Path) -> None:
    project(tmp_path, "device = 'GPU'\nmode = 'graph'")
    settings = load_settings(tmp_path, {"device": "CPU"}).settings
    assert (settings.device, settings.mode) == ("CPU", "graph")
    with pytest.raises(
        ConfigurationError, match=r"^command line: device: unknown value 'cpux'.*did you mean 'CPU'"
    ):
        load_settings(tmp_path, {"device": "cpux"})
    with pytest.raises(ConfigurationError, match=r"^editor settings: moed: unknown setting"):
        load_settings(tmp_path, {"moed": "graph"}, "editor settings")


def test_the_nearest_table_upward(tmp_path: Path) -> None:
    project(tmp_path, "device = 'GPU'")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'no settings of ours'\n")
    assert load_settings(inner).settings.device == "GPU"
    project(tmp_path / "a", "mode = 'graph'")
    nearest = load_settings(inner)
    assert (nearest.settings.device, nearest.settings.mode) == ("auto", "graph")
    assert nearest.root == str(tmp_path / "a")


def test_a_named_file(tmp_path: Path) -> None:
    project(tmp_path, "device = 'GPU'")
    own = tmp_path / "own.toml"
    own.write_text("device = 'CPU'\n")
    assert load_settings(tmp_path, config_file=own).settings.device == "CPU"
    with pytest.raises(ConfigurationError, match="no such file"):
        load_settings(tmp_path, config_file=tmp_path / "missing.toml")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[tool.mindport\n", "line 1"),
        (b"[tool]\nmindport = 3\n", "tool.mindport: expected a table"),
        (b"\xff\xfe", "decode"),
        (b"a = 1\na = 2\n", "line 2"),
    ],
)
def test_files_that_are_not_toml(content: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(content)
    with pytest.raises(ConfigurationError) as raised:
        load_settings(tmp_path)
    assert str(tmp_path / "pyproject.toml") in str(raised.value)
    assert words in str(raised.value)


def test_no_settings_at_all(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "setup.py").write_text("")
    loaded = load_settings(tmp_path / "sub")
    assert (loaded.settings, loaded.source, loaded.root) == (Settings(), "", str(tmp_path))
    assert project_root(tmp_path / "sub") == str(tmp_path)


def test_lowest_severity() -> None:
    assert Settings().lowest_severity is Severity.HINT
    assert Settings(min_severity="warning").lowest_severity is Severity.WARNING


def test_every_setting_is_explained() -> None:
    properties = settings_schema()["properties"]
    names = [field.encode_name for field in msgspec.structs.fields(Settings)]
    assert list(properties) == names
    for name, entry in properties.items():
        assert entry["description"].endswith("."), name
        assert f"## {name}\n" in settings_page()
