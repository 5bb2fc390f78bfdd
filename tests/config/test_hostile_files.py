"""What lies where mindport looks for settings: it costs no time, ends no run with a traceback, and is named."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from mindport.config.interpreter import installed_mindspore
from mindport.config.load import load_settings
from mindport.config.problem import ConfigurationError
from mindport.config.regular_file import NotRegular, TooLarge, read_regular
from mindport.config.requirement import required_mindspore
from mindport.config.settings import Settings

# text of pyproject.toml -> what is said of it
REFUSED = {
    "x = " + "[" * 100_000: "is nested too deeply",
    "x = " + "{a=" * 100_000: "is nested too deeply",
    "[" + "a." * 200_000 + "a]": "a key with too many dots (at line 1)",
    "\n\n" + "a." * 200_000 + "a = 1": "a key with too many dots (at line 3)",
    'b = { "a" . ' + '"a" . ' * 90_000 + "a = 1}": "a key with too many dots (at line 1)",
    "x = " + "9" * 5000: "exceeds the limit",
    "x = " + "1" * 1_000_001: "cannot be read",
}

# what looks like it and is in order
TAKEN = [
    "x = " + "[" * 100 + "]" * 100,
    "a." * 90 + "a = 1",
    "x = [" + '"*.py", ' * 5000 + "]",
    "x = [" + "1.5, " * 5000 + "]",
    'x = "' + "..." * 1000 + '"',
    "".join(f"[a.b{i}]\nc = 1.2\n" for i in range(5000)),
]


@pytest.mark.parametrize("text", REFUSED, ids=[f"{number}" for number in range(len(REFUSED))])
def test_a_file_that_would_take_too_long_is_refused_at_once(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text, "utf-8")
    started = time.monotonic()
    with pytest.raises(ConfigurationError) as raised:
        load_settings(tmp_path)
    assert REFUSED[text] in str(raised.value)
    assert str(raised.value).startswith(f"{tmp_path / 'pyproject.toml'}: ")
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("text", TAKEN, ids=[f"{number}" for number in range(len(TAKEN))])
def test_a_large_file_is_read(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text + "\n", "utf-8")
    assert load_settings(tmp_path).settings == Settings()


def test_an_endless_limit_is_a_number(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\nmax-file-size = 1e308\n", "utf-8")
    assert load_settings(tmp_path).settings.max_file_bytes > 2**30


def test_pipes_and_devices_are_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    os.mkfifo(tmp_path / ".venv" / "pyvenv.cfg")
    os.mkfifo(tmp_path / "requirements.txt")
    os.mkfifo(tmp_path / "pyproject.toml")
    (tmp_path / "requirements-dev.txt").symlink_to("/dev/zero")
    assert required_mindspore(tmp_path) is None
    assert load_settings(tmp_path).settings == Settings()
    installed_mindspore("", tmp_path, {})


def test_only_regular_files_of_some_size_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"x" * 100)
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "link", 100) == read_regular(tmp_path / "file", None) == b"x" * 100
    for place, wrong in (
        ("pipe", NotRegular),
        ("/dev/zero", NotRegular),
        (".", IsADirectoryError),
        ("none", FileNotFoundError),
        ("a\0b", FileNotFoundError),
    ):
        with pytest.raises(wrong):
            read_regular(tmp_path / place)
    with pytest.raises(TooLarge) as raised:
        read_regular(tmp_path / "file", 99)
    assert raised.value.size == 100
