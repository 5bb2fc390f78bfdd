"""The help of the command line: in Chinese for a Chinese terminal and no wider than it, else as click writes it."""

from __future__ import annotations

import inspect
import re
import unicodedata
from collections.abc import Iterator

import click
import pytest

from mindport.cli.help import HelpPage, wrapped
from mindport.cli.main import COMMANDS, commands, loaded, main

ALL = ["", *COMMANDS, "config show", "config schema"]
# Four words of Latin letters in a row, in lower case, are an English sentence.
ENGLISH = re.compile(r"(?:\b[a-z]{2,}\b[ ,]){3}")


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")


def shown(capsys: pytest.CaptureFixture[str], name: str) -> str:
    assert main([*name.split(), "--help"]) == 0
    return capsys.readouterr().out


def width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


@pytest.mark.parametrize("name", ALL)
def test_chinese_help(chinese: None, capsys: pytest.CaptureFixture[str], name: str) -> None:
    text = shown(capsys, name)
    assert text.startswith("用法：mindport ")
    assert "显示此帮助并退出。" in text
    described = text.partition("\n\n")[2]
    assert not ENGLISH.search(described), ENGLISH.search(described)
    assert max(map(width, text.splitlines())) <= 80


def test_options_keep_their_names_and_what_click_adds(
    chinese: None, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, "verify-second-order")
    assert "--seconds FLOAT RANGE" in text
    assert "时间限制。 [默认：300.0; x>=1]" in text


@pytest.mark.parametrize("name", ALL)
def test_english_help_is_what_click_writes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    text = shown(capsys, name)
    monkeypatch.setattr("mindport.cli.help.SpeakingContext.formatter_class", click.HelpFormatter)
    assert text == shown(capsys, name)
    assert "Show this message and exit." in text


def everything() -> Iterator[click.Command]:
    yield commands
    waiting = [loaded(name) for name in COMMANDS]
    for command in waiting:
        waiting += command.commands.values() if isinstance(command, click.Group) else ()
        yield command


def test_every_command_is_written_by_our_page() -> None:
    found = list(everything())
    assert len(found) == len(COMMANDS) + 8  # of the groups `config`, `baseline` and `evidence`, and the whole
    assert all(command.context_class.formatter_class is HelpPage for command in found)
    assert all(inspect.cleandoc(command.help or "") for command in found)


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("", 10, []),
        ("one two three", 8, ["one two", "three"]),
        ("longer_than_the_line x", 8, ["longer_than_the_line", "x"]),
        ("一二三四五六", 8, ["一二三四", "五六"]),
        # A closing mark stays with what is before it, an opening one with what follows.
        ("一二三四，五", 8, ["一二三", "四，五"]),
        ("一二三（四）", 8, ["一二三", "（四）"]),
        ("运行 `mindport fix` 即可", 12, ["运行", "`mindport", "fix` 即可"]),
        ("一\n二", 8, ["一 二"]),
    ],
)
def test_lines_are_broken_where_they_may_be(text: str, columns: int, lines: list[str]) -> None:
    assert wrapped(text, columns) == lines
