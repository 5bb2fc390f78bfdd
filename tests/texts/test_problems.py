"""Why a file cannot be read, in the user's language: the sentence is ours, the reason the system's or the parser's."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from mindport.cli.main import main
from mindport.model.language import speaking
from mindport.registry.texts import translations
from mindport.source.module import parse_module
from mindport.source.problem import Problem, ProblemKind
from mindport.source.reasons import said
from mindport.source.text import decode_source, read_source

# What a Chinese message may hold in Latin letters.
NAMES = re.compile(
    r"0x\w\w|utf-\d+|gbk|no-such|python|julia|json|notebook|jupyter|max-file-size|u\+\w+|MB", re.I
)


def without_names(message: str) -> str:
    return NAMES.sub("", message)


def problem_of(data: bytes, name: str = "a.py") -> Problem:
    found = decode_source(data, name)
    assert isinstance(found, Problem)
    return found


@pytest.mark.parametrize(
    ("data", "name", "english"),
    [
        (b"x = 1\0", "a.py", "null byte: Python source cannot hold one"),
        ("x = 1".encode("utf-16"), "a.py", "the file looks like UTF-16"),
        (b"x = '\xff'", "a.py", "byte 0xff is not valid UTF-8; save the file as UTF-8"),
        (b"# coding: no-such\n", "a.py", "unknown encoding 'no-such' in the coding line"),
        (b"\xef\xbb\xbf# coding: gbk\n", "a.py", "the coding line says 'gbk', but"),
        (b"# coding: utf-16\nx = 1", "a.py", "encoding 'utf-16' does not write plain characters as they are"),
        (b"{", "a.ipynb", "is not JSON, as a notebook should be: Expecting property name"),
        (b"[]", "a.ipynb", "is not a notebook of format 4"),
    ],
)
def test_bytes_that_are_no_text(data: bytes, name: str, english: str) -> None:
    problem = problem_of(data, name)
    assert english in problem.message
    with speaking(translations("zh-cn")):
        chinese = problem.message
    assert re.search("[一-龥]", chinese)
    assert chinese != problem.message


def test_what_goes_into_a_sentence_is_the_same_in_both_languages() -> None:
    problem = problem_of(b"x = '\xff'")
    with speaking(translations("zh-cn")):
        assert problem.message == "字节 0xff 不是有效的 UTF-8 编码；请将文件另存为 UTF-8，或添加编码声明行"
        assert not re.search("[a-z]{2,}", without_names(problem.message).lower())


def test_braces_of_the_user_are_no_places() -> None:
    problem = Problem(ProblemKind.SYNTAX, "does not parse: {reason}", values={"reason": "'{' {reason} {x!r}"})
    assert problem.message == "does not parse: '{' {reason} {x!r}"


@pytest.mark.parametrize(
    ("code", "chinese"),
    [
        ("x = ", "语法无效"),
        ("f(1", "'(' 没有闭合"),
        ("x = {", "'{' 没有闭合"),
        ("x = 1)", "')' 没有对应的左括号"),
        ("x = (1]", "右括号 ']' 与左括号 '(' 不匹配"),
        ("x = (\n1]", "右括号 ']' 与第 1 行的左括号 '(' 不匹配"),
        ("if x\n    pass", "此处应为 ':'"),
        ("if x:\npass", "第 1 行的 'if' 语句之后应有缩进的代码块"),
        ("def f():\npass", "第 1 行的函数定义之后应有缩进的代码块"),
        ("  x = 1\n    y = 2", "缩进"),
        ("x = 'a", "字符串没有结束（在第 1 行发现）"),
        ("x = '''a", "三引号字符串没有结束"),
        ("f(a，2)", "无效字符 '，'（U+FF0C）"),
        ("f(a\u200b)", "无效的不可见字符 U+200B"),
        ("print 1", "调用 'print' 缺少括号，是否应写作 print(...)？"),
    ],
)
def test_what_does_not_parse(code: str, chinese: str) -> None:
    (problem, *_) = parse_module(code + "\n").problems
    assert problem.message.startswith("does not parse: ")
    with speaking(translations("zh-cn")):
        assert problem.message.startswith("无法解析：")
        assert chinese in problem.message


@pytest.mark.parametrize(
    "reason", ["", "'{x}' is too odd", "expected ':' here and there", "{reason}", "torch"]
)
def test_reasons_that_nobody_knows_stay(reason: str) -> None:
    with speaking(translations("zh-cn")):
        assert said(reason) == reason


@pytest.mark.parametrize(
    "reason", ["'(' was never closed", "permission denied", "invalid character '，' (U+FF0C)"]
)
def test_reasons_are_themselves_in_english(reason: str) -> None:
    assert said(reason) == reason
    with speaking(translations("zh-cn")):
        assert re.search("[一-龥]{2}", said(reason))


def test_paths(tmp_path: Path) -> None:
    (tmp_path / "dangling.py").symlink_to(tmp_path / "nowhere.py")
    os.mkfifo(tmp_path / "pipe.py")
    with speaking(translations("zh-cn")):
        messages = {
            name: getattr(read_source(tmp_path / name), "message", "")
            for name in ("", "absent.py", "dangling.py", "pipe.py")
        }
    assert messages == {
        "": "是目录，不是文件",
        "absent.py": "没有这个文件",
        "dangling.py": "是链接，但指向的文件不存在",
        "pipe.py": "不是普通文件",
    }


def test_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "null.py").write_bytes(b"import torch\0\n")
    (tmp_path / "open.py").write_text("import torch\nx = torch.cat((\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command = ["check", "--no-cache", "--locale", "zh-cn", "."]
    main(command)
    shown = capsys.readouterr().out
    assert "空字节：Python 源码中不能有空字节" in shown
    assert "无法解析：'(' 没有闭合" in shown
    main(["fix", "--allow-dirty", "--locale", "zh-cn", "open.py"])
    assert "无法解析：'(' 没有闭合" in capsys.readouterr().err
    # Programs read English.
    main([*command, "--output-format", "json"])
    messages = [one["message"] for one in json.loads(capsys.readouterr().out)["findings"]]
    assert "null byte: Python source cannot hold one" in messages
